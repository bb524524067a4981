import { spelledTxid } from '@tallystick/contract/chain';
import { networkOf } from '@tallystick/contract/networks';
import { refuse } from '../../platform/app-error.ts';
import { type Actor, writeAuditAll } from '../../platform/audit/audit.ts';
import { dayMs } from '../../platform/clock.ts';
import type { Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import { departedAmong, nameOf, refuseLate } from '../../platform/second-operator.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import { type Ledger, type MoneyCommand, movement } from '../ledger/service.ts';
import type { Networks } from '../networks/service.ts';
import type { Users } from '../users/service.ts';
import { frozenAmong } from './freeze-store.ts';
import { letterAbout } from './letters.ts';
import {
  claimOf,
  countApproval,
  type OutgoingFacts,
  payoutOf,
  refuseOutgoing,
  whyTwoApprove,
} from './outgoing.ts';
import { addressKey, statusAfter, type WithdrawalStep } from './rules.ts';
import { approvedAlone, approvedFor, approvedTo, destinationsOf } from './step-store.ts';
import { lockWithdrawals, updateWithdrawals, type WithdrawalRow } from './store.ts';

interface StepsNeeds {
  ledger: Ledger;
  users: Users;
  bounds: BoundsRegister;
  networks: Networks;
}

interface Step extends MoneyCommand {
  step: WithdrawalStep;
  withdrawalId: string;
  actor: Actor;
  /** Whose it must be, when an investor asks. */
  userId: string | null;
  chainTxid: string | null;
  chainOutput: number | null;
  reason: string | null;
}

interface Facts extends OutgoingFacts {
  withdrawals: Map<string, WithdrawalRow>;
  /** Operators no more: what they approved first does not count. */
  departed: Set<string>;
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

function afterStep(
  command: Step,
  withdrawal: WithdrawalRow,
  { now, because }: { now: Date; because: string | null },
): WithdrawalRow {
  const status = statusAfter(command.step, withdrawal.status) ?? withdrawal.status;
  const by = nameOf(command.actor);
  if (because) {
    return { ...withdrawal, firstApprovedAt: now, firstApprovedBy: by, secondBecause: because };
  }
  if (command.step === 'approve') return { ...withdrawal, status, approvedAt: now, approvedBy: by };
  const { chainTxid, chainOutput, reason } = command;
  return { ...withdrawal, status, chainTxid, chainOutput, reason, endedAt: now, endedBy: by };
}

/** What was first approved by somebody who is an operator no more waits as if nobody had. */
function withoutDeparted(withdrawal: WithdrawalRow, departed: ReadonlySet<string>): WithdrawalRow {
  if (withdrawal.status !== 'requested' || !departed.has(withdrawal.firstApprovedBy ?? '')) return withdrawal;
  return { ...withdrawal, firstApprovedAt: null, firstApprovedBy: null, secondBecause: null };
}

/** Who comes second is told what happened already; an operator also by whom. */
function refuseStep({ status, approvedBy, endedBy }: WithdrawalRow, toOperator: boolean) {
  if (status === 'requested') return refuse('already_decided', 'This withdrawal is not approved yet.');
  const decided = `This withdrawal was ${status}`;
  if (!toOperator) return refuse('already_decided', `${decided} already.`);
  if (status === 'cancelled') return refuse('already_decided', `${decided} already, by the investor.`);
  return refuseLate(decided, endedBy ?? approvedBy);
}

/** The steps of a withdrawal after it was asked for. Each is taken once, however often and by whomever it is pressed. */
export function createSteps({ ledger, users, bounds, networks }: StepsNeeds) {
  /** One at a time decides about an investor, an address, an operator or a payment: what it reads of the day stays so. */
  async function readAndLock(tx: Tx, commands: Step[], now: Date): Promise<Facts> {
    const ids = [...new Set(commands.map(({ withdrawalId }) => withdrawalId))];
    const known = new Map((await destinationsOf(tx, ids)).map((each) => [each.id, each]));
    const userIds = [...new Set([...known.values()].map(({ userId }) => userId))];
    const addresses = [...new Set([...known.values()].map(({ address }) => addressKey(address)))];
    const operators = [...new Set(commands.map(({ actor }) => nameOf(actor)))];
    const txids = commands.flatMap(({ withdrawalId, chainTxid }) => {
      const network = networkOf(known.get(withdrawalId)?.network ?? '');
      return (network && chainTxid && spelledTxid(network, chainTxid)) || [];
    });
    await lockNames(tx, [
      ...txids.map((txid) => `payment ${txid}`),
      ...userIds.map((id) => `payouts of ${id}`),
      ...addresses.map((address) => `payouts to ${address}`),
      ...operators.map((id) => `payouts by ${id}`),
    ]);
    const rows = await lockWithdrawals(tx, ids);
    const since = new Date(now.getTime() - dayMs);
    return {
      withdrawals: new Map(rows.map((row) => [row.id, row])),
      frozenBecause: await ledger.frozenBecause({ tx }),
      frozenInvestors: await frozenAmong(tx, userIds),
      thresholdCents: (await bounds.bounds({ tx })).thresholdCents,
      ofInvestor: await approvedFor(tx, userIds, since),
      toAddress: await approvedTo(tx, addresses, since),
      byOperator: await approvedAlone(tx, operators, since),
      claims: Map.groupBy(await networks.claimsOf(tx, txids), ({ txid }) => txid),
      departed: await departedAmong(
        tx,
        rows.map(({ firstApprovedBy }) => firstApprovedBy),
      ),
    };
  }

  const take = ledger.verb<Step, Facts, Taken>({
    bodyOf: ({ step, withdrawalId, chainTxid, chainOutput, reason, actor }) => [
      ...[step, withdrawalId, chainTxid, chainOutput, reason, nameOf(actor)],
    ],
    async read(tx, commands, { now, openBook }) {
      const facts = await readAndLock(tx, commands, await now());
      const accounts = [...facts.withdrawals.values()].flatMap(({ userId }) => [
        withdrawing(userId),
        wallet(userId),
        payouts,
      ]);
      return { facts, book: await openBook(accounts) };
    },
    decide({ command, facts, book, now }) {
      const { withdrawalId, userId, actor } = command;
      const known = facts.withdrawals.get(withdrawalId);
      if (!known || (userId !== null && known.userId !== userId)) return nobodysWithdrawal;
      const withdrawal = withoutDeparted(known, facts.departed);
      const isFirst = command.step === 'approve' && withdrawal.firstApprovedBy === null;
      const because = isFirst ? whyTwoApprove(withdrawal, actor, facts) : null;
      if (!statusAfter(command.step, withdrawal.status)) return refuseStep(withdrawal, userId === null);
      const refused = refuseOutgoing(command, withdrawal, facts);
      if (refused) return refused;
      const { chainTxid, chainOutput } = command;
      const payout = chainTxid === null ? null : payoutOf({ chainTxid, chainOutput }, withdrawal, facts);
      if (payout && 'refused' in payout) return payout;
      const step = { ...command, ...(payout && { chainTxid: payout.txid }) };
      const next = afterStep(step, withdrawal, { now, because });
      const moved = movementOf(step, withdrawal, now);
      if (moved && book.post(moved) === 'short')
        throw new Error(`withdrawal ${withdrawal.id} is not covered`);
      facts.withdrawals.set(withdrawalId, next);
      if (command.step === 'approve' && next.status === 'approved') countApproval(next, facts);
      return { row: { withdrawal: next, step: command.step, actor } };
    },
    async write(tx, taken, now) {
      await updateWithdrawals(
        tx,
        taken.map(({ withdrawal }) => withdrawal),
      );
      await networks.claim(
        tx,
        taken.flatMap(({ withdrawal }) => claimOf(withdrawal) ?? []),
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
          chainOutput: withdrawal.chainOutput,
          reason: withdrawal.reason,
          because: withdrawal.secondBecause,
        },
      }));
      await writeAuditAll(tx, entries, now);
      // What moves money is told of by the journal.
      const told = taken.filter(({ withdrawal }) => withdrawal.status === 'approved');
      await users.writeTo({ tx, letters: told.map(({ withdrawal }) => letterAbout(withdrawal, now)) });
    },
  });

  type ByOperator = Pick<Step, 'withdrawalId' | 'actor' | 'idempotencyKey'>;
  const operator = { scope: 'operator', userId: null, chainTxid: null, chainOutput: null, reason: null };
  const withdrawalOf = async (command: Step): Promise<WithdrawalRow> => (await take(command)).withdrawal;

  return {
    approveWithdrawal: (command: ByOperator) => withdrawalOf({ ...operator, ...command, step: 'approve' }),

    markWithdrawalPaid: (command: ByOperator & { chainTxid: string; chainOutput?: number | null }) =>
      withdrawalOf({ ...operator, ...command, chainOutput: command.chainOutput ?? null, step: 'pay' }),

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
