import type { Cents } from '@tallystick/contract/money';
import { type Clock, dayMs, systemClock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Db, ReadDb } from '../../platform/postgres/db.ts';
import { createBatch } from '../../platform/work/batch.ts';
import { createBookCheck } from './check.ts';
import { deleteOldChecks } from './check-store.ts';
import { deleteOldRefusals } from './command-store.ts';
import { type Batching, createMoneyVerb } from './commands.ts';
import { createCorrections } from './corrections.ts';
import { createJournal } from './journal.ts';
import { createLabelCounts } from './labels.ts';
import {
  entriesAfter,
  entriesBefore,
  type ListedEntry,
  labelledBefore,
  pageOfEntries,
} from './list-store.ts';
import {
  type Account,
  type AccountKind,
  type EntryFilter,
  genesisHash,
  type InvestorAccountKind,
  labelsMatching,
} from './rules.ts';
import { accountsOf, balancesAt, findAccount, timeOfMoney } from './store.ts';
import { createBookWork } from './verb/book-work.ts';
import type { MoneyCommand, MoneyWork } from './verb/money-work.ts';
import { createRemembered } from './verb/remembered.ts';
import { createSideBySide } from './verb/side-by-side.ts';

export type { CorrectionRow } from './corrections-store.ts';
export type { JournalMovement } from './journal-store.ts';
export type { ListedEntry } from './list-store.ts';
export {
  type AccountRef,
  type Movement,
  movement,
  newTransactionId,
  recordCode,
} from './rules.ts';
export type { BorneKey } from './verb/key-rules.ts';
export type { MoneyCommand } from './verb/money-work.ts';

interface LedgerNeeds extends Batching {
  db: Db;
  clock: Clock;
  logger: Logger;
}

const streamedAtOnce = 1000;

/** Where a chain ends; one that was never posted to has not begun. */
const headOf = (account: Pick<Account, 'id' | 'entryCount' | 'head'> | undefined) => ({
  accountId: account?.id ?? null,
  entryCount: account?.entryCount ?? 0n,
  head: account?.head ?? genesisHash,
});

