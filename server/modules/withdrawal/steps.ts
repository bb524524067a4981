import { spelledTxid } from '@tallystick/contract/chain';
import { networkIds, networkOf } from '@tallystick/contract/networks';
import { type Refusal, refuse } from '../../platform/app-error.ts';
import { type Actor, writeAuditAll } from '../../platform/audit/audit.ts';
import { dayMs } from '../../platform/clock.ts';
import type { Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import { departedAmong, nameOf } from '../../platform/second-operator.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import type { Ledger, MoneyCommand } from '../ledger/service.ts';
import type { Networks, SpendRow } from '../networks/service.ts';
import type { Users } from '../users/service.ts';
import { frozenAmong } from './freeze-store.ts';
import { letterAbout } from './letters.ts';
import { claimOf, countApproval, type OutgoingFacts, refuseOutgoing, whyTwoApprove } from './outgoing.ts';
import {
  byChain,
  type Paid,
  type PayingFacts,
  paidByChain,
  paidByHand,
  type ShownPayment,
} from './paying.ts';
import { addressKey, statusAfter, type WithdrawalStep } from './rules.ts';
import { paidTogether, sharedBySheets } from './sheets/owed-store.ts';
import { endPaid, lockSheetsOf } from './sheets/sheet-store.ts';
import { shownAmong } from './sheets/shown.ts';
import { approvedAlone, approvedFor, approvedTo, destinationsOf, idsNamed } from './step-store.ts';
import {
  actionOf,
  afterStep,
  movementOf,
  payouts,
  refuseRejecting,
  refuseStep,
  type SheetFacts,
  wallet,
  withdrawing,
  withoutDeparted,
} from './stepping.ts';
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
  /** What the chain shows as its payment. */
  shown: ShownPayment | null;
  reason: string | null;
}

interface Facts extends OutgoingFacts, PayingFacts, SheetFacts {
  /** Operators no more: what they approved first does not count. */
  departed: Set<string>;
}

interface Taken {
  withdrawal: WithdrawalRow;
  step: WithdrawalStep;
  actor: Actor;
  /** Those that somebody had named a payment for which does not count any more, as before that. */
  dropped: WithdrawalRow[];
}

