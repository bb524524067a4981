import type { Cents } from '@tallystick/contract/money';
import { type Actor, writeAuditAll } from '../../platform/audit.ts';
import { type MoneyCommand, type MoneyWork, refuse } from './commands.ts';
import { type AccountRef, movement } from './rules.ts';

interface Correct extends MoneyCommand {
  userId: string;
  amountCents: Cents;
  reason: string;
  actor: Actor;
}

type Corrected = Omit<Correct, keyof MoneyCommand> & { transactionid: string };

interface CorrectionsNeeds {
  verb<Command extends MoneyCommand, Facts, Row>(
    work: MoneyWork<Command, Facts, Row>,
  ): (command: Command) => Promise<Row>;
}

const wallet = (userId: string): AccountRef => ({ kind: 'wallet', ownerId: userId });
const corrections: AccountRef = { kind: 'corrections', ownerId: null };

/** The one way to mend a mistake: a balanced posting with a reason, which the investor sees as such. */
export function createCorrections({ verb }: CorrectionsNeeds) {
  const correct = verb<Correct, null, Corrected>({
    bodyOf: ({ userId, amountCents, reason }) => ['correct', userId, String(amountCents), reason],
    read: async () => null,
    accountsOf: ({ userId }) => [wallet(userId), corrections],
    decide({ command: { userId, amountCents, reason, actor }, book, now }) {
      if (amountCents === 0n) return refuse('outside_range', 'A correction moves at least one cent.');
      const label = 'Correction';
      const correction = movement({
        kind: 'correction',
        at: now,
        reason,
        postings: [
          { account: corrections, amountCents: -amountCents, label },
          { account: wallet(userId), amountCents, label },
        ],
      });
      if (book.post(correction) === 'short') {
        return refuse('insufficient_funds', 'The wallet does not hold that much.');
      }
      return { row: { transactionid: correction.transactionid, userId, amountCents, reason, actor } };
    },
    async write(tx, rows, now) {
      const entries = rows.map(({ transactionid, userId, amountCents, reason, actor }) => ({
        actor,
        action: 'ledger.corrected',
        subjectId: userId,
        details: { transactionid, amountCents: String(amountCents), reason },
      }));
      await writeAuditAll(tx, entries, now);
    },
  });

  return {
    async correct(
      command: Omit<Correct, keyof MoneyCommand> & { idempotencyKey?: string | null },
    ): Promise<{ transactionid: string }> {
      const keyed = { ...command, scope: 'operator', idempotencyKey: command.idempotencyKey ?? null };
      const { transactionid } = await correct(keyed);
      return { transactionid };
    },
  };
}
