import { randomUUID } from 'node:crypto';
import { pageSize } from '@tallystick/contract/list';
import type { Cents } from '@tallystick/contract/money';
import {
  type CoinId,
  type Network,
  networks as networkFacts,
  networkOf,
} from '@tallystick/contract/networks';
import type { SimplePrice } from '@tallystick/contract/prices';
import { refuse } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, ReadDb } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import { type AccountRef, type Ledger, type MoneyCommand, newTransactionId } from '../ledger/service.ts';
import {
  confirmationsOf,
  type Networks,
  type PaymentRow,
  type PayTo,
  type Source,
} from '../networks/service.ts';
import type { Prices } from '../prices/service.ts';
import type { Users } from '../users/service.ts';
import { createCrediting } from './crediting.ts';
import { createDecisions } from './decisions.ts';
import { createFirstMethods } from './first-methods.ts';
import { letterAbout, lettersAbout } from './letters.ts';
import { activeMethods, allMethods, type PaymentMethodRow } from './method-store.ts';
import { createMethods } from './methods.ts';
import { createNoticing } from './noticing.ts';
import { amountRefusal, coinAmountOf, pendingRequestsMax, requestsOf } from './rules.ts';
import {
  insertRequests,
  type PayableRow,
  pageOfRequests,
  pendingOf,
  type RequestFilter,
  unasked,
} from './store.ts';

export { byChain } from './decided.ts';
export type { PaymentMethodRow } from './method-store.ts';
export type { WaitingChange, WayIn } from './methods.ts';
export { requestsOf } from './rules.ts';

interface FundingNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  users: Users;
  prices: Prices;
  bounds: BoundsRegister;
  networks: Networks;
}

interface AskForFunding extends MoneyCommand {
  userId: string;
  paymentname: string;
  amountCents: Cents;
  /** Where this investor sends. */
  payTo: PayTo;
}

/** A request as its investor sees it. */
export interface ShownRequest extends PayableRow {
  /** Its chain is read, and says whose a payment is. */
  watched: boolean;
  payment: (PaymentRow & { confirmations: number }) | null;
}

interface Facts {
  methods: Map<string, PaymentMethodRow>;
  /** How many requests of an investor wait already. */
  pending: Map<string, number>;
  /** Who has closed the account since the request came in. */
  closed: Set<string>;
  /** As far as they are known at this moment. */
  prices: SimplePrice | null;
}

