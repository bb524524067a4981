import { randomUUIDv7 } from 'node:crypto';
import { pageSize } from '@tallystick/contract/list';
import type { Cents } from '@tallystick/contract/money';
import type { WithdrawalStatus } from '@tallystick/contract/withdrawal';
import { addressRefusal } from '../../platform/address.ts';
import { AppError, errorOf, refuse } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
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
import { frozenAmong } from './freeze-store.ts';
import { createFreezes } from './freezes.ts';
import { lettersAbout } from './letters.ts';
import {
  type AddressWait,
  amountRefusal,
  isSameAddress,
  newAddressRefusal,
  openWithdrawalsMax,
} from './rules.ts';
import { createSteps } from './steps.ts';
import {
  activeMethods,
  allMethods,
  asked,
  insertMethod,
  insertWithdrawals,
  openOf,
  pageOfWithdrawals,
  paidAddresses,
  switchMethod,
  type WithdrawalMethodRow,
  type WithdrawalRow,
  withdrawalsAsAsked,
} from './store.ts';

interface WithdrawalNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  users: Users;
  bounds: BoundsRegister;
  networks: Networks;
  /** Knows where deposits go. */
  funding: {
    /** A withdrawal there would come back to us and to nobody's wallet. */
    depositAddresses(tx: Tx, addresses: string[]): Promise<string[]>;
  };
}

interface AskForWithdrawal extends MoneyCommand {
  userId: string;
  methodId: string;
  amountCents: Cents;
  address: string;
}

interface Facts {
  methods: Map<string, WithdrawalMethodRow>;
  /** Why everyone's withdrawals are frozen. */
  frozenBecause: string | null;
  /** Whose alone are. */
  frozenInvestors: Map<string, string>;
  depositAddresses: string[];
  /** For whom new addresses wait. */
  waits: Map<string, AddressWait>;
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

const ourOwnAddress = refuse(
  'address_wrong',
  'This is the address that deposits are sent to. Enter the address of your own wallet.',
);

/** Money going out: held when it is asked for, paid by an operator, or given back. */
export function createWithdrawal({ db, clock, ledger, users, bounds, networks, funding }: WithdrawalNeeds) {
  /** Hardly anyone waits: then their past is not looked at. */
  async function addressWaits(userIds: string[], tx?: Tx): Promise<Map<string, AddressWait>> {
    const waiting = await users.newAddressesAfter({ userIds, ...(tx && { tx }) });
    const paid = await paidAddresses(tx ?? db, [...waiting.keys()]);
    return new Map([...waiting].map(([id, until]) => [id, { until, paidBefore: paid.get(id) ?? [] }]));
  }

  async function refuseNewAddress({
    userId,
    methodId,
    address,
  }: Pick<AskForWithdrawal, 'userId' | 'methodId' | 'address'>) {
    const tooNew = newAddressRefusal(address, (await addressWaits([userId])).get(userId));
    if (!tooNew) return;
    const method = (await activeMethods(db)).find(({ id }) => id === methodId);
    // Whoever mistyped an address is told that by the command itself.
    if (method && !addressRefusal(method.network, address)) throw new AppError('address_waits', tooNew);
  }

  const ask = ledger.verb<AskForWithdrawal, Facts, WithdrawalRow>({
    bodyOf: ({ methodId, amountCents, address }) => ['withdraw', methodId, String(amountCents), address],
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
        waits: await addressWaits(userIds, tx),
        open: await openOf(tx, userIds),
      };
      return { facts, book };
    },
    decide({ command: { userId, methodId, amountCents, address }, facts, book, now }) {
      const method = facts.methods.get(methodId);
      if (!method) return refuse('not_found', 'There is no such withdrawal method.');
      const amountWrong = amountRefusal(amountCents);
      if (amountWrong) return refuse('outside_range', amountWrong);
      const addressWrong = addressRefusal(method.network, address);
      if (addressWrong) return refuse('address_wrong', addressWrong);
      if (facts.depositAddresses.some((ours) => isSameAddress(ours, address))) return ourOwnAddress;
      if (facts.frozenBecause) return frozen;
      if (facts.frozenInvestors.has(userId)) return frozenForYou;
      const tooNew = newAddressRefusal(address, facts.waits.get(userId));
      if (tooNew) return refuse('address_waits', tooNew);
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
    made: { idOf: ({ id }) => id, find: withdrawalsAsAsked },
  });

  return {
    ...createSteps({ ledger, users, bounds, networks }),
    ...createFreezes({ db, clock }),

    lettersAbout,

    withdrawalMethods: () => activeMethods(db),

    async askForWithdrawal(command: Omit<AskForWithdrawal, 'scope'>): Promise<WithdrawalRow> {
      // Told before the command is taken: both pass, and the key must be good for another try then.
      if (await ledger.frozenBecause()) throw errorOf(frozen);
      await refuseNewAddress(command);
      return ask({ ...command, scope: command.userId });
    },

    pageOfWithdrawals(input: {
      userId: string;
      status: WithdrawalStatus | 'open' | undefined;
      page: number;
    }) {
      const { page, ...filter } = input;
      return pageOfWithdrawals(db, filter, { offset: (page - 1) * pageSize, limit: pageSize });
    },

    allWithdrawalMethods: () => allMethods(db),

    async addWithdrawalMethod(input: {
      method: Pick<WithdrawalMethodRow, 'methodname' | 'network'>;
      actor: Actor;
    }) {
      const { method, actor } = input;
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const methodId = await insertMethod(tx, method, now);
        if (!methodId)
          throw new AppError('name_taken', `There is a way out called ${method.methodname} already.`);
        const details = { methodname: method.methodname, network: method.network };
        await writeAudit(tx, { actor, action: 'withdrawal-method.added', subjectId: methodId, details }, now);
        return { methodId };
      });
    },

    async switchWithdrawalMethod(input: { methodId: string; active: boolean; actor: Actor }): Promise<void> {
      const { methodId, active, actor } = input;
      await inTransaction(db, async (tx) => {
        const method = (await allMethods(tx)).find(({ id }) => id === methodId);
        if (!method) throw new AppError('not_found', 'There is no such withdrawal method.');
        if (!(await switchMethod(tx, methodId, active))) {
          throw new AppError('already_decided', `This method is ${active ? 'on' : 'off'} already.`);
        }
        const action = active ? 'withdrawal-method.switched-on' : 'withdrawal-method.switched-off';
        const details = { methodname: method.methodname };
        await writeAudit(tx, { actor, action, subjectId: methodId, details }, clock.now());
      });
    },
  };
}

export type Withdrawals = ReturnType<typeof createWithdrawal>;
