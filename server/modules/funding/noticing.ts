import { randomUUIDv7 } from 'node:crypto';
import { isSameOutput } from '@tallystick/contract/chain';
import { type Network, networkNameOf, networkOf, networks } from '@tallystick/contract/networks';
import { writeAuditAll } from '../../platform/audit/audit.ts';
import { unitsToDecimal } from '../../platform/chains/units.ts';
import type { Clock } from '../../platform/clock.ts';
import { isDatabaseAway } from '../../platform/postgres/away.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import { newTransactionId } from '../ledger/service.ts';
import type { AddressRow, Claim, Networks, PaymentRow } from '../networks/service.ts';
import type { Users } from '../users/service.ts';
import { auditOf, byChain, unconfirmed } from './decided.ts';
import { letterAboutSeen } from './letters.ts';
import { allMethods, type PaymentMethodRow } from './method-store.ts';
import { isDust, methodPaid, requestsOf } from './rules.ts';
import {
  attachPayment,
  decideRequests,
  type FundingRow,
  insertRequests,
  lockRequestsNamed,
  lockRequestsPaidBy,
  lockWaitingAt,
  type PayableRow,
  requestsOfPayments,
  unasked,
  waitingAt,
} from './store.ts';

interface NoticingNeeds {
  db: Db;
  clock: Clock;
  users: Users;
  networks: Networks;
}

const actor = { kind: 'system' } as const;
const goneReason = 'The network has taken this payment back. If it comes again, it is added.';

interface Noticed {
  payment: PaymentRow;
  address: AddressRow;
  method: PaymentMethodRow;
  /** All ways in of its network: a request keeps its own, and its address, also when that has another key by now. */
  methodIds: string[];
}

