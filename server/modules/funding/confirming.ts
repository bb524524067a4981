import { whyTwo } from '@tallystick/contract/bounds';
import { hasOutputs, isSameOutput, outputRefusal, spelledTxid, txidForm } from '@tallystick/contract/chain';
import { fundingCentsMax } from '@tallystick/contract/funding';
import { type Cents, formatUsd } from '@tallystick/contract/money';
import { type Network, networkOf } from '@tallystick/contract/networks';
import { type Refusal, refuse, who } from '../../platform/app-error.ts';
import { type Actor, writeAuditAll } from '../../platform/audit/audit.ts';
import { dayMs } from '../../platform/clock.ts';
import type { Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import { departedAmong, nameOf, refuseTwice, stillWaiting } from '../../platform/second-operator.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import { type Book, type Ledger, type MoneyCommand, movement } from '../ledger/service.ts';
import { auditOf, type Decided, unconfirmed, words } from './decided.ts';
import { type Claim, claimsOf, confirmedAlone, confirmedFor, ownersOf } from './decision-store.ts';
import { allMethods, decideRequests, type FundingRow, lockRequests } from './store.ts';

interface Confirm extends MoneyCommand {
  requestId: string;
  receivedCents: Cents;
  chainTxid: string;
  chainOutput: number | null;
  actor: Actor;
}

/** A payment on the chain, as it was entered. */
interface Payment {
  receivedCents: Cents;
  network: Network;
  chainTxid: string;
  chainOutput: number | null;
}

/** Which withdrawals were paid with one of these transactions. */
export type WithdrawalsPaidWith = (
  tx: Tx,
  txids: string[],
) => Promise<{ chainTxid: string; transactionid: string }[]>;

export interface ConfirmingNeeds {
  ledger: Ledger;
  bounds: BoundsRegister;
  withdrawalsPaidWith: WithdrawalsPaidWith;
}

interface Confirmed extends Decided {
  /** The request without its first confirmation, which was somebody's who is an operator no more. */
  dropped: FundingRow | null;
}

interface Facts {
  requests: Map<string, FundingRow>;
  /** Payments that requests hold already, by their id on the chain. */
  claims: Map<string, Claim[]>;
  /** Payments that we made ourselves, with the withdrawal that each paid. */
  paidOut: Map<string, string>;
  /** Of the payment methods: a payment is told apart by what its method's network says, not by what is typed. */
  networks: Map<string, Network | null>;
  thresholdCents: Cents;
  /** What was confirmed within the last day, for each investor and by each operator alone. */
  ofInvestor: Map<string, Cents>;
  byOperator: Map<string, Cents>;
  /** Operators no more: what they confirmed first does not count. */
  departed: Set<string>;
}

const wallet = (userId: string) => ({ kind: 'wallet', ownerId: userId }) as const;
const clearing = (methodId: string) => ({ kind: 'clearing', ownerId: methodId }) as const;

/** What was typed, as the payment that it names. */
function paymentOf(command: Confirm, network: Network | null): Payment | Refusal {
  const { receivedCents, chainOutput } = command;
  if (!network) return refuse('outside_range', 'The network of this way in is not known.');
  const chainTxid = spelledTxid(network, command.chainTxid);
  if (!chainTxid) return refuse('outside_range', txidForm(network));
  if (chainOutput !== null && !hasOutputs(network)) {
    return refuse('outside_range', outputRefusal);
  }
  if (receivedCents <= 0n || receivedCents > fundingCentsMax) {
    return refuse('outside_range', `One deposit is at most ${formatUsd(fundingCentsMax)}.`);
  }
  return { receivedCents, network, chainTxid, chainOutput };
}

/** One payment is one deposit; who names it again is told for which request it was named before. */
function refuseClaimed({ claims, paidOut }: Facts, requestId: string, payment: Payment): Refusal | null {
  const withdrawal = paidOut.get(payment.chainTxid);
  if (withdrawal) return refuse('already_decided', `This transaction has paid a withdrawal, ${withdrawal}.`);
  const same = (claims.get(payment.chainTxid) ?? []).find(
    (claim) => claim.requestId !== requestId && isSameOutput(claim.chainOutput, payment.chainOutput),
  );
  if (!same) return null;
  const text = same.isCredited
    ? `This payment was credited before, for ${same.transactionid}.`
    : `This payment waits for a second operator already, for ${same.transactionid}.`;
  return refuse('already_decided', text);
}

/** The second agrees to exactly what the first has entered. */
function refuseSecond(request: FundingRow, payment: Payment, by: string): Refusal | null {
  const { firstConfirmedBy, receivedCents, chainTxid, chainOutput } = request;
  const twice = refuseTwice(firstConfirmedBy, by, 'confirmed');
  if (firstConfirmedBy === null || twice) return twice;
  const isSame =
    receivedCents === payment.receivedCents &&
    chainTxid === payment.chainTxid &&
    chainOutput === payment.chainOutput;
  if (isSame) return null;
  const output = chainOutput === null ? '' : `, output ${chainOutput}`;
  return refuse(
    'already_decided',
    `${who} confirmed ${formatUsd(receivedCents ?? 0n)} with the transaction id ${chainTxid}${output}. ` +
      'Confirm exactly that, or drop the first confirmation.',
    { by: firstConfirmedBy },
  );
}

function credit(book: Book, request: FundingRow, receivedCents: Cents, at: Date): void {
  const label = request.paymentname;
  book.post(
    movement({
      kind: 'deposit',
      transactionid: request.transactionid,
      at,
      postings: [
        { account: clearing(request.methodId), amountCents: -receivedCents, label },
        { account: wallet(request.userId), amountCents: receivedCents, label },
      ],
    }),
  );
}

const addTo = (sums: Map<string, Cents>, who: string, cents: Cents) =>
  sums.set(who, (sums.get(who) ?? 0n) + cents);

/** Alone or as the second it is credited; as the first of two it waits. */
function confirmed(
  request: FundingRow,
  payment: Payment,
  { facts, by, now }: { facts: Facts; by: string; now: Date },
): FundingRow {
  const isSecond = request.firstConfirmedBy !== null;
  const because = isSecond
    ? null
    : whyTwo({
        amountCents: payment.receivedCents,
        askedCents: request.amountCents,
        sums: [
          { of: 'investor', cents: facts.ofInvestor.get(request.userId) ?? 0n },
          { of: 'operator', cents: facts.byOperator.get(by) ?? 0n },
        ],
        thresholdCents: facts.thresholdCents,
      });
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
  return { ...request, ...payment, status: 'confirmed', decidedAt: now, decidedBy: by };
}

/** Crediting what arrived: by one operator, or by two who entered the same. */
export function createConfirming({ ledger, bounds, withdrawalsPaidWith }: ConfirmingNeeds) {
  async function readForConfirming(tx: Tx, commands: Confirm[], now: Date): Promise<Facts> {
    const ids = [...new Set(commands.map(({ requestId }) => requestId))];
    const owners = new Map((await ownersOf(tx, ids)).map((owner) => [owner.id, owner]));
    const networks = new Map((await allMethods(tx)).map(({ id, coin }) => [id, networkOf(coin)]));
    const networkFor = (id: string) => networks.get(owners.get(id)?.methodId ?? '') ?? null;
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
    const payouts = await withdrawalsPaidWith(tx, txids);
    return {
      requests: new Map(requests.map((request) => [request.id, request])),
      claims: Map.groupBy(await claimsOf(tx, txids), ({ chainTxid }) => chainTxid),
      paidOut: new Map(payouts.map(({ chainTxid, transactionid }) => [chainTxid, transactionid])),
      networks,
      thresholdCents: (await bounds.bounds({ tx })).thresholdCents,
      ofInvestor: await confirmedFor(tx, userIds, since),
      byOperator: await confirmedAlone(tx, operators, since),
      departed: await departedAmong(
        tx,
        requests.map(({ firstConfirmedBy }) => firstConfirmedBy),
      ),
    };
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
      const isDropped = facts.departed.has(known.firstConfirmedBy ?? '');
      const request = isDropped ? { ...known, ...unconfirmed } : known;
      const payment = paymentOf(command, facts.networks.get(request.methodId) ?? null);
      if ('refused' in payment) return payment;
      const by = nameOf(command.actor);
      const refused = refuseSecond(request, payment, by) ?? refuseClaimed(facts, request.id, payment);
      if (refused) return refused;
      const row = confirmed(request, payment, { facts, by, now });
      const isCredited = row.status === 'confirmed';
      if (isCredited) credit(book, row, payment.receivedCents, now);
      facts.requests.set(row.id, row);
      const { transactionid } = row;
      const claim = { ...payment, requestId: row.id, transactionid, isCredited };
      facts.claims.set(payment.chainTxid, [...(facts.claims.get(payment.chainTxid) ?? []), claim]);
      const dropped = isDropped ? request : null;
      return { row: { row, actor: command.actor, firstConfirmedBy: request.firstConfirmedBy, dropped } };
    },
    async write(tx, all, now) {
      // What does not count any more is taken back first: the database credits nothing but what the first has entered.
      await decideRequests(
        tx,
        all.flatMap(({ row, dropped }) => (dropped ? [dropped, row] : [row])),
      );
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
