import { randomUUID } from 'node:crypto';
import type { Cents } from '@tallystick/contract/money';
import { AppError, refuse } from '../../platform/app-error.ts';
import { type Actor, writeAudit, writeAuditAll } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { logTime, writeLogEntry } from '../../platform/log/outbox.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import {
  createDecision,
  departedAmong,
  nameOf,
  refuseAgreement,
  stillWaiting,
} from '../../platform/second-operator.ts';
import {
  type CorrectionRow,
  decideCorrections,
  insertCorrection,
  lockCorrections,
  postedCorrections,
  waitingCorrections,
} from './corrections-store.ts';
import { type AccountRef, movement } from './rules.ts';
import type { MoneyCommand, MoneyWork } from './verb/money-work.ts';

interface Confirm extends MoneyCommand {
  correctionId: string;
  actor: Actor;
}

interface Facts {
  waiting: Map<string, CorrectionRow>;
  /** Who of those who asked is an operator no more. */
  departed: Set<string>;
}

interface Confirmed {
  correction: CorrectionRow;
  actor: Actor;
}

interface CorrectionsNeeds {
  db: Db;
  clock: Clock;
  verb<Command extends MoneyCommand, Facts, Row>(
    work: MoneyWork<Command, Facts, Row>,
  ): (command: Command) => Promise<Row>;
}

const waitingMax = 200;
const wallet = (userId: string): AccountRef => ({ kind: 'wallet', ownerId: userId });
const corrections: AccountRef = { kind: 'corrections', ownerId: null };

function movementOf({ userId, amountCents, reason }: CorrectionRow, at: Date) {
  const label = 'Correction';
  return movement({
    kind: 'correction',
    at,
    reason,
    postings: [
      { account: corrections, amountCents: -amountCents, label },
      { account: wallet(userId), amountCents, label },
    ],
  });
}

const words = {
  unknown: 'There is no such correction.',
  decided: ({ transactionid }: CorrectionRow) =>
    `This correction was ${transactionid ? 'posted' : 'dropped'}`,
};

const auditDetails = ({ id, amountCents, reason, transactionid, askedBy }: CorrectionRow) => ({
  correction: id,
  amountCents: String(amountCents),
  reason,
  transactionid,
  askedBy,
});

/** That and by how much something was corrected, not for whom. */
async function tellLog(tx: Tx, { transactionid, amountCents }: CorrectionRow, now: Date): Promise<void> {
  const lines = [
    ['time', logTime(now)],
    ['transactionid', transactionid ?? ''],
    ['amount', String(amountCents)],
  ] as const;
  await writeLogEntry(tx, 'correction/v1', lines, now);
}

/**
 * The one way to mend a mistake: a balanced posting with a reason, which the investor sees as such. One operator asks
 * for it, another posts it.
 */
export function createCorrections({ db, clock, verb }: CorrectionsNeeds) {
  const confirm = verb<Confirm, Facts, Confirmed>({
    bodyOf: ({ correctionId, actor }) => ['correct', correctionId, nameOf(actor)],
    async read(tx, commands, { openBook }) {
      const rows = await lockCorrections(tx, [...new Set(commands.map(({ correctionId }) => correctionId))]);
      const departed = await departedAmong(
        tx,
        rows.map(({ askedBy }) => askedBy),
      );
      const book = await openBook(rows.flatMap(({ userId }) => [wallet(userId), corrections]));
      return { facts: { waiting: new Map(rows.map((row) => [row.id, row])), departed }, book };
    },
    decide({ command: { correctionId, actor }, facts: { waiting, departed }, book, now }) {
      const found = stillWaiting(waiting.get(correctionId), words);
      if ('refused' in found) return found;
      const { row } = found;
      const refused = refuseAgreement(row, nameOf(actor), departed);
      if (refused) return refused;
      const posting = movementOf(row, now);
      if (book.post(posting) === 'short') {
        return refuse('insufficient_funds', 'The wallet does not hold that much.');
      }
      const { transactionid } = posting;
      const correction = { ...row, decidedBy: nameOf(actor), decidedAt: now, transactionid };
      waiting.set(correctionId, correction);
      return { row: { correction, actor } };
    },
    async write(tx, confirmed, now) {
      const rows = confirmed.map(({ correction }) => correction);
      await decideCorrections(tx, rows);
      for (const row of rows) await tellLog(tx, row, now);
      await writeAuditAll(
        tx,
        confirmed.map(({ correction, actor }) => ({
          actor,
          action: 'correction.posted',
          subjectId: correction.userId,
          details: auditDetails(correction),
        })),
        now,
      );
    },
  });

  return {
    async proposeCorrection(input: {
      userId: string;
      amountCents: Cents;
      reason: string;
      actor: Actor;
      idempotencyKey: string | null;
    }): Promise<{ correctionId: string }> {
      const { userId, amountCents, reason, actor, idempotencyKey } = input;
      if (amountCents === 0n) throw new AppError('outside_range', 'A correction moves at least one cent.');
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const asked = { userId, amountCents, reason, askedBy: nameOf(actor), askedAt: now };
        const inserted = await insertCorrection(tx, idempotencyKey ?? randomUUID(), asked);
        if (!inserted) throw new AppError('not_found', 'There is no such investor.');
        const { row, isNew } = inserted;
        if (row.userId !== userId || row.amountCents !== amountCents || row.reason !== reason) {
          throw new AppError('key_reused', 'This Idempotency-Key was used for another request.');
        }
        const details = auditDetails(row);
        if (isNew)
          await writeAudit(tx, { actor, action: 'correction.asked', subjectId: userId, details }, now);
        return { correctionId: row.id };
      });
    },

    async confirmCorrection(
      command: Omit<Confirm, 'scope' | 'idempotencyKey'> & { idempotencyKey?: string | null },
    ): Promise<{ transactionid: string | null }> {
      const keyed = { ...command, scope: 'operator', idempotencyKey: command.idempotencyKey ?? null };
      return { transactionid: (await confirm(keyed)).correction.transactionid };
    },

    discardCorrection: createDecision({
      ...words,
      db,
      clock,
      lock: async (tx, id) => (await lockCorrections(tx, [id]))[0],
      async decide(tx, row, { by, now }) {
        await decideCorrections(tx, [{ ...row, decidedBy: by, decidedAt: now }]);
        return { action: 'correction.dropped', subjectId: row.userId, details: auditDetails(row) };
      },
    }),

    waitingCorrections: () => waitingCorrections(db, waitingMax),

    postedCorrections: ({ tx, transactionids }: { tx: Tx; transactionids: string[] }) =>
      postedCorrections(tx, transactionids),
  };
}
