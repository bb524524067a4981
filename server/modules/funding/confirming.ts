import { whyTwo } from '@tallystick/contract/bounds';
import { spelledTxid } from '@tallystick/contract/chain';
import type { Cents } from '@tallystick/contract/money';
import { type Network, networkIds, networkOf } from '@tallystick/contract/networks';
import { type Actor, writeAuditAll } from '../../platform/audit/audit.ts';
import { dayMs } from '../../platform/clock.ts';
import type { Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import { departedAmong, isFirstDeparted, nameOf, stillWaiting } from '../../platform/second-operator.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import { type Ledger, type MoneyCommand, type Movement, movement } from '../ledger/service.ts';
import type { Networks } from '../networks/service.ts';
import { auditOf, claimOf, type Decided, unconfirmed, words } from './decided.ts';
import { confirmedAlone, confirmedFor, ownersOf } from './decision-store.ts';
import { allMethods } from './method-store.ts';
import {
  type NamedFacts,
  type NamedPayment,
  paymentOf,
  refuseClaimed,
  refuseSecond,
  refuseSeen,
  seenAs,
  whyUnseen,
} from './naming.ts';
import { decideRequests, type FundingRow, lockRequests } from './store.ts';

interface Confirm extends MoneyCommand {
  requestId: string;
  receivedCents: Cents;
  chainTxid: string;
  chainOutput: number | null;
  actor: Actor;
}

export interface ConfirmingNeeds {
  ledger: Ledger;
  bounds: BoundsRegister;
  networks: Networks;
}

interface Confirmed extends Decided {
  /** The request without its first confirmation, which was somebody's who is an operator no more. */
  dropped: FundingRow | null;
}

interface Facts extends NamedFacts {
  requests: Map<string, FundingRow>;
  /** Of the payment methods: a payment is told apart by what its method's network says, not by what is typed. */
  networkOfMethod: Map<string, Network | null>;
  thresholdCents: Cents;
  /** What was confirmed within the last day, for each investor and by each operator alone. */
  ofInvestor: Map<string, Cents>;
  byOperator: Map<string, Cents>;
  /** Operators no more: what they confirmed first does not count. */
  departed: Set<string>;
}

export const wallet = (userId: string) => ({ kind: 'wallet', ownerId: userId }) as const;
export const clearing = (methodId: string) => ({ kind: 'clearing', ownerId: methodId }) as const;

/** The movement that a deposit is. */
export function deposit(request: FundingRow, receivedCents: Cents, at: Date): Movement {
  const label = request.paymentname;
  return movement({
    kind: 'deposit',
    transactionid: request.transactionid,
    at,
    postings: [
      { account: clearing(request.methodId), amountCents: -receivedCents, label },
      { account: wallet(request.userId), amountCents: receivedCents, label },
    ],
  });
}

const addTo = (sums: Map<string, Cents>, who: string, cents: Cents) =>
  sums.set(who, (sums.get(who) ?? 0n) + cents);

/** Alone or as the second it is credited; as the first of two it waits. */
function confirmed(
  request: FundingRow,
  payment: NamedPayment,
  { facts, by, now }: { facts: Facts; by: string; now: Date },
): FundingRow {
  const isSecond = request.firstConfirmedBy !== null;
  const because = isSecond
    ? null
    : (whyUnseen(facts, payment) ??
      whyTwo({
        amountCents: payment.receivedCents,
        askedCents: request.amountCents,
        sums: [
          { of: 'investor', cents: facts.ofInvestor.get(request.userId) ?? 0n },
          { of: 'operator', cents: facts.byOperator.get(by) ?? 0n },
        ],
        thresholdCents: facts.thresholdCents,
      }));
  if (because) {
    return {
      ...request,
      ...payment,
      firstConfirmedBy: by,
      firstConfirmedAt: now,
      secondBecause: because,
    };
  }
  addTo(facts.ofInvestor, request.userId, payment.receivedCents);
  if (!isSecond) addTo(facts.byOperator, by, payment.receivedCents);
  const paymentId = request.paymentId ?? seenAs(facts, payment)?.id ?? null;
  return { ...request, ...payment, paymentId, status: 'confirmed', decidedAt: now, decidedBy: by };
}

/** Crediting what arrived: by one operator, or by two who entered the same. */
export function createConfirming({ ledger, bounds, networks: chains }: ConfirmingNeeds) {
  async function readForConfirming(tx: Tx, commands: Confirm[], now: Date): Promise<Facts> {
    const ids = [...new Set(commands.map(({ requestId }) => requestId))];
    const owners = new Map((await ownersOf(tx, ids)).map((owner) => [owner.id, owner]));
    const networkOfMethod = new Map((await allMethods(tx)).map(({ id, coin }) => [id, networkOf(coin)]));
    const networkFor = (id: string) => networkOfMethod.get(owners.get(id)?.methodId ?? '') ?? null;
    const txids = commands.flatMap(({ requestId, chainTxid }) => {
      const network = networkFor(requestId);
      const spelled = network && spelledTxid(network, chainTxid);
      return spelled ? [spelled] : [];
    });
    const userIds = [...new Set([...owners.values()].map(({ userId }) => userId))];
    const operators = [...new Set(commands.map(({ actor }) => nameOf(actor)))];
    await lockNames(tx, [
      ...txids.map((txid) => `payment ${txid}`),
      ...userIds.map((id) => `deposits of ${id}`),
      ...operators.map((id) => `deposits by ${id}`),
    ]);
    const requests = await lockRequests(tx, ids);
    const since = new Date(now.getTime() - dayMs);
    const seen = await chains.paymentsOf(txids, tx);
    const addresses = await chains.addressesNamed(
      seen.map(({ addressId }) => addressId),
      tx,
    );
    return {
      requests: new Map(requests.map((request) => [request.id, request])),
      claims: Map.groupBy(await chains.claimsOf(tx, txids), ({ txid }) => txid),
      seen: Map.groupBy(seen, ({ txid }) => txid),
      ownerless: new Set(addresses.filter(({ ownerId }) => ownerId === null).map(({ id }) => id)),
      watched: new Set(networkIds.filter(chains.isWatched)),
      networkOfMethod,
      thresholdCents: (await bounds.bounds({ tx })).thresholdCents,
      ofInvestor: await confirmedFor(tx, userIds, since),
      byOperator: await confirmedAlone(tx, operators, since),
      departed: await departedAmong(
        tx,
        requests.map(({ firstConfirmedBy }) => firstConfirmedBy),
      ),
    };
  }

  /** What a first confirmation named was claimed then. */
  async function writeClaims(tx: Tx, all: Confirmed[]): Promise<void> {
    const named = (those: Confirmed[]) => those.map(({ row }) => row.transactionid);
    const hasClaim = ({ row, dropped }: Confirmed) =>
      row.status === 'confirmed' && row.firstConfirmedBy !== null && !dropped;
    await chains.giveUpClaims(tx, named(all.filter(({ dropped }) => dropped)));
    await chains.makeFinal(tx, named(all.filter(hasClaim)));
    await chains.claim(
      tx,
      all.filter((each) => !hasClaim(each)).map(({ row }) => claimOf(row)),
    );
    const credited = all.filter(({ row }) => row.status === 'confirmed');
    await chains.markPayments(
      tx,
      credited.flatMap(({ row }) => row.paymentId ?? []),
      'credited',
    );
  }

  const confirm = ledger.verb<Confirm, Facts, Confirmed>({
    bodyOf: ({ requestId, receivedCents, chainTxid, chainOutput, actor }) => [
      'confirm',
      requestId,
      String(receivedCents),
      chainTxid,
      chainOutput,
      nameOf(actor),
    ],
    async read(tx, commands, { now, openBook }) {
      const facts = await readForConfirming(tx, commands, await now());
      const accounts = [...facts.requests.values()].flatMap(({ userId, methodId }) => [
        wallet(userId),
        clearing(methodId),
      ]);
      return { facts, book: await openBook(accounts) };
    },
    decide({ command, facts, book, now }) {
      const found = stillWaiting(facts.requests.get(command.requestId), words);
      if ('refused' in found) return found;
      const known = found.row;
      const isDropped = isFirstDeparted(known.firstConfirmedBy, facts.departed);
      const request = isDropped ? { ...known, ...unconfirmed } : known;
      const network = facts.networkOfMethod.get(request.methodId) ?? null;
      const payment = paymentOf(command, network, request);
      if ('refused' in payment) return payment;
      const by = nameOf(command.actor);
      const refused =
        refuseSecond(request, payment, by) ??
        refuseClaimed(facts, request, payment) ??
        refuseSeen(facts, request, payment);
      if (refused) return refused;
      const row = confirmed(request, payment, { facts, by, now });
      const isCredited = row.status === 'confirmed';
      if (isCredited) book.post(deposit(row, payment.receivedCents, now));
      facts.requests.set(row.id, row);
      const claims = facts.claims.get(payment.chainTxid) ?? [];
      facts.claims.set(payment.chainTxid, [...claims, claimOf(row)]);
      const dropped = isDropped ? request : null;
      return { row: { row, actor: command.actor, firstConfirmedBy: request.firstConfirmedBy, dropped } };
    },
    async write(tx, all, now) {
      // What does not count any more is taken back first: the database credits nothing but what the first has entered.
      await decideRequests(
        tx,
        all.flatMap(({ row, dropped }) => (dropped ? [dropped, row] : [row])),
      );
      await writeClaims(tx, all);
      const entries = all.map((each) =>
        auditOf(each.row.status === 'confirmed' ? 'funding.confirmed' : 'funding.confirmed-first', each),
      );
      await writeAuditAll(tx, entries, now);
    },
  });

  /** Credits what really arrived, which need not be what was announced; beyond the bounds when two have said so. */
  return async (command: Omit<Confirm, 'scope'>): Promise<FundingRow> =>
    (await confirm({ ...command, scope: 'operator' })).row;
}
