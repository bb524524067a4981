import { randomUUIDv7 } from 'node:crypto';
import { pageSize } from '@tallystick/contract/list';
import type { Cents } from '@tallystick/contract/money';
import type { WithdrawalStatus } from '@tallystick/contract/withdrawal';
import { errorOf, refuse } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Db, ReadDb, Tx } from '../../platform/postgres/db.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import {
  type AccountRef,
  type Ledger,
  type MoneyCommand,
  movement,
  newTransactionId,
} from '../ledger/service.ts';
import type { Networks } from '../networks/service.ts';
import type { Users } from '../users/service.ts';
import { type Allowed, createAllowed, destinationRefusal } from './addresses/allowed.ts';
import { createAddressBook, createAddressCheck } from './addresses/book.ts';
import { createProtecting } from './addresses/protecting.ts';
import { frozenAmong } from './freeze-store.ts';
import { createFreezes } from './freezes.ts';
import { lettersAbout } from './letters.ts';
import { createMethods } from './methods.ts';
import { createNaming } from './naming.ts';
import { amountRefusal, openWithdrawalsMax } from './rules.ts';
import type { SheetsNeeds } from './sheets/making.ts';
import { coinsFor } from './sheets/sheet-store.ts';
import { createSheets } from './sheets/sheets.ts';
import { createSteps } from './steps.ts';
import {
  activeMethods,
  approvedWithdrawals,
  asked,
  insertWithdrawals,
  openOf,
  pageOfWithdrawals,
  type WithdrawalMethodRow,
  type WithdrawalRow,
  withdrawalsNamed,
} from './store.ts';

export { whyUnshown } from './paying.ts';
export type { OddPayout } from './sheets/settling.ts';
export type { Sheet } from './sheets/sheets.ts';

interface WithdrawalNeeds {
  db: Db;
  clock: Clock;
  logger: Logger;
  ledger: Ledger;
  users: Users;
  bounds: BoundsRegister;
  networks: Networks;
  /** Knows where deposits go. */
  funding: SheetsNeeds['funding'] & {
    /** A withdrawal there would come back to us and to nobody's wallet. */
    depositAddresses(tx: Tx, addresses: string[]): Promise<string[]>;
  };
}

interface AskForWithdrawal extends MoneyCommand {
  userId: string;
  methodId: string;
  amountCents: Cents;
  address: string;
  /** On the XRP Ledger: the destination tag. */
  tag: bigint | null;
  /** How much may be on its way out together, where no factor was shown; null when that does not matter. */
  unaskedCents: Cents | null;
}

export interface PayableRow extends WithdrawalRow {
  hindered: string | null;
}

interface Facts {
  methods: Map<string, WithdrawalMethodRow>;
  /** Why everyone's withdrawals are frozen. */
  frozenBecause: string | null;
  /** Whose alone are. */
  frozenInvestors: Map<string, string>;
  depositAddresses: string[];
  allowed: Allowed;
  /** How many withdrawals of an investor are open already. */
  open: Map<string, number>;
}

const frozen = refuse(
  'withdrawals_frozen',
  'Withdrawals are paused while the books are checked. Your money is where it was; please try again later.',
);

const frozenForYou = refuse(
  'withdrawals_frozen',
  'Your withdrawals are paused while we look into your account. Your money is where it was; please write to support.',
);

/** Of those that wait to be paid, the console shows the oldest. */
const payableMax = 500;

const atTheSameMoment = refuse(
  'too_many_requests',
  'Another of your withdrawals came at the same moment. Please ask for this one again.',
  { retryAfterSeconds: 1 },
);

