import { randomUUID } from 'node:crypto';
import type { Cents } from '@tallystick/contract/money';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import type { Logger } from '../../platform/logger.ts';
import { createBookCheck } from './check.ts';
import { createMoneyVerb, type MoneyCommand, type MoneyWork, openBook, writeBook } from './commands.ts';
import {
  countEntries,
  type EntryFilter,
  entriesAfter,
  entriesBefore,
  labelsOf,
  pageOfEntries,
} from './list-store.ts';
import { type AccountRef, type Book, genesisHash, newTransactionId } from './rules.ts';
import { balanceAt, balancesAt, balancesOf, findAccount } from './store.ts';

export { type MoneyCommand, type Refusal, refuse } from './commands.ts';
export type { ListedEntry } from './list-store.ts';
export { type AccountRef, type Book, newTransactionId, recordCode } from './rules.ts';

interface LedgerNeeds {
  db: Db;
  clock: Clock;
  logger: Logger;
}

const dayMs = 24 * 60 * 60 * 1000;
const streamedAtOnce = 1000;

/** A movement with its postings, of which the caller need not name what the ledger gives by itself. */
export function movement(input: {
  kind: string;
  transactionid?: string;
  at: Date;
  reference?: string;
  reason?: string;
  postings: { account: AccountRef; amountCents: Cents; label: string }[];
}) {
  const { transactionid = newTransactionId(), reference = null, reason = null, ...rest } = input;
  return { id: randomUUID(), transactionid, reference, reason, ...rest };
}

/** Where every cent is. Other modules say what moves; only this one writes it down. */
export function createLedger({ db, clock, logger }: LedgerNeeds) {
  const walletOf = (userId: string) => findAccount(db, { kind: 'wallet', ownerId: userId });

  return {
    ...createBookCheck({ db, clock, logger }),

    verb: <Command extends MoneyCommand, Facts, Row>(work: MoneyWork<Command, Facts, Row>) =>
      createMoneyVerb({ db, clock }, work),

    /** For work that is not a command, such as settling what is due: locks, lets the caller post, writes. */
    async inBook({ tx, accounts, post }: { tx: Tx; accounts: AccountRef[]; post: (book: Book) => void }) {
      const book = await openBook(tx, accounts);
      post(book);
      await writeBook(tx, book);
    },

    async summary({ userId }: { userId: string }) {
      const balances = new Map((await balancesOf(db, userId)).map((row) => [row.kind, row.balanceCents]));
      const wallet = await walletOf(userId);
      const [available, invested, withdrawing] = ['wallet', 'invested', 'withdrawing'].map(
        (kind) => balances.get(kind) ?? 0n,
      ) as [Cents, Cents, Cents];
      return {
        availableCents: available,
        investedCents: invested,
        withdrawingCents: withdrawing,
        togetherCents: available + invested + withdrawing,
        entryCount: wallet?.entryCount ?? 0n,
        accountId: wallet?.id ?? null,
        head: wallet?.head ?? genesisHash,
      };
    },

    /** What the wallet held at a past moment. */
    async balanceAt({ userId, at }: { userId: string; at: Date }): Promise<Cents> {
      const wallet = await walletOf(userId);
      return wallet ? balanceAt(db, wallet.id, at) : 0n;
    },

    /** The wallet at the end of each of the last days, the current moment standing for today's end. */
    async history({ userId, days }: { userId: string; days: number }) {
      const now = clock.now();
      const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
      const moments = Array.from({ length: days }, (_, n) =>
        n === days - 1 ? now : new Date(midnight - (days - 2 - n) * dayMs - 1),
      );
      const wallet = await walletOf(userId);
      const balances = wallet ? await balancesAt(db, wallet.id, moments) : moments.map(() => 0n);
      return moments.map((at, index) => ({ at, balanceCents: balances[index] ?? 0n }));
    },

    async entriesAfter({ userId, after, limit }: { userId: string; after: bigint; limit: number }) {
      const wallet = await walletOf(userId);
      return wallet ? entriesAfter(db, wallet.id, after, limit) : [];
    },

    async pageOfEntries(input: { userId: string; filter: EntryFilter; page: number; pageSize: number }) {
      const { userId, filter, page, pageSize } = input;
      const wallet = await walletOf(userId);
      if (!wallet) return { total: 0, entries: [] };
      const total = await countEntries(db, wallet.id, filter);
      const range = { offset: (page - 1) * pageSize, limit: pageSize };
      return { total, entries: await pageOfEntries(db, wallet.id, filter, range) };
    },

    async labelsOf({ userId }: { userId: string }): Promise<string[]> {
      const wallet = await walletOf(userId);
      return wallet ? labelsOf(db, wallet.id) : [];
    },

    /** All entries, newest first, a thousand at a time, for lists that are sent whole. */
    async *allEntries({ userId }: { userId: string }) {
      const wallet = await walletOf(userId);
      if (!wallet) return;
      for (let below: bigint | null = null; ; ) {
        const part = await entriesBefore(db, wallet.id, below, streamedAtOnce);
        yield* part;
        const last = part.at(-1);
        if (!last || part.length < streamedAtOnce) return;
        below = last.seq;
      }
    },

    /** A balanced posting with a reason, which the investor sees as such. The one way to mend a mistake. */
    async correct(input: { userId: string; amountCents: Cents; reason: string; actor: Actor }) {
      const { userId, amountCents, reason, actor } = input;
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const wallet = { kind: 'wallet', ownerId: userId } as const;
        const corrections = { kind: 'corrections', ownerId: null } as const;
        const label = 'Correction';
        const correction = movement({
          kind: 'correction',
          at: now,
          reason,
          postings: [
            { account: corrections, amountCents: -amountCents, label },
            { account: wallet, amountCents, label },
          ],
        });
        const book = await openBook(tx, [wallet, corrections]);
        if (book.post(correction) === 'short') {
          throw new AppError('insufficient_funds', 'The wallet does not hold that much.');
        }
        await writeBook(tx, book);
        const { transactionid } = correction;
        const details = { transactionid, amountCents: String(amountCents), reason };
        await writeAudit(tx, { actor, action: 'ledger.corrected', subjectId: userId, details }, now);
        return { transactionid };
      });
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
