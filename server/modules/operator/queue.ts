import type { Cents } from '@tallystick/contract/money';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import type { AddressChangeRow, Funding, PaymentMethodRow } from '../funding/service.ts';
import type { CorrectionRow, Ledger } from '../ledger/service.ts';
import type { Users } from '../users/service.ts';
import { needsTwo, type WithdrawalService } from '../withdrawal/service.ts';
import {
  type Person,
  peopleByIds,
  type QueuedDepositRow,
  type QueuedWithdrawalRow,
  queuedDeposits,
  queuedWithdrawals,
  queueSums,
} from './queue-store.ts';

interface QueueNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  users: Users;
  funding: Funding;
  withdrawal: WithdrawalService;
  /** What is owed and what is held, for the card above the lists. */
  coverage(): Promise<{ owedCents: Cents; heldCents: Cents | null }>;
}

/** The console shows the oldest; whoever has more than this to do starts there. */
const shownMax = 200;
const dayMs = 24 * 60 * 60 * 1000;

export type QueuedWithdrawal = QueuedWithdrawalRow & { approvalsNeeded: number };
export type WaitingAddress = AddressChangeRow & { method: PaymentMethodRow };
export type WaitingCorrection = CorrectionRow & { person: Person };

/** Everything that waits for an operator. */
export function createQueue({ db, clock, ledger, users, funding, withdrawal, coverage }: QueueNeeds) {
  async function addressesWaiting(): Promise<WaitingAddress[]> {
    const [changes, methods] = await Promise.all([funding.waitingAddresses(), funding.allPaymentMethods()]);
    const byId = new Map(methods.map((method) => [method.id, method]));
    return changes.flatMap((change) => {
      const method = byId.get(change.methodId);
      return method ? [{ ...change, method }] : [];
    });
  }

  async function correctionsWaiting(): Promise<WaitingCorrection[]> {
    const waiting = await ledger.waitingCorrections();
    const people = await peopleByIds(db, [...new Set(waiting.map(({ userId }) => userId))]);
    return waiting.flatMap((correction) => {
      const person = people.get(correction.userId);
      return person ? [{ ...correction, person }] : [];
    });
  }

  return {
    async queue() {
      const threshold = await withdrawal.threshold();
      const dayAgo = new Date(clock.now().getTime() - dayMs);
      const [deposits, withdrawals, addresses, corrections, thresholdChange, sums, names] = await Promise.all(
        [
          queuedDeposits(db, shownMax),
          queuedWithdrawals(db, shownMax, dayAgo),
          addressesWaiting(),
          correctionsWaiting(),
          withdrawal.waitingThreshold(),
          queueSums(db, threshold, dayAgo),
          users.operatorNames(),
        ],
      );
      return {
        deposits: deposits satisfies QueuedDepositRow[],
        withdrawals: withdrawals.map((row): QueuedWithdrawal => {
          const two = row.firstApprovedBy !== null || needsTwo(row, row.approvedTodayCents, threshold);
          // What is approved already needed no more than it got.
          return {
            ...row,
            approvalsNeeded: row.status === 'approved' ? (row.firstApprovedBy ? 2 : 1) : two ? 2 : 1,
          };
        }),
        addresses,
        corrections,
        threshold,
        thresholdChange,
        sums: new Map(sums.map((sum) => [sum.kind, sum])),
        coverage: await coverage(),
        frozenBecause: await ledger.frozenBecause(),
        names,
      };
    },
  };
}

export type Queue = Awaited<ReturnType<ReturnType<typeof createQueue>['queue']>>;