const isOf = (claim: Claim, { network, txid, output }: PaymentRow) =>
  claim.network === network && claim.txid === txid && isSameOutput(claim.output, output);

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
  /** The chain says whose it is: what a first operator named by hand is not waited for any more. */
  async function dropNamed(tx: Tx, claims: Claim[], now: Date): Promise<void> {
    const ids = claims.filter(({ use }) => use === 'deposit').map(({ transactionid }) => transactionid);
    if (ids.length === 0) return;
    const rows = await lockRequestsNamed(tx, ids);
    const dropped = rows.map((row) => ({ ...row, ...unconfirmed }));
    await decideRequests(tx, dropped);
    await chains.giveUpClaims(tx, ids);
    const entries = rows.map((row) =>
      auditOf('funding.confirmation-dropped', { row, actor, firstConfirmedBy: row.firstConfirmedBy }),
    );
    await writeAuditAll(tx, entries, now);
  }

  /** The request that it belongs to; without a price only one that waits for it, as nobody knows whether it counts. */
  async function requestOf(tx: Tx, noticed: Noticed, ownerId: string, now: Date) {
    const { payment, address, methodIds } = noticed;
    const [known] = await lockRequestsPaidBy(tx, [payment.id]);
    if (known) return known;
    const waiting = await lockWaitingAt(tx, { ownerId, methodIds, address: address.address });
    if (waiting) {
      await attachPayment(tx, { ...waiting, paymentId: payment.id });
      return waiting;
    }
    if (payment.cents === null) return null;
    const made = requestFor(noticed, ownerId, now);
    await insertRequests(tx, [made]);
    return made;
  }

  async function notice(tx: Tx, noticed: Noticed, ownerId: string): Promise<void> {
    const { payment, address, method } = noticed;
    const now = clock.now();
    const { network, txid } = payment;
    const claims = (await chains.claimsOf(tx, [txid])).filter((claim) => isOf(claim, payment));
    const final = claims.find((claim) => claim.final);
    if (final) {
      // Two operators have credited it before the chain was read; from now on the chain is watched for it. What else is
      // in a transaction that they took for one payment is listed for them.
      const [credited] = await lockRequestsNamed(tx, [final.transactionid]);
      if (credited?.userId === ownerId) await chains.markPayments(tx, [payment.id], 'credited');
      return;
    }
    await dropNamed(tx, claims, now);
    const request = await requestOf(tx, noticed, ownerId, now);
    if (!request || payment.cents === null) return;
    await chains.markUsed(tx, [address.id], now);
    if (!payment.noticedAt) {
      const needed = method.confirmations ?? networks[network].confirmations;
      await users.writeTo({
        tx,
        letters: [letterAboutSeen(request, payment, { network: networkNameOf(method.network), needed, now })],
      });
    }
    await chains.markNoticed(tx, payment.id, now);
  }

  /** Whoever closes the account counts what is under way before: it is there to be counted, or they have left. */
  async function isStillOf(tx: Tx, { id, ownerId }: AddressRow): Promise<boolean> {
    await lockNames(tx, [requestsOf(ownerId ?? '')]);
    const [now] = await chains.addressesNamed([id], tx);
    return now?.ownerId === ownerId;
  }

  /** Too little to be credited; a request that it was taken for waits again. */
  async function setAside(tx: Tx, payment: PaymentRow): Promise<void> {
    const rows = await lockRequestsPaidBy(tx, [payment.id]);
    for (const row of rows) await attachPayment(tx, { ...row, paymentId: null });
    await chains.markPayments(tx, [payment.id], 'dust');
  }

  async function noticeOne(noticed: Noticed): Promise<void> {
    const { payment, address, method } = noticed;
    const { ownerId } = address;
    await inTransaction(db, async (tx) => {
      // As whoever names it by hand does, and in the same order.
      await lockNames(tx, [`payment ${payment.txid}`]);
      const [locked] = await chains.lockPayments(tx, [payment.id]);
      // Another server may have been first.
      if (locked?.state !== 'seen') return;
      if (address.purpose !== 'deposit') return chains.markPayments(tx, [payment.id], 'ours');
      if (locked.cents !== null && isDust(locked.cents, method)) return setAside(tx, locked);
      if (ownerId && (await isStillOf(tx, address)))
        await notice(tx, { ...noticed, payment: locked }, ownerId);
    });
  }

  async function noticeAll(network: Network): Promise<void> {
    const open = await chains.openPayments({ network });
    const known = await requestsOfPayments(
      db,
      open.map(({ id }) => id),
    );
    const fresh = open.filter(({ id, cents, noticedAt }) =>
      known.has(id) ? cents !== null && noticedAt === null : true,
    );
    if (fresh.length === 0) return;
    const methods = (await allMethods(db)).filter(({ coin }) => networkOf(coin) === network);
    const addresses = new Map(
      (await chains.addressesNamed(fresh.map(({ addressId }) => addressId))).map((row) => [row.id, row]),
    );
    const methodIds = methods.map(({ id }) => id);
    const all = fresh.flatMap((payment): Noticed[] => {
      const address = addresses.get(payment.addressId);
      const method = address && methodPaid(methods, address);
      return address && method ? [{ payment, address, method, methodIds }] : [];
    });
    const isSmall = ({ payment, address, method }: Noticed) =>
      address.purpose === 'deposit' && payment.cents !== null && isDust(payment.cents, method);
    // Anybody can send thousands that are worth next to nothing: those that no request waits for are one statement.
    const small = all.filter((each) => isSmall(each) && !known.has(each.payment.id));
    for (const [dustCents, theirs] of Map.groupBy(small, ({ method }) => method.dustCents)) {
      await chains.setAside(
        theirs.map(({ payment }) => payment.id),
        dustCents,
      );
    }
    const others = new Set(all).difference(new Set(small));
    await noticeEach([...others]);
  }

  /** One that cannot be noticed holds up none of the others. */
  async function noticeEach(all: Noticed[]): Promise<void> {
    const unpriced = all.filter(({ payment }) => payment.cents === null);
    const waiting = await waitingAt(
      db,
      unpriced.map(({ address }) => address.address),
    );
    let failed: Error | null = null;
    for (const each of all) {
      const { payment, address } = each;
      if (address.purpose === 'deposit') {
        // Nobody's: it stays listed until two operators say whose it is.
        if (address.ownerId === null) continue;
        // Nobody knows what it is worth, and nobody waits for it.
        if (payment.cents === null && !waiting.has(`${address.ownerId} ${address.address}`)) continue;
      }
      await noticeOne(each).catch((error: Error) => {
        if (isDatabaseAway(error)) throw error;
        failed ??= error;
      });
    }
    if (failed) throw failed;
  }

  /** Of these payments, the requests that were credited, by the chain or by hand. */
  async function creditedFor(tx: Tx, payments: PaymentRow[]): Promise<FundingRow[]> {
    const credited = payments.filter(({ state }) => state === 'credited');
    const claims = await chains.claimsOf(
      tx,
      credited.map(({ txid }) => txid),
    );
    const theirs = claims.filter((claim) => claim.final && credited.some((payment) => isOf(claim, payment)));
    if (theirs.length === 0) return [];
    return lockRequestsNamed(
      tx,
      theirs.map(({ transactionid }) => transactionid),
    );
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
    return creditedFor(tx, payments);
  }

  return { noticeAll, takeBack };
}
