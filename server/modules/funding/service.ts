import { randomUUID } from 'node:crypto';
import type { FundingStatus } from '@tallystick/contract/funding';
import { pageSize } from '@tallystick/contract/list';
import type { Cents } from '@tallystick/contract/money';
import type { CoinId } from '@tallystick/contract/networks';
import type { SimplePrice } from '@tallystick/contract/prices';
import { refuse } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import { type Ledger, type MoneyCommand, newTransactionId } from '../ledger/service.ts';
import type { Prices } from '../prices/service.ts';
import type { Users } from '../users/service.ts';
import type { WithdrawalsPaidWith } from './confirming.ts';
import { createDecisions } from './decisions.ts';
import { letterAbout, lettersAbout } from './letters.ts';
import { createMethods } from './methods.ts';
import { amountRefusal, coinAmountOf, pendingRequestsMax } from './rules.ts';
import {
  activeMethods,
  insertRequests,
  type PayableRow,
  type PaymentMethodRow,
  pageOfRequests,
  pendingOf,
} from './store.ts';

export type { AddressChangeRow } from './method-store.ts';
export type { PaymentMethodRow } from './store.ts';

interface FundingNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  users: Users;
  prices: Prices;
  bounds: BoundsRegister;
  withdrawalsPaidWith: WithdrawalsPaidWith;
}

interface AskForFunding extends MoneyCommand {
  userId: string;
  paymentname: string;
  amountCents: Cents;
}

interface Facts {
  methods: Map<string, PaymentMethodRow>;
  /** How many requests of an investor wait already. */
  pending: Map<string, number>;
  /** As far as they are known at this moment. */
  prices: SimplePrice | null;
}

/** Money coming in: an investor says that a payment is on its way, an operator confirms what arrived. */
export function createFunding(needs: FundingNeeds) {
  const { db, clock, ledger, users, prices } = needs;
  const ask = ledger.verb<AskForFunding, Facts, PayableRow>({
    bodyOf: ({ paymentname, amountCents }) => ['fund', paymentname, String(amountCents)],
    async read(tx, commands, { openBook }) {
      const userIds = [...new Set(commands.map(({ userId }) => userId))];
      // No account is touched that could be locked; still one at a time counts what waits, and looks for the key.
      await lockNames(
        tx,
        userIds.map((id) => `requests of ${id}`),
      );
      const facts = {
        methods: new Map((await activeMethods(tx)).map((method) => [method.paymentname, method])),
        pending: await pendingOf(tx, userIds),
        prices: prices.knownPrices(),
      };
      // Nothing moves before the payment is confirmed.
      return { facts, book: await openBook([]) };
    },
    decide({ command: { userId, paymentname, amountCents }, facts, now }) {
      const method = facts.methods.get(paymentname);
      if (!method) return refuse('not_found', 'There is no such payment method.');
      const refusal = amountRefusal(amountCents);
      if (refusal) return refuse('outside_range', refusal);
      const pending = facts.pending.get(userId) ?? 0;
      if (pending >= pendingRequestsMax) {
        return refuse(
          'too_many_requests',
          `${pending} of your requests wait to be confirmed. Please wait for these first.`,
          { retryAfterSeconds: 3600 },
        );
      }
      facts.pending.set(userId, pending + 1);
      const row: PayableRow = {
        id: randomUUID(),
        userId,
        methodId: method.id,
        transactionid: newTransactionId(),
        paymentname,
        paymentaddress: method.paymentaddress,
        methodNetwork: method.network,
        coin: method.coin,
        sample: method.sample,
        amountCents,
        coinAmount: coinAmountOf(amountCents, facts.prices?.[method.coin as CoinId]?.usd),
        status: 'pending',
        receivedCents: null,
        network: null,
        chainTxid: null,
        chainOutput: null,
        firstConfirmedBy: null,
        firstConfirmedAt: null,
        secondBecause: null,
        reason: null,
        requestedAt: now,
        decidedAt: null,
        decidedBy: null,
      };
      return { row };
    },
    async write(tx, rows, now) {
      if (rows.length === 0) return;
      await insertRequests(tx, rows);
      await users.writeTo({ tx, letters: rows.map((row) => letterAbout(row, now)) });
    },
  });

  return {
    ...createDecisions(needs),
    ...createMethods({ db, clock }),

    lettersAbout,

    askForFunding: (command: Omit<AskForFunding, 'scope'>): Promise<PayableRow> =>
      ask({ ...command, scope: command.userId }),

    pageOfRequests({ page, ...filter }: { userId: string; status: FundingStatus | undefined; page: number }) {
      return pageOfRequests(db, filter, { offset: (page - 1) * pageSize, limit: pageSize });
    },
  };
}

export type Funding = ReturnType<typeof createFunding>;