/** Where every cent is. Other modules say what moves; only this one writes it down. */
export function createLedger({ db, clock, logger, batchSizeMax, onBatch }: LedgerNeeds) {
  /**
   * Money is dated by the database's clock, which all servers share: one whose own clock is wrong can neither date an
   * entry in the future nor let an investment mature early. Only a test's own clock goes before it.
   */
  const givenTime = () => (clock === systemClock ? null : clock.now());
  const remembered = createRemembered();
  const verb = <Command extends MoneyCommand, Facts, Row>(work: MoneyWork<Command, Facts, Row>) =>
    createMoneyVerb({ db, givenTime, remembered, batchSizeMax, onBatch }, work);
  const inBook = createBookWork({ db, givenTime, remembered });
  const postSideBySide = createSideBySide({ db, givenTime, remembered });
  /** Every screen asks for them: requests that arrive together are answered with one statement. */
  const accountsTogether = createBatch({
    afterFailure: () => 'give up',
    execute: (userIds: string[]) => accountsOf(db, userIds),
  });
  const labelCounts = createLabelCounts();
  const walletOf = (on: ReadDb, userId: string) => findAccount(on, { kind: 'wallet', ownerId: userId });

  return {
    ...createBookCheck({ db, clock, logger }),
    ...createCorrections({ db, clock, verb }),
    ...createJournal({ db }),

    verb,

    inBook,
    postSideBySide,

    /** For what is no movement and must agree with movements about the time. */
    timeOfMoney: ({ on }: { on: ReadDb }) => timeOfMoney(on, givenTime()),

    /** Those that are older than a day, which nobody is answered with any more. */
    forgetRefusals: () => deleteOldRefusals(db, new Date(clock.now().getTime() - dayMs)),

    /** Checks of the books that found nothing, after a quarter of a year. */
    forgetChecks: () => deleteOldChecks(db),

    async summary({ userId }: { userId: string }) {
      const accounts = new Map((await accountsTogether(userId)).map((account) => [account.kind, account]));
      const balance = (kind: AccountKind): Cents => accounts.get(kind)?.balanceCents ?? 0n;
      const [available, invested, withdrawing] = [
        balance('wallet'),
        balance('invested'),
        balance('withdrawing'),
      ];
      return {
        availableCents: available,
        investedCents: invested,
        withdrawingCents: withdrawing,
        togetherCents: available + invested + withdrawing,
        ...headOf(accounts.get('wallet')),
      };
    },

    /** What the wallet held at a past moment. */
    async balanceAt({ userId, at }: { userId: string; at: Date }): Promise<Cents> {
      const wallet = await walletOf(db, userId);
      const [balance = 0n] = wallet ? await balancesAt(db, wallet.id, [at]) : [];
      return balance;
    },

    /** The wallet at the end of each of the last days, the current moment standing for today's end. */
    async history({ userId, days, on = db }: { userId: string; days: number; on?: ReadDb }) {
      const now = clock.now();
      const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
      const moments = Array.from({ length: days }, (_, n) =>
        n === days - 1 ? now : new Date(midnight - (days - 2 - n) * dayMs - 1),
      );
      const wallet = await walletOf(on, userId);
      const balances = wallet ? await balancesAt(on, wallet.id, moments) : moments.map(() => 0n);
      return moments.map((at, index) => ({ at, balanceCents: balances[index] ?? 0n }));
    },

    /**
     * The entries of one of an investor's accounts after a number, and the head that they lead to. Always the newest: a
     * browser that has seen more before would take them for a record that was cut.
     */
    async chain(input: { userId: string; account: InvestorAccountKind; after: bigint; limit: number }) {
      const { userId, account: kind, after, limit } = input;
      const account = (await accountsTogether(userId)).find((each) => each.kind === kind);
      const entries = account ? await entriesAfter(db, account.id, after, limit) : [];
      const head = headOf(account);
      // An entry written since the head was read belongs to the next head.
      return { entries: entries.filter(({ seq }) => seq <= head.entryCount), head };
    },

    /** One page, with how many there are and every label there is to choose from. */
    async pageOfEntries(input: {
      userId: string;
      filter: EntryFilter;
      page: number;
      pageSize: number;
      on?: ReadDb;
    }) {
      const { userId, filter, page, pageSize: limit, on = db } = input;
      const wallet = await walletOf(on, userId);
      if (!wallet) return { total: 0, entries: [], labels: [] };
      const { counts, upTo } = await labelCounts(on, wallet);
      const labels = [...counts.keys()].sort();
      const offset = (page - 1) * limit;
      const wanted = labelsMatching(labels, filter);
      if (!wanted) {
        // Entries are numbered without a gap: a page of all of them is a range of numbers.
        const below = wallet.entryCount - BigInt(offset) + 1n;
        const entries = await entriesBefore(on, wallet.id, below, limit);
        return { total: Number(wallet.entryCount), entries, labels };
      }
      const total = wanted.reduce((sum, label) => sum + (counts.get(label) ?? 0), 0);
      const entries = await pageOfEntries(on, wallet.id, wanted, { offset, limit, total, upTo });
      return { total, entries, labels };
    },

    async labelsOf({ userId, on = db }: { userId: string; on?: ReadDb }): Promise<string[]> {
      const wallet = await walletOf(on, userId);
      return wallet ? [...(await labelCounts(on, wallet)).counts.keys()].sort() : [];
    },

    /** All entries that a filter lets through, newest first, a thousand at a time, for lists that are sent whole. */
    async *allEntries({ userId, filter, on = db }: { userId: string; filter?: EntryFilter; on?: ReadDb }) {
      const wallet = await walletOf(on, userId);
      if (!wallet) return;
      const labels = filter ? [...(await labelCounts(on, wallet)).counts.keys()] : [];
      const wanted = filter ? labelsMatching(labels, filter) : null;
      for (let below: bigint | null = null; ; ) {
        const part: ListedEntry[] = wanted
          ? await labelledBefore(on, wallet.id, wanted, below, streamedAtOnce)
          : await entriesBefore(on, wallet.id, below, streamedAtOnce);
        yield* part;
        const last = part.at(-1);
        if (!last || part.length < streamedAtOnce) return;
        below = last.seq;
      }
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