/** Money coming in: an investor says that a payment is on its way, an operator confirms what arrived. */
export function createFunding(needs: FundingNeeds) {
  const { db, clock, ledger, users, prices, networks } = needs;
  const ask = ledger.verb<AskForFunding, Facts, PayableRow>({
    bodyOf: ({ paymentname, amountCents }) => ['fund', paymentname, String(amountCents)],
    async read(tx, commands, { openBook }) {
      const userIds = [...new Set(commands.map(({ userId }) => userId))];
      // One investor's requests are counted one batch after the other, before the wallet is locked.
      await lockNames(tx, userIds.map(requestsOf));
      const facts = {
        methods: new Map((await activeMethods(tx)).map((method) => [method.paymentname, method])),
        pending: await pendingOf(tx, userIds),
        closed: await users.closedAmong({ tx, userIds }),
        prices: prices.knownPrices(),
      };
      // Nothing moves before the payment is confirmed. Whose key it is, is found out behind the lock of what they spend from,
      // as with an investment of the same key: the two keep it in different places.
      const wallets = userIds.map<AccountRef>((ownerId) => ({ kind: 'wallet', ownerId }));
      return { facts, book: await openBook(wallets) };
    },
    decide({ command: { userId, paymentname, amountCents, payTo }, facts, now }) {
      if (facts.closed.has(userId)) return refuse('unauthenticated', 'This account was closed.');
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
        ...unasked,
        id: randomUUID(),
        userId,
        methodId: method.id,
        transactionid: newTransactionId(),
        paymentname,
        paymentaddress: payTo.address,
        tag: payTo.tag,
        methodNetwork: method.network,
        coin: method.coin,
        sample: method.sample,
        confirmations: method.confirmations,
        source: method.source,
        amountCents,
        coinAmount: coinAmountOf(amountCents, facts.prices?.[method.coin as CoinId]?.usd),
        paymentId: null,
        announced: true,
        requestedAt: now,
      };
      return { row };
    },
    async write(tx, rows, now) {
      if (rows.length === 0) return;
      await insertRequests(tx, rows);
      await users.writeTo({ tx, letters: rows.map((row) => letterAbout(row, now)) });
    },
  });

  const { noticeAll, takeBack } = createNoticing(needs);
  const creditAll = createCrediting(needs);

  /** An address that is everybody's tells nobody whose a payment is. */
  function isWatched({ coin, source }: PayableRow): boolean {
    const network = networkOf(coin ?? '');
    return network !== null && (source === 'derived' || source === 'tagged') && networks.isWatched(network);
  }

  /** With what the chains show of them. */
  async function shown(requests: PayableRow[], on: ReadDb): Promise<Omit<ShownRequest, 'watched'>[]> {
    const named = requests.flatMap(({ paymentId }) => paymentId ?? []);
    const payments = await networks.paymentsNamed(named, on);
    const byId = new Map(payments.map((payment) => [payment.id, payment]));
    const heights = payments.length > 0 ? await networks.heights(on) : new Map();
    return requests.map((request) => {
      const payment = byId.get(request.paymentId ?? '');
      if (!payment) return { ...request, payment: null };
      const confirmations = confirmationsOf(payment, heights.get(payment.network) ?? { height: 0 });
      return { ...request, payment: { ...payment, confirmations } };
    });
  }

  /** A method of a network that this version does not know has one address for everyone. */
  async function payToOf(method: PaymentMethodRow, userId: string | null): Promise<PayTo> {
    const network = networkOf(method.coin);
    const { paymentaddress, keyId, source } = method;
    if (!network) return { address: paymentaddress, tag: null };
    const from: Source =
      source === 'derived' && keyId
        ? { source, keyId }
        : { source: source === 'tagged' ? 'tagged' : 'fixed', paymentaddress };
    return networks.payTo({ userId, network, source: from });
  }

  return {
    ...createDecisions(needs),
    ...createMethods({ db, clock, networks }),
    ...createFirstMethods({ db, clock, networks }),

    lettersAbout,

    async askForFunding(command: Omit<AskForFunding, 'scope' | 'payTo'>): Promise<ShownRequest> {
      const { userId, paymentname } = command;
      const method = (await activeMethods(db)).find((each) => each.paymentname === paymentname);
      // Without a method there is nowhere to send; the command itself says so.
      const payTo = method ? await payToOf(method, userId) : { address: '', tag: null };
      const row = await ask({ ...command, payTo, scope: userId });
      return { ...row, watched: isWatched(row), payment: null };
    },

    /** How a wallet can be funded: with the addresses of whoever asks, or as anybody may see it. */
    async paymentMethods({ userId }: { userId: string | null }) {
      const methods = await activeMethods(db);
      return Promise.all(
        methods.map(async (method) => {
          const { address, tag } = await payToOf(method, userId);
          return { ...method, paymentaddress: address, tag };
        }),
      );
    },

    takeBack,

    /** After how many confirmations a payment on a network counts: as many as the most careful of its ways in asks for. */
    async confirmationsOn(network: Network): Promise<number> {
      const methods = (await allMethods(db)).filter(
        ({ coin, active }) => active && networkOf(coin) === network,
      );
      const usual = networkFacts[network].confirmations;
      return methods.length === 0 ? usual : Math.max(...methods.map((each) => each.confirmations ?? usual));
    },

    /** After a chain was read: what was seen finds its request, what is confirmed is credited. */
    async takeIn(network: Network): Promise<void> {
      try {
        await noticeAll(network);
      } finally {
        await creditAll(network);
      }
    },

    async pageOfRequests({ page, on = db, ...filter }: RequestFilter & { page: number; on?: ReadDb }) {
      const range = { offset: (page - 1) * pageSize, limit: pageSize };
      const { total, requests } = await pageOfRequests(on, filter, range);
      const all = await shown(requests, on);
      return { total, requests: all.map((row) => ({ ...row, watched: isWatched(row) })) };
    },
  };
}

export type Funding = ReturnType<typeof createFunding>;
