import { type Refusal, refuse, who } from '../../platform/app-error.ts';
import type { Actor } from '../../platform/audit/audit.ts';
import { isFirstDeparted, nameOf, refuseLate } from '../../platform/second-operator.ts';
import { movement } from '../ledger/service.ts';
import { unpaid } from './paying.ts';
import { statusAfter, type WithdrawalStep } from './rules.ts';
import type { WithdrawalRow } from './store.ts';

export interface SheetFacts {
  /** The open sheets that withdrawals are on. */
  sheets: Map<string, { number: number; state: string }>;
  /** Those that a chain shows a payment for, of the ones that are to be rejected. */
  shown: Set<string>;
}

export const payouts = { kind: 'payouts', ownerId: null } as const;
export const withdrawing = (userId: string) => ({ kind: 'withdrawing', ownerId: userId }) as const;
export const wallet = (userId: string) => ({ kind: 'wallet', ownerId: userId }) as const;

/** What was held goes out when it is paid, and back to the wallet when it is rejected or cancelled. */
export function movementOf(step: WithdrawalStep, withdrawal: WithdrawalRow, at: Date) {
  if (step === 'approve') return null;
  const { userId, amountCents, transactionid, chainTxid, reason } = withdrawal;
  const held = withdrawing(userId);
  const common = { at, reference: transactionid };
  if (step === 'pay') {
    const label = 'Withdrawal';
    return movement({
      ...common,
      kind: 'payout',
      reason: chainTxid ?? '',
      postings: [
        { account: held, amountCents: -amountCents, label },
        { account: payouts, amountCents, label },
      ],
    });
  }
  const label = 'Withdrawal Returned';
  return movement({
    ...common,
    kind: 'withdrawal-returned',
    ...(reason && { reason }),
    postings: [
      { account: held, amountCents: -amountCents, label },
      { account: wallet(userId), amountCents, label },
    ],
  });
}

/** Paying aside, which depends on what the chains show. */
export function afterStep(
  command: { step: WithdrawalStep; actor: Actor; reason: string | null },
  withdrawal: WithdrawalRow,
  { now, because }: { now: Date; because: string | null },
): WithdrawalRow {
  const status = statusAfter(command.step, withdrawal.status) ?? withdrawal.status;
  const by = nameOf(command.actor);
  if (because) {
    return { ...withdrawal, firstApprovedAt: now, firstApprovedBy: by, secondBecause: because };
  }
  if (command.step === 'approve') return { ...withdrawal, status, approvedAt: now, approvedBy: by };
  return { ...withdrawal, status, reason: command.reason, endedAt: now, endedBy: by };
}

/** What somebody approved first, or said to be paid, who is an operator no more waits as if nobody had. */
export function withoutDeparted(withdrawal: WithdrawalRow, departed: ReadonlySet<string>): WithdrawalRow {
  const { status, firstApprovedBy, firstPaidBy } = withdrawal;
  if (isFirstDeparted(firstPaidBy, departed)) return { ...withdrawal, ...unpaid };
  if (status !== 'requested' || !isFirstDeparted(firstApprovedBy, departed)) return withdrawal;
  return { ...withdrawal, firstApprovedAt: null, firstApprovedBy: null, secondBecause: null };
}

/** What may be on its way to the investor does not go back to the wallet. */
export function refuseRejecting(
  { id, firstPaidBy }: WithdrawalRow,
  { sheets, shown }: SheetFacts,
): Refusal | null {
  const sheet = sheets.get(id);
  if (sheet) {
    const how = sheet.state === 'made' ? 'Discard that first.' : 'Two operators have to release that first.';
    return refuse('already_decided', `This withdrawal is on payout sheet ${sheet.number}. ${how}`);
  }
  if (shown.has(id)) {
    const text = 'Its chain shows a payment for this withdrawal, from a sheet that was released.';
    return refuse('already_decided', `${text} It is marked as paid by itself once it is confirmed.`);
  }
  if (!firstPaidBy) return null;
  const text = `${who} says that this withdrawal was paid. Drop that first.`;
  return refuse('already_decided', text, { by: firstPaidBy });
}

export function actionOf({ status, firstPaidBy }: WithdrawalRow): string {
  if (status === 'requested') return 'withdrawal.approved-first';
  return status === 'approved' && firstPaidBy ? 'withdrawal.paid-first' : `withdrawal.${status}`;
}

/** Who comes second is told what happened already; an operator also by whom. */
export function refuseStep({ status, approvedBy, endedBy }: WithdrawalRow, toOperator: boolean) {
  if (status === 'requested') return refuse('already_decided', 'This withdrawal is not approved yet.');
  const decided = `This withdrawal was ${status}`;
  if (!toOperator) return refuse('already_decided', `${decided} already.`);
  if (status === 'cancelled') return refuse('already_decided', `${decided} already, by the investor.`);
  return refuseLate(decided, endedBy ?? approvedBy);
}
