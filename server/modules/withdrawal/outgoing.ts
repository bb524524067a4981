import { whyTwo } from '@tallystick/contract/bounds';
import { hasOutputs, isSameOutput, outputRefusal, spelledTxid, txidForm } from '@tallystick/contract/chain';
import type { Cents } from '@tallystick/contract/money';
import { networkOf } from '@tallystick/contract/networks';
import { type Refusal, refuse } from '../../platform/app-error.ts';
import type { Actor } from '../../platform/audit/audit.ts';
import { nameOf, refuseTwice } from '../../platform/second-operator.ts';
import type { Claim } from '../networks/service.ts';
import { addressKey, type WithdrawalStep } from './rules.ts';
import type { WithdrawalRow } from './store.ts';

/** What is known when money is about to go out. */
export interface OutgoingFacts {
  frozenBecause: string | null;
  frozenInvestors: Map<string, string>;
  /** Above it two operators approve. */
  thresholdCents: Cents;
  /** What was approved within the last day: many small ones are one large one. */
  ofInvestor: Map<string, Cents>;
  toAddress: Map<string, Cents>;
  byOperator: Map<string, Cents>;
}

/** What keeps money from going out although the step itself would be possible; what a chain shows has gone out. */
export function refuseOutgoing(
  { step, actor, shown }: { step: WithdrawalStep; actor: Actor; shown: object | null },
  withdrawal: WithdrawalRow,
  facts: OutgoingFacts,
): Refusal | null {
  if ((step !== 'approve' && step !== 'pay') || shown !== null) return null;
  if (facts.frozenBecause) {
    return refuse('withdrawals_frozen', `Withdrawals are frozen: ${facts.frozenBecause}.`);
  }
  const frozenAlone = facts.frozenInvestors.get(withdrawal.userId);
  if (frozenAlone) return refuse('withdrawals_frozen', `This investor is frozen: ${frozenAlone}`);
  return step === 'approve' ? refuseTwice(withdrawal.firstApprovedBy, nameOf(actor), 'approved') : null;
}

/** Why an approval is only the first of two; null when it is enough. */
export function whyTwoApprove(
  withdrawal: WithdrawalRow,
  actor: Actor,
  { ofInvestor, toAddress, byOperator, thresholdCents }: OutgoingFacts,
): string | null {
  return whyTwo({
    amountCents: withdrawal.amountCents,
    sums: [
      { of: 'investor', cents: ofInvestor.get(withdrawal.userId) ?? 0n },
      { of: 'destination', cents: toAddress.get(addressKey(withdrawal.address)) ?? 0n },
      { of: 'operator', cents: byOperator.get(nameOf(actor)) ?? 0n },
    ],
    thresholdCents,
  });
}

/** An approval counts for those that are decided after it, in the same batch as well. */
export function countApproval(withdrawal: WithdrawalRow, facts: OutgoingFacts): void {
  const add = (sums: Map<string, Cents>, who: string) =>
    sums.set(who, (sums.get(who) ?? 0n) + withdrawal.amountCents);
  add(facts.ofInvestor, withdrawal.userId);
  add(facts.toAddress, addressKey(withdrawal.address));
  if (withdrawal.firstApprovedBy === null && withdrawal.approvedBy)
    add(facts.byOperator, withdrawal.approvedBy);
}

/**
 * The transaction that a withdrawal was paid with. One pays one withdrawal; only on Bitcoin may it pay several, each
 * with an output of its own.
 */
export function payoutOf(
  { chainTxid: typed, chainOutput }: { chainTxid: string; chainOutput: number | null },
  withdrawal: WithdrawalRow,
  allClaims: Map<string, Claim[]>,
): Claim | Refusal {
  const network = networkOf(withdrawal.network);
  if (!network) return refuse('outside_range', 'The network of this way out is not known.');
  const txid = spelledTxid(network, typed);
  if (!txid) return refuse('outside_range', txidForm(network));
  if (chainOutput !== null && !hasOutputs(network)) {
    return refuse('outside_range', outputRefusal);
  }
  const { transactionid } = withdrawal;
  const claims = (allClaims.get(txid) ?? []).filter(
    (claim) => claim.network === network && claim.transactionid !== transactionid,
  );
  const earlier = claims.find(({ use, output }) => use === 'payout' && isSameOutput(output, chainOutput));
  if (earlier) {
    const text = earlier.final ? 'has paid another withdrawal' : 'is said to have paid another withdrawal';
    return refuse('already_decided', `This transaction ${text}, ${earlier.transactionid}.`);
  }
  const deposit = claims.find(({ use }) => use === 'deposit');
  if (deposit) {
    return refuse('already_decided', `This transaction is a deposit, ${deposit.transactionid}.`);
  }
  return { network, txid, output: chainOutput, use: 'payout', transactionid, final: true };
}

/** The payment that a withdrawal was paid with has its use; until a second operator has said so it can be given up. */
export function claimOf({
  status,
  network,
  chainTxid,
  chainOutput,
  transactionid,
}: WithdrawalRow): Claim | null {
  if (chainTxid === null) return null;
  const final = status === 'paid';
  return { network, txid: chainTxid, output: chainOutput, use: 'payout', transactionid, final };
}
