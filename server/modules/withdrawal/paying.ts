import { isSameOutput } from '@tallystick/contract/chain';
import { type Network, networks } from '@tallystick/contract/networks';
import { type Refusal, refuse, who } from '../../platform/app-error.ts';
import type { Actor } from '../../platform/audit/audit.ts';
import { nameOf, refuseTwice } from '../../platform/second-operator.ts';
import { type Claim, confirmationsOf, type PaymentRow, type SpendRow } from '../networks/service.ts';
import { payoutOf } from './outgoing.ts';
import type { WithdrawalRow } from './store.ts';

/** Who marks as paid what a chain shows. */
export const byChain = 'chain';

/** What is known of the payments that withdrawals are said to be paid with. */
export interface PayingFacts {
  withdrawals: Map<string, WithdrawalRow>;
  /** What the transactions that are named now have paid already, by their ids. */
  claims: Map<string, Claim[]>;
  /** What the chains show, by their ids. */
  spends: Map<string, SpendRow>;
  /** How far each chain was read. */
  heights: Map<Network, { height: number }>;
  /** Transactions that are known to pay several. */
  shared: Set<string>;
  /** Withdrawals of sheets whose transaction pays several: so does whatever a wallet made of it with a higher fee. */
  sharing: Set<string>;
  /** What the chains show as paid to us, by others. */
  received: PaymentRow[];
  /** Networks whose chains are read. */
  watched: Set<Network>;
}

/** What a chain shows as a withdrawal's payment, and after how many blocks that counts. */
export interface ShownPayment {
  spendId: string;
  needed: number;
}

/** A payment that is taken for a withdrawal, and what becomes of others by that. */
export interface Paid {
  row: WithdrawalRow;
  /** Those that somebody had named a payment for which does not count any more, as before that. */
  dropped: WithdrawalRow[];
}

/** As before anybody had said that it was paid. */
export const unpaid = { chainTxid: null, chainOutput: null, firstPaidBy: null, firstPaidAt: null } as const;

const notNow = refuse('already_decided', 'This payment has its use, or is not there any more.');

/** The withdrawal's own payment, as the chain shows it: what people had named of it does not count any more. */
export function paidByChain(
  { spendId, needed }: ShownPayment,
  withdrawal: WithdrawalRow,
  { spends, heights, claims, withdrawals }: PayingFacts,
  now: Date,
): Paid | Refusal {
  const spend = spends.get(spendId);
  if (spend?.state !== 'seen') return notNow;
  const { txid, output, network } = spend;
  // As it stands now: since it was looked at it may have got into another block.
  const cursor = heights.get(network);
  if (!cursor || confirmationsOf(spend, cursor) < needed) return notNow;
  const all = claims.get(txid) ?? [];
  const same = all.filter((claim) => claim.network === network && isSameOutput(claim.output, output));
  if (same.some(({ final, use }) => final || use === 'deposit')) return notNow;
  const named = [...withdrawals.values()].filter(
    ({ id, transactionid, firstPaidBy }) =>
      firstPaidBy !== null &&
      (id === withdrawal.id || same.some((claim) => claim.transactionid === transactionid)),
  );
  const dropped = named.map((row) => ({ ...row, ...unpaid }));
  const paid = { chainTxid: txid, chainOutput: output, spendId, endedAt: now, endedBy: byChain };
  const row = { ...withdrawal, ...unpaid, ...paid, status: 'paid' as const };
  const claim = {
    network,
    txid,
    output,
    use: 'payout' as const,
    transactionid: row.transactionid,
    final: true,
  };
  claims.set(txid, [...all.filter((each) => !same.includes(each)), claim]);
  return { row, dropped };
}

/** Where the chain is read, what it does not show is two people's word; where it is not, one says so. */
export function paidByHand(
  command: { chainTxid: string; chainOutput: number | null; actor: Actor },
  known: { withdrawal: WithdrawalRow; isDropped: boolean },
  facts: PayingFacts,
  now: Date,
): Paid | Refusal {
  const { withdrawal, isDropped } = known;
  const { firstPaidBy } = withdrawal;
  const by = nameOf(command.actor);
  const twice = refuseTwice(firstPaidBy, by, 'confirmed');
  if (twice) return twice;
  const claim = payoutOf(command, withdrawal, facts.claims);
  if ('refused' in claim) return claim;
  const { txid: chainTxid, output: chainOutput } = claim;
  const isReceived = facts.received.some(
    ({ network, txid, output }) =>
      network === claim.network && txid === chainTxid && isSameOutput(output, chainOutput),
  );
  if (isReceived) return refuse('already_decided', 'This payment came to one of our own addresses.');
  if (chainOutput === null && (facts.shared.has(chainTxid) || facts.sharing.has(withdrawal.id))) {
    return refuse('outside_range', 'This transaction pays several. Say which output paid this withdrawal.');
  }
  if (
    firstPaidBy !== null &&
    (chainTxid !== withdrawal.chainTxid || chainOutput !== withdrawal.chainOutput)
  ) {
    const output = withdrawal.chainOutput === null ? '' : `, output ${withdrawal.chainOutput}`;
    return refuse(
      'already_decided',
      `${who} says that it was paid with the transaction id ${withdrawal.chainTxid}${output}. Confirm exactly that, or drop it.`,
      { by: firstPaidBy },
    );
  }
  const dropped = isDropped ? [withdrawal] : [];
  const named = { ...withdrawal, chainTxid, chainOutput };
  const isFirst = firstPaidBy === null && facts.watched.has(claim.network as Network);
  const others = (facts.claims.get(chainTxid) ?? []).filter(
    ({ transactionid }) => transactionid !== withdrawal.transactionid,
  );
  facts.claims.set(chainTxid, [...others, { ...claim, final: !isFirst }]);
  if (isFirst) return { row: { ...named, firstPaidBy: by, firstPaidAt: now }, dropped };
  return { row: { ...named, status: 'paid', endedAt: now, endedBy: by }, dropped };
}

/** Why one operator's word was not enough. */
export const whyUnshown = (network: string): string =>
  `${networks[network as Network].name} does not show exactly this payment`;
