import { type Actor, writeAuditAll } from '../../platform/audit.ts';
import { type Ledger, type MoneyCommand, movement, refuse } from '../ledger/service.ts';
import type { Users } from '../users/service.ts';
import { thresholdOf } from './controls.ts';
import { frozenAmong } from './controls-store.ts';
import { letterAbout } from './letters.ts';
import { dayMs, needsTwo, statusAfter, type WithdrawalStep } from './rules.ts';
import {
  approvedSince,
  lockInvestors,
  lockWithdrawals,
  updateWithdrawals,
  type WithdrawalRow,
} from './store.ts';

interface Step extends MoneyCommand {
  step: WithdrawalStep;
  withdrawalId: string;
  actor: Actor;
  /** Whose it must be, when an investor asks. */
  userId: string | null;
  chainTxid: string | null;
  reason: string | null;
}

interface Facts {
  withdrawals: Map<string, WithdrawalRow>;
  frozenBecause: string | null;
  frozenInvestors: Map<string, string>;
  /** Above it two operators approve. */
  thresholdCents: bigint;
  /** What was approved for an investor within the last day: many small ones are one large one. */
  approvedTodayCents: Map<string, bigint>;
}

interface Taken {
  withdrawal: WithdrawalRow;
  step: WithdrawalStep;
  actor: Actor;
}

const payouts = { kind: 'payouts', ownerId: null } as const;
const withdrawing = (userId: string) => ({ kind: 'withdrawing', ownerId: userId }) as const;
const wallet = (userId: string) => ({ kind: 'wallet', ownerId: userId }) as const;
const nobodysWithdrawal = refuse('not_found', 'There is no such withdrawal.');