/** Money going out: held when it is asked for, paid by an operator, or given back. */
export function createWithdrawal(needs: WithdrawalNeeds) {
  const { db, clock, logger, ledger, users, bounds, networks, funding } = needs;
  const allowed = createAllowed({ db, ledger, users, networks });
  const check = createAddressCheck(networks);

  const ask = ledger.verb<AskForWithdrawal, Facts, WithdrawalRow>({
    bodyOf: ({ methodId, amountCents, address, tag }) => [
      'withdraw',
      methodId,
      String(amountCents),
      address,
      ...(tag === null ? [] : [String(tag)]),
    ],
    async read(tx, commands, { openBook }) {
      const userIds = [...new Set(commands.map(({ userId }) => userId))];
      const accounts = userIds.flatMap<AccountRef>((ownerId) => [
        { kind: 'wallet', ownerId },
        { kind: 'withdrawing', ownerId },
      ]);
      // What is read behind the locks is as it is now, however long they were waited for.
      const book = await openBook(accounts);
      const methods = await activeMethods(tx);
      const facts = {
        methods: new Map(methods.map((method) => [method.id, method])),
        frozenBecause: await ledger.frozenBecause({ tx }),
        frozenInvestors: await frozenAmong(tx, userIds),
        depositAddresses: await funding.depositAddresses(
          tx,
          commands.map(({ address }) => address),
        ),
        allowed: await allowed.allowedFor(userIds, tx),
        open: await openOf(tx, userIds),
      };
      return { facts, book };
    },
    decide({
      command: { userId, methodId, amountCents, address, tag, unaskedCents },
      facts,
      book,
      now,
      borne,
    }) {
      const method = facts.methods.get(methodId);
      if (!method) return refuse('not_found', 'There is no such withdrawal method.');
      const amountWrong = amountRefusal(amountCents);
      if (amountWrong) return refuse('outside_range', amountWrong);
      const to = { userId, network: method.network, address, tag };
      const addressWrong = check.formRefusal(to) ?? check.ownRefusal(facts.depositAddresses, address);
      if (addressWrong) return addressWrong;
      if (facts.frozenBecause) return frozen;
      if (facts.frozenInvestors.has(userId)) return frozenForYou;
      const notThere = destinationRefusal(to, facts.allowed, now);
      if (notThere) return notThere;
      // Looked at before the command was taken; several at once must not pass together.
      const underWayCents = book.balanceOf({ kind: 'withdrawing', ownerId: userId });
      if (unaskedCents !== null && underWayCents + amountCents > unaskedCents) return atTheSameMoment;
      const open = facts.open.get(userId) ?? 0;
      if (open >= openWithdrawalsMax) {
        return refuse(
          'too_many_requests',
          `${open} of your withdrawals are under way. Please wait for these first.`,
          { retryAfterSeconds: 3600 },
        );
      }
      const row: WithdrawalRow = {
        id: randomUUIDv7(),
        userId,
        methodId: method.id,
        transactionid: newTransactionId(),
        methodname: method.methodname,
        network: method.network,
        address,
        tag,
        amountCents,
        requestedAt: now,
        ...asked,
      };
      const label = 'Withdrawal';
      const held = book.post(
        movement({
          kind: 'withdrawal',
          transactionid: row.transactionid,
          at: now,
          borne,
          postings: [
            { account: { kind: 'wallet', ownerId: userId }, amountCents: -amountCents, label },
            { account: { kind: 'withdrawing', ownerId: userId }, amountCents, label },
          ],
        }),
      );
      if (held === 'short') return refuse('insufficient_funds', 'Your wallet does not hold that much.');
      facts.open.set(userId, open + 1);
      return { row };
    },
    async write(tx, rows) {
      if (rows.length > 0) await insertWithdrawals(tx, rows);
    },
    made: {
      // What was asked for never changes, only where it stands.
      find: async (tx, named) => (await withdrawalsNamed(tx, named)).map((row) => ({ ...row, ...asked })),
    },
  });

  /** Whether it is too much to be on its way out together where no factor was shown. */
  async function isAsked({ userId, amountCents, unaskedCents }: AskForWithdrawal): Promise<boolean> {
    if (unaskedCents === null) return false;
    return (await ledger.summary({ userId })).withdrawingCents + amountCents > unaskedCents;
  }

  const { payByChain, ...steps } = createSteps({ ledger, users, bounds, networks });
  const sheets = createSheets({ db, clock, logger, ledger, networks, funding, payByChain });

  return {
    ...steps,
    ...sheets,
    ...createNaming({ db, clock, networks }),
    ...createFreezes({ db, clock }),
    ...createMethods({ db, clock }),
    ...createAddressBook({ db, ledger, users, networks, funding }),
    ...createProtecting({ db, ledger, users }),

    lettersAbout,

    withdrawalMethods: () => activeMethods(db),

    async askForWithdrawal({
      demandStepUp,
      ...wish
    }: Omit<AskForWithdrawal, 'scope' | 'tag' | 'unaskedCents'> &
      Partial<Pick<AskForWithdrawal, 'tag' | 'unaskedCents'>> & {
        demandStepUp?: () => Promise<void>;
      }): Promise<WithdrawalRow> {
      const { userId, tag = null, unaskedCents = null } = wish;
      const command = { ...wish, tag, unaskedCents, scope: userId };
      // Told before the command is taken: it passes, and the key must be good for another try then.
      return ask(command, async () => {
        if (await isAsked(command)) await demandStepUp?.();
        if (await ledger.frozenBecause()) throw errorOf(frozen);
        await allowed.refuseBefore(command);
        await check.refuseWithoutTag(command);
      });
    },

    async pageOfWithdrawals(input: {
      userId: string;
      status: WithdrawalStatus | 'open' | undefined;
      page: number;
      on?: ReadDb;
    }) {
      const { page, on = db, ...filter } = input;
      const range = { offset: (page - 1) * pageSize, limit: pageSize };
      const { total, withdrawals } = await pageOfWithdrawals(on, filter, range);
      const coins = await coinsFor(
        on,
        withdrawals.map(({ id }) => id),
      );
      return { total, withdrawals: withdrawals.map((row) => ({ ...row, coins: coins.get(row.id) ?? null })) };
    },

    /** Approved and on no open sheet, with why one cannot be put there now. */
    async payableWithdrawals(): Promise<{ total: number; withdrawals: PayableRow[] }> {
      await sheets.expireSheets();
      const rows = await approvedWithdrawals(db, payableMax);
      const all = await ledger.frozenBecause();
      const frozen = await frozenAmong(
        db,
        rows.map(({ userId }) => userId),
      );
      const withdrawals = rows.map(({ total: _, ...row }) => {
        const because = all ?? frozen.get(row.userId);
        const said = row.firstPaidBy ? 'Somebody says that it was paid' : null;
        return { ...row, hindered: because ? `Frozen: ${because}` : said };
      });
      return { total: Number(rows[0]?.total ?? 0), withdrawals };
    },
  };
}

export type Withdrawals = ReturnType<typeof createWithdrawal>;
