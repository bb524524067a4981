import { randomUUIDv7 } from 'node:crypto';
import { type Network, networkOf, networks } from '@tallystick/contract/networks';
import { unitsToDecimal } from '../../platform/chains/units.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { newTransactionId } from '../ledger/service.ts';
import type { AddressRow, Networks, PaymentRow } from '../networks/service.ts';
import type { Users } from '../users/service.ts';
import { byChain } from './crediting.ts';
import { unconfirmed } from './decided.ts';
import { letterAboutSeen } from './letters.ts';
import { allMethods, type PaymentMethodRow } from './method-store.ts';
import { methodPaid } from './rules.ts';
import {
  attachPayment,
  decideRequests,
  type FundingRow,
  insertRequests,
  lockRequestsPaidBy,
  lockWaitingAt,
  type PayableRow,
  requestsOfPayments,
  unasked,
} from './store.ts';

interface NoticingNeeds {
  db: Db;
  clock: Clock;
  users: Users;
  networks: Networks;
}

const goneReason = 'The network has taken this payment back. If it comes again, it is added.';

interface Noticed {
  payment: PaymentRow;
  address: AddressRow;
  method: PaymentMethodRow;
}

/** A request that nobody made: the payment came without one, or after its own was closed. */
function requestFor({ payment, address, method }: Noticed, ownerId: string, now: Date): PayableRow {
  const { decimals } = networks[payment.network].coin;
  return {
    ...unasked,
    id: randomUUIDv7(),
    userId: ownerId,
    methodId: method.id,
    transactionid: newTransactionId(),
    paymentname: method.paymentname,
    paymentaddress: address.address,
    tag: address.tag,
    methodNetwork: method.network,
    coin: method.coin,
    sample: method.sample,
    confirmations: method.confirmations,
    source: method.source,
    amountCents: payment.cents ?? 0n,
    coinAmount: unitsToDecimal(payment.units, decimals),
    paymentId: payment.id,
    announced: false,
    requestedAt: now,
  };
}

/** What a chain shows belongs to a request from the moment it is seen: to the oldest that waits at its address, or to one of its own. */
export function createNoticing({ db, clock, users, networks: chains }: NoticingNeeds) {
  async function notice(tx: Tx, noticed: Noticed, now: Date): Promise<void> {
    const { payment, address, method } = noticed;
    const { ownerId } = address;
    if (!ownerId) return;
    const request = await lockWaitingAt(tx, { ownerId, methodId: method.id, address: address.address });
    const row = request ? { ...request, paymentId: payment.id } : requestFor(noticed, ownerId, now);
    await (request ? attachPayment(tx, row) : insertRequests(tx, [row]));
    await chains.markUsed(tx, [address.id], now);
    const needed = method.confirmations ?? networks[payment.network].confirmations;
    await users.writeTo({ tx, letters: [letterAboutSeen(row, payment, { needed, now })] });
  }

  async function noticeAll(network: Network): Promise<void> {
    const open = await chains.openPayments({ network });
    const priced = open.filter(({ cents }) => cents !== null);
    const known = await requestsOfPayments(
      db,
      priced.map(({ id }) => id),
    );
    const fresh = priced.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return;
    const methods = (await allMethods(db)).filter(({ coin }) => networkOf(coin) === network);
    const addresses = new Map(
      (await chains.addressesNamed(fresh.map(({ addressId }) => addressId))).map((row) => [row.id, row]),
    );
    for (const payment of fresh) {
      const address = addresses.get(payment.addressId);
      const method = address && methodPaid(methods, address);
      if (!address || !method) continue;
      await inTransaction(db, async (tx) => {
        const [locked] = await chains.lockPayments(tx, [payment.id]);
        // Another server may have been first.
        if (locked?.state !== 'seen' || (await requestsOfPayments(tx, [payment.id])).has(payment.id)) return;
        if (address.purpose !== 'deposit') return chains.markPayments(tx, [payment.id], 'ours');
        if ((locked.cents ?? 0n) < method.dustCents) return chains.markPayments(tx, [payment.id], 'dust');
        return notice(tx, { payment: locked, address, method }, clock.now());
      });
    }
  }

  /**
   * Their blocks are gone. What was not credited waits again, or ends where nobody had asked for it; the requests whose
   * money was credited are given back.
   */
  async function takeBack(tx: Tx, payments: PaymentRow[]): Promise<FundingRow[]> {
    const requests = await lockRequestsPaidBy(
      tx,
      payments.map(({ id }) => id),
    );
    const now = clock.now();
    const open = requests.filter(({ status }) => status === 'pending');
    const ended = { status: 'rejected', reason: goneReason, decidedAt: now, decidedBy: byChain } as const;
    await decideRequests(
      tx,
      open.map((row) => ({ ...row, ...unconfirmed, paymentId: null, ...(!row.announced && ended) })),
    );
    await chains.giveUpClaims(
      tx,
      open.map(({ transactionid }) => transactionid),
    );
    return requests.filter(({ status }) => status === 'confirmed');
  }

  return { noticeAll, takeBack };
}
