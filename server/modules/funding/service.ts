import { randomUUID } from 'node:crypto';
import { pageSize } from '@tallystick/contract/list';
import type { Cents } from '@tallystick/contract/money';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction } from '../../platform/db.ts';
import { type Ledger, type MoneyCommand, newTransactionId, refuse } from '../ledger/service.ts';
import { createDecisions } from './decisions.ts';
import { amountRefusal } from './rules.ts';
import {
  activeMethods,
  type FundingRow,
  type FundingStatus,
  insertMethod,
  insertRequests,
  lockMethod,
  type PaymentMethodRow,
  pageOfRequests,
  updateMethod,
} from './store.ts';

export type { FundingRow, PaymentMethodRow } from './store.ts';

interface FundingNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
}

interface AskForFunding extends MoneyCommand {
  userId: string;
  paymentname: string;
  amountCents: Cents;
}

/** Money coming in: an investor says that a payment is on its way, an operator confirms what arrived. */
export function createFunding({ db, clock, ledger }: FundingNeeds) {
  const ask = ledger.verb<AskForFunding, Map<string, PaymentMethodRow>, FundingRow>({
    bodyOf: ({ paymentname, amountCents }) => ['fund', paymentname, String(amountCents)],
    read: async (tx) => new Map((await activeMethods(tx)).map((method) => [method.paymentname, method])),
    // Nothing moves before the payment is confirmed.
    accountsOf: () => [],
    decide({ command: { userId, paymentname, amountCents }, facts: methods, now }) {
      const method = methods.get(paymentname);
      if (!method) return refuse('not_found', 'There is no such payment method.');
      const refusal = amountRefusal(amountCents);
      if (refusal) return refuse('outside_range', refusal);
      const row: FundingRow = {
        id: randomUUID(),
        userId,
        methodId: method.id,
        transactionid: newTransactionId(),
        paymentname,
        paymentaddress: method.paymentaddress,
        amountCents,
        status: 'pending',
        receivedCents: null,
        network: null,
        chainTxid: null,
        chainOutput: null,
        reason: null,
        requestedAt: now,
        decidedAt: null,
        decidedBy: null,
      };
      return { row };
    },
    async write(tx, rows) {
      if (rows.length > 0) await insertRequests(tx, rows);
    },
  });

  return {
    ...createDecisions({ ledger }),

    paymentMethods: () => activeMethods(db),

    askForFunding: (command: Omit<AskForFunding, 'scope'>): Promise<FundingRow> =>
      ask({ ...command, scope: command.userId }),

    pageOfRequests({ page, ...filter }: { userId: string; status: FundingStatus | undefined; page: number }) {
      return pageOfRequests(db, filter, { offset: (page - 1) * pageSize, limit: pageSize });
    },

    async addPaymentMethod(input: { method: Omit<PaymentMethodRow, 'id' | 'active'>; actor: Actor }) {
      const { method, actor } = input;
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const methodId = await insertMethod(tx, method, now);
        const details = { paymentname: method.paymentname, paymentaddress: method.paymentaddress };
        await writeAudit(tx, { actor, action: 'payment-method.added', subjectId: methodId, details }, now);
        return { methodId };
      });
    },

    /** Another address, or on and off. Requests that were made keep the address their investor was shown. */
    async changePaymentMethod(input: {
      methodId: string;
      change: { paymentaddress: string; active: boolean; sample: boolean };
      actor: Actor;
    }): Promise<void> {
      const { methodId, change, actor } = input;
      await inTransaction(db, async (tx) => {
        const method = await lockMethod(tx, methodId);
        if (!method) throw new AppError('not_found', 'There is no such payment method.');
        await updateMethod(tx, methodId, change);
        const details = { from: method.paymentaddress, ...change };
        await writeAudit(
          tx,
          { actor, action: 'payment-method.changed', subjectId: methodId, details },
          clock.now(),
        );
      });
    },
  };
}

export type Funding = ReturnType<typeof createFunding>;