const nobodysWithdrawal = refuse('not_found', 'There is no such withdrawal.');

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
    const claims = await networks.claimsOf(tx, txids);
    const spendIds = commands.flatMap(({ shown }) => shown?.spendId ?? []);
    // What people have named for them may have to give way to what the chain shows.
    const named = spendIds.length > 0 ? claims.filter(({ final }) => !final) : [];
    const namedIds = await idsNamed(
      tx,
      named.map(({ transactionid }) => transactionid),
    );
    const rows = await lockWithdrawals(tx, [...new Set([...ids, ...namedIds])]);
    const sheets = await lockSheetsOf(tx, ids, now);
    const spends = await networks.lockSpends(tx, spendIds);
    const since = new Date(now.getTime() - dayMs);
    const rejected = commands.flatMap(({ step, withdrawalId }) => (step === 'reject' ? withdrawalId : []));
    return {
      shown: await shownAmong(tx, networks, rejected),
      withdrawals: new Map(rows.map((row) => [row.id, row])),
      sheets: new Map(sheets.map((sheet) => [sheet.withdrawalId, sheet])),
      spends: new Map(spends.map((spend) => [spend.id, spend])),
      heights: spends.length > 0 ? await networks.heights(tx) : new Map(),
      shared: await sharedTxids(tx, txids),
      sharing: txids.length > 0 ? await paidTogether(tx, ids) : new Set(),
      received: (await networks.paymentsOf(txids, tx)).filter(
        ({ state }) => state !== 'ours' && state !== 'vanished',
      ),
      watched: new Set(networkIds.filter(networks.isWatched)),
      frozenBecause: await ledger.frozenBecause({ tx }),
      frozenInvestors: await frozenAmong(tx, userIds),
      thresholdCents: (await bounds.bounds({ tx })).thresholdCents,
      ofInvestor: await approvedFor(tx, userIds, since),
      toAddress: await approvedTo(tx, addresses, since),
      byOperator: await approvedAlone(tx, operators, since),
      claims: Map.groupBy(claims, ({ txid }) => txid),
      departed: await departedAmong(
        tx,
        rows.flatMap(({ firstApprovedBy, firstPaidBy }) => [firstApprovedBy, firstPaidBy]),
      ),
    };
  }

  /** Transactions that pay several, as far as that is known: by their sheets, or because the chain shows them. */
  async function sharedTxids(tx: Tx, txids: string[]): Promise<Set<string>> {
    const spends = Map.groupBy(await networks.spendsOf(tx, txids), ({ txid }) => txid);
    const shown = txids.filter((txid) => (spends.get(txid)?.length ?? 0) > 1);
    return new Set([...shown, ...(await sharedBySheets(tx, txids))]);
  }

  /** Where the step leads, and what it does to others. */
  function nextOf(command: Step, known: WithdrawalRow, facts: Facts, now: Date): Paid | Refusal {
    const { step, actor, shown, chainTxid, chainOutput } = command;
    const withdrawal = withoutDeparted(known, facts.departed);
    if (!statusAfter(step, withdrawal.status)) return refuseStep(withdrawal, command.userId === null);
    const refused = refuseOutgoing(command, withdrawal, facts);
    if (refused) return refused;
    if (shown !== null) return paidByChain(shown, known, facts, now);
    const isDropped = withdrawal.firstPaidBy !== known.firstPaidBy;
    if (step === 'pay' && chainTxid !== null) {
      return paidByHand({ actor, chainTxid, chainOutput }, { withdrawal, isDropped }, facts, now);
    }
    const rejecting = step === 'reject' ? refuseRejecting(withdrawal, facts) : null;
    if (rejecting) return rejecting;
    const isFirst = step === 'approve' && withdrawal.firstApprovedBy === null;
    const because = isFirst ? whyTwoApprove(withdrawal, actor, facts) : null;
    const row = afterStep(command, withdrawal, { now, because });
    return { row, dropped: isDropped ? [withdrawal] : [] };
  }

  /** One after the other: what one names, another of the same batch may confirm, or take the place of. */
  async function writeClaims(tx: Tx, taken: Taken[]): Promise<void> {
    for (const { withdrawal, step, dropped } of taken) {
      const { status, firstPaidBy, transactionid } = withdrawal;
      if (dropped.length > 0) {
        await networks.giveUpClaims(
          tx,
          dropped.map((row) => row.transactionid),
        );
      }
      if (step !== 'pay') continue;
      const claim = claimOf(withdrawal);
      if (status === 'paid' && firstPaidBy !== null) await networks.makeFinal(tx, [transactionid]);
      else if (claim) await networks.claim(tx, [claim]);
    }
  }

  const take = ledger.verb<Step, Facts, Taken>({
    bodyOf: ({ step, withdrawalId, chainTxid, chainOutput, reason, actor, shown }) => [
      step,
      withdrawalId,
      chainTxid,
      chainOutput,
      reason,
      nameOf(actor),
      ...(shown ? [shown.spendId] : []),
    ],
    async read(tx, commands, { now, openBook }) {
      const facts = await readAndLock(tx, commands, await now());
      const accounts = [...facts.withdrawals.values()].flatMap(({ userId }) => [
        withdrawing(userId),
        wallet(userId),
        payouts,
      ]);
      // Also of whoever takes back what is not theirs: behind the lock of the wallet one investor's keys are looked up.
      const own = commands.flatMap(({ userId }) => (userId === null ? [] : [wallet(userId)]));
      return { facts, book: await openBook([...accounts, ...own]) };
    },
    decide({ command, facts, book, now }) {
      const { withdrawalId, userId, actor } = command;
      const known = facts.withdrawals.get(withdrawalId);
      if (!known || (userId !== null && known.userId !== userId)) return nobodysWithdrawal;
      const next = nextOf(command, known, facts, now);
      if ('refused' in next) return next;
      const { row: withdrawal, dropped } = next;
      const isTaken = withdrawal.status === statusAfter(command.step, known.status);
      const moved = isTaken ? movementOf(command.step, withdrawal, now) : null;
      if (moved && book.post(moved) === 'short')
        throw new Error(`withdrawal ${withdrawal.id} is not covered`);
      for (const row of [...dropped, withdrawal]) facts.withdrawals.set(row.id, row);
      if (command.step === 'approve' && isTaken) countApproval(withdrawal, facts);
      return { row: { withdrawal, step: command.step, actor, dropped } };
    },
    async write(tx, taken, now) {
      // What does not count any more is taken back first: the database takes nothing but what the first has named.
      await updateWithdrawals(
        tx,
        taken.flatMap(({ withdrawal, dropped }) => [...dropped, withdrawal]),
      );
      await writeClaims(tx, taken);
      const ended = taken.filter(({ withdrawal }) => withdrawal.endedAt);
      await endPaid(
        tx,
        ended.map(({ withdrawal }) => withdrawal.id),
        now,
      );
      const entries = taken.map(({ withdrawal, actor }) => ({
        actor,
        action: actionOf(withdrawal),
        subjectId: withdrawal.userId,
        details: {
          transactionid: withdrawal.transactionid,
          amountCents: String(withdrawal.amountCents),
          address: withdrawal.address,
          chainTxid: withdrawal.chainTxid,
          chainOutput: withdrawal.chainOutput,
          firstPaidBy: withdrawal.firstPaidBy,
          reason: withdrawal.reason,
          because: withdrawal.secondBecause,
        },
      }));
      await writeAuditAll(tx, entries, now);
      // What moves money is told of by the journal.
      const told = taken.filter(
        ({ step, withdrawal }) => step === 'approve' && withdrawal.status === 'approved',
      );
      await users.writeTo({ tx, letters: told.map(({ withdrawal }) => letterAbout(withdrawal, now)) });
    },
  });

  type ByOperator = Pick<Step, 'withdrawalId' | 'actor' | 'idempotencyKey'>;
  type ByChain = { withdrawalId: string; spend: SpendRow; needed: number };
  const nothing = { userId: null, chainTxid: null, chainOutput: null, shown: null, reason: null };
  const operator = { scope: 'operator', ...nothing };
  const withdrawalOf = async (command: Step): Promise<WithdrawalRow> => (await take(command)).withdrawal;

  return {
    approveWithdrawal: (command: ByOperator) => withdrawalOf({ ...operator, ...command, step: 'approve' }),

    markWithdrawalPaid: (command: ByOperator & { chainTxid: string; chainOutput?: number | null }) =>
      withdrawalOf({ ...operator, ...command, chainOutput: command.chainOutput ?? null, step: 'pay' }),

    /** What a chain has confirmed. Without a key: that it is marked once is seen in the withdrawal itself. */
    payByChain: ({ withdrawalId, spend, needed }: ByChain) =>
      withdrawalOf({
        ...nothing,
        scope: byChain,
        idempotencyKey: null,
        step: 'pay',
        actor: { kind: 'system' },
        withdrawalId,
        shown: { spendId: spend.id, needed },
        chainTxid: spend.txid,
        chainOutput: spend.output,
      }),

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