/** What was held goes out when it is paid, and back to the wallet when it is rejected or cancelled. */
function movementOf({ step, chainTxid, reason }: Step, withdrawal: WithdrawalRow, at: Date) {
  if (step === 'approve') return null;
  const { userId, amountCents, transactionid } = withdrawal;
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

/** An approval above the threshold is only the first of two, whoever lowers or raises the threshold meanwhile. */
function isFirstOfTwo({ step }: Step, withdrawal: WithdrawalRow, facts: Facts): boolean {
  if (step !== 'approve' || withdrawal.firstApprovedBy !== null) return false;
  return needsTwo(withdrawal, facts.approvedTodayCents.get(withdrawal.userId) ?? 0n, facts.thresholdCents);
}

function afterStep(
  command: Step,
  withdrawal: WithdrawalRow,
  now: Date,
  first: boolean,
): WithdrawalRow | null {
  const status = statusAfter(command.step, withdrawal.status);
  if (!status) return null;
  const by = command.actor.id ?? command.actor.kind;
  if (first) return { ...withdrawal, firstApprovedAt: now, firstApprovedBy: by };
  if (command.step === 'approve') return { ...withdrawal, status, approvedAt: now, approvedBy: by };
  const { chainTxid, reason } = command;
  return { ...withdrawal, status, chainTxid, reason, endedAt: now, endedBy: by };
}

/** What keeps money from going out although the step itself would be possible. */
function refuseOutgoing({ step, actor }: Step, withdrawal: WithdrawalRow, facts: Facts) {
  if (step !== 'approve' && step !== 'pay') return null;
  if (facts.frozenBecause) {
    return refuse('withdrawals_frozen', `Withdrawals are frozen: ${facts.frozenBecause}.`);
  }
  const frozenAlone = facts.frozenInvestors.get(withdrawal.userId);
  if (frozenAlone) return refuse('withdrawals_frozen', `This investor is frozen: ${frozenAlone}`);
  if (step === 'approve' && withdrawal.firstApprovedBy === (actor.id ?? actor.kind)) {
    return refuse('second_operator_needed', 'You have approved this. Another operator has to, as well.');
  }
  return null;
}

/** Who comes second is told what happened already; an operator also by whom. */
function refuseStep({ status, approvedBy, endedBy }: WithdrawalRow, toOperator: boolean) {
  if (status === 'requested') return refuse('already_decided', 'This withdrawal is not approved yet.');
  const by = endedBy ?? approvedBy;
  const who = toOperator && by ? `, by ${by}` : '';
  return refuse('already_decided', `This withdrawal was ${status} already${who}.`);
}

/** The steps of a withdrawal after it was asked for. Each is taken once, however often and by whomever it is pressed. */
export function createSteps({ ledger, users }: { ledger: Ledger; users: Users }) {
  const take = ledger.verb<Step, Facts, Taken>({
    bodyOf: ({ step, withdrawalId, chainTxid, reason, actor }) => [
      ...[step, withdrawalId, chainTxid, reason, actor.id ?? actor.kind],
    ],
    async read(tx, commands, now) {
      const rows = await lockWithdrawals(tx, [...new Set(commands.map(({ withdrawalId }) => withdrawalId))]);
      const userIds = [...new Set(rows.map(({ userId }) => userId))];
      await lockInvestors(tx, userIds);
      return {
        withdrawals: new Map(rows.map((row) => [row.id, row])),
        frozenBecause: await ledger.frozenBecause({ tx }),
        frozenInvestors: await frozenAmong(tx, userIds),
        thresholdCents: await thresholdOf(tx),
        approvedTodayCents: await approvedSince(tx, userIds, new Date(now.getTime() - dayMs)),
      };
    },
    accountsOf({ withdrawalId }, { withdrawals }) {
      const row = withdrawals.get(withdrawalId);
      return row ? [withdrawing(row.userId), wallet(row.userId), payouts] : [];
    },
    decide({ command, facts, book, now }) {
      const { step, withdrawalId, userId, actor } = command;
      const withdrawal = facts.withdrawals.get(withdrawalId);
      if (!withdrawal || (userId !== null && withdrawal.userId !== userId)) return nobodysWithdrawal;
      const first = isFirstOfTwo(command, withdrawal, facts);
      const next = afterStep(command, withdrawal, now, first);
      if (!next) return refuseStep(withdrawal, userId === null);
      const refused = refuseOutgoing(command, withdrawal, facts);
      if (refused) return refused;
      const moved = movementOf(command, withdrawal, now);
      if (moved && book.post(moved) === 'short')
        throw new Error(`withdrawal ${withdrawal.id} is not covered`);
      facts.withdrawals.set(withdrawalId, next);
      if (next.status === 'approved') {
        const today = facts.approvedTodayCents.get(next.userId) ?? 0n;
        facts.approvedTodayCents.set(next.userId, today + next.amountCents);
      }
      return { row: { withdrawal: next, step, actor } };
    },
    async write(tx, taken, now) {
      await updateWithdrawals(
        tx,
        taken.map(({ withdrawal }) => withdrawal),
      );
      const entries = taken.map(({ withdrawal, actor }) => ({
        actor,
        action:
          withdrawal.status === 'requested' ? 'withdrawal.approved-first' : `withdrawal.${withdrawal.status}`,
        subjectId: withdrawal.userId,
        details: {
          transactionid: withdrawal.transactionid,
          amountCents: String(withdrawal.amountCents),
          address: withdrawal.address,
          chainTxid: withdrawal.chainTxid,
          reason: withdrawal.reason,
        },
      }));
      await writeAuditAll(tx, entries, now);
      const told = taken.filter(({ withdrawal }) => withdrawal.status !== 'requested');
      await users.writeTo({ tx, letters: told.map(({ withdrawal }) => letterAbout(withdrawal, now)) });
    },
  });

  type ByOperator = Pick<Step, 'withdrawalId' | 'actor' | 'idempotencyKey'>;
  const operator = { scope: 'operator', userId: null, chainTxid: null, reason: null };
  const withdrawalOf = async (command: Step): Promise<WithdrawalRow> => {
    // An id in capitals is the same id; the database answers in small letters.
    const withdrawalId = command.withdrawalId.toLowerCase();
    return (await take({ ...command, withdrawalId })).withdrawal;
  };

  return {
    approveWithdrawal: (command: ByOperator) => withdrawalOf({ ...operator, ...command, step: 'approve' }),

    markWithdrawalPaid: (command: ByOperator & { chainTxid: string }) =>
      withdrawalOf({ ...operator, ...command, step: 'pay' }),

    rejectWithdrawal: (command: ByOperator & { reason: string }) =>
      withdrawalOf({ ...operator, ...command, step: 'reject' }),

    /** By the investor, while nobody has approved it. */
    cancelWithdrawal({
      userId,
      withdrawalId,
      idempotencyKey,
    }: Pick<Step, 'withdrawalId' | 'idempotencyKey'> & { userId: string }) {
      const actor = { kind: 'investor', id: userId } as const;
      return withdrawalOf({
        ...operator,
        scope: userId,
        userId,
        withdrawalId,
        idempotencyKey,
        actor,
        step: 'cancel',
      });
    },
  };
}
