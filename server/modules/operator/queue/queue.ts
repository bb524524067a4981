import { whyTwo } from '@tallystick/contract/bounds';
import type { Cents } from '@tallystick/contract/money';
import { networkOf } from '@tallystick/contract/networks';
import { dayMs } from '../../../platform/clock.ts';
import { departedAmong, isFirstDeparted } from '../../../platform/second-operator.ts';
import type { PaymentMethodRow, WaitingChange } from '../../funding/service.ts';
import type { CorrectionRow } from '../../ledger/service.ts';
import { confirmationsOf, type PaymentRow } from '../../networks/service.ts';
import type { OperatorNeeds } from '../service.ts';
import * as store from './store.ts';

interface QueueNeeds extends OperatorNeeds {
  /** What is owed and what is held, for the card above the lists. */
  coverage(): Promise<{ owedCents: Cents; heldCents: Cents | null; typedCents: Cents | null }>;
}

/** The console shows the oldest; whoever has more than this to do starts there. */
const shownMax = 200;

export type QueuedDeposit = store.QueuedDepositRow & {
  isFirstDeparted: boolean;
  /** Its chain is read. */
  isWatched: boolean;
  /** What the chain shows of it. */
  payment: (PaymentRow & { confirmations: number }) | null;
};
export type QueuedWithdrawal = store.QueuedWithdrawalRow & {
  approvalsNeeded: number;
  isWatched: boolean;
  isFirstDeparted: boolean;
};
export type WaitingAddress = WaitingChange & {
  method: PaymentMethodRow;
  /** Of the key that the method has now. */
  pathNow: string | null;
};
export type WaitingCorrection = CorrectionRow & { person: store.Person };

interface Asked {
  isWatched(network: string): boolean;
  thresholdCents: Cents;
  /** What whoever asks has approved alone within a day. */
  aloneCents: Cents;
  departed: Set<string>;
}

/** How many operators a withdrawal takes when this one approves it, and why more than one. */
function approvalsFor(queued: store.QueuedWithdrawalRow, asked: Asked): QueuedWithdrawal {
  const { thresholdCents, aloneCents, departed } = asked;
  const row = {
    ...queued,
    isWatched: asked.isWatched(queued.network),
    isFirstDeparted: isFirstDeparted(queued.firstPaidBy, departed),
  };
  const isDropped = row.status === 'requested' && isFirstDeparted(row.firstApprovedBy, departed);
  const waiting = isDropped ? { ...row, firstApprovedBy: null, firstApprovedAt: null } : row;
  if (waiting.firstApprovedBy) return { ...waiting, approvalsNeeded: 2 };
  // What is approved already needed no more than it got.
  const secondBecause =
    row.status === 'approved'
      ? null
      : whyTwo({
          amountCents: row.amountCents,
          sums: [
            { of: 'investor', cents: row.investorTodayCents },
            { of: 'destination', cents: row.addressTodayCents },
            { of: 'operator', cents: aloneCents },
          ],
          thresholdCents,
        });
  return { ...waiting, secondBecause, approvalsNeeded: secondBecause ? 2 : 1 };
}

/** Everything that waits for an operator. */
export function createQueue(needs: QueueNeeds) {
  const { db, clock, ledger, users, bounds, investment, funding, networks, coverage } = needs;

  async function addressesWaiting(): Promise<WaitingAddress[]> {
    const [changes, methods] = await Promise.all([funding.waitingAddresses(), funding.allPaymentMethods()]);
    const byId = new Map(methods.map((method) => [method.id, method]));
    const keys = await networks.keys(methods.flatMap(({ keyId }) => keyId ?? []));
    return changes.flatMap((change) => {
      const method = byId.get(change.methodId);
      const pathNow = keys.get(method?.keyId ?? '')?.path ?? null;
      return method ? [{ ...change, method, pathNow }] : [];
    });
  }

  async function correctionsWaiting(): Promise<WaitingCorrection[]> {
    const waiting = await ledger.waitingCorrections();
    const people = await store.peopleByIds(db, [...new Set(waiting.map(({ userId }) => userId))]);
    return waiting.flatMap((correction) => {
      const person = people.get(correction.userId);
      return person ? [{ ...correction, person }] : [];
    });
  }

  async function removalsWaiting() {
    const waiting = await users.waitingRemovals();
    const people = await store.peopleByIds(db, [...new Set(waiting.map(({ userId }) => userId))]);
    return waiting.flatMap((removal) => {
      const person = people.get(removal.userId);
      return person ? [{ ...removal, person }] : [];
    });
  }

  /** What the chains show of payments, by their ids. */
  async function paymentsSeen(ids: string[]) {
    const [payments, heights] = await Promise.all([networks.paymentsNamed(ids), networks.heights()]);
    return new Map(
      payments.map((payment) => {
        const read = heights.get(payment.network) ?? { height: 0 };
        return [payment.id, { ...payment, confirmations: confirmationsOf(payment, read) }];
      }),
    );
  }

  async function depositsWaiting(since: Date): Promise<QueuedDeposit[]> {
    const deposits = await store.queuedDeposits(db, shownMax, since);
    const [seen, departed] = await Promise.all([
      paymentsSeen(deposits.flatMap(({ paymentId }) => paymentId ?? [])),
      departedAmong(
        db,
        deposits.map(({ firstConfirmedBy }) => firstConfirmedBy),
      ),
    ]);
    return deposits.map((row) => {
      const network = networkOf(row.coin);
      const isWatched = network !== null && networks.isWatched(network);
      const payment = seen.get(row.paymentId ?? '') ?? null;
      return { ...row, isWatched, payment, isFirstDeparted: isFirstDeparted(row.firstConfirmedBy, departed) };
    });
  }

  return {
    /** As it stands for one of them: what each has decided alone today counts along. */
    async queue({ operatorId }: { operatorId: string }) {
      const limits = await bounds.bounds();
      const { thresholdCents } = limits;
      const now = clock.now();
      const dayAgo = new Date(now.getTime() - dayMs);
      const alone = await store.decidedAlone(db, operatorId, dayAgo);
      const [
        deposits,
        withdrawals,
        addresses,
        corrections,
        removals,
        boundsChange,
        planProposals,
        sums,
        names,
      ] = await Promise.all([
        depositsWaiting(dayAgo),
        store.queuedWithdrawals(db, shownMax, { since: dayAgo, now }),
        addressesWaiting(),
        correctionsWaiting(),
        removalsWaiting(),
        bounds.waitingBounds(),
        investment.waitingPlans(),
        store.queueSums(db, { thresholdCents, aloneCents: alone.approvedCents, since: dayAgo }),
        users.operatorNames(),
      ]);
      const departed = await departedAmong(
        db,
        withdrawals.flatMap(({ firstApprovedBy, firstPaidBy }) => [firstApprovedBy, firstPaidBy]),
      );
      const isWatched = (name: string) => {
        const network = networkOf(name);
        return network !== null && networks.isWatched(network);
      };
      const asked = { isWatched, thresholdCents, aloneCents: alone.approvedCents, departed };
      return {
        deposits,
        withdrawals: withdrawals.map((row) => approvalsFor(row, asked)),
        addresses,
        corrections,
        removals,
        bounds: limits,
        confirmedAloneCents: alone.confirmedCents,
        boundsChange,
        planProposals,
        sums: new Map(sums.map((sum) => [sum.kind, sum])),
        coverage: await coverage(),
        frozenBecause: await ledger.frozenBecause(),
        names,
      };
    },
  };
}

export type Queue = Awaited<ReturnType<ReturnType<typeof createQueue>['queue']>>;
