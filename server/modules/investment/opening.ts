import { randomUUIDv7 } from 'node:crypto';
import type { Cents } from '@tallystick/contract/money';
import { type BorneKey, movement, newTransactionId } from '../ledger/service.ts';
import type { PlanRow } from './plan-store.ts';
import { termsOf } from './rules.ts';
import type { InvestmentRow } from './store.ts';

interface Opening {
  userId: string;
  plan: PlanRow;
  amountCents: Cents;
  at: Date;
  borne?: BorneKey;
}

/** An investment and the movement that pays for it, be it its investor's own act or what was chosen for the end of another. */
export function openingOf({ userId, plan, amountCents, at, borne }: Opening) {
  const row: InvestmentRow = {
    ...termsOf(plan, amountCents, at),
    id: randomUUIDv7(),
    userId,
    planId: plan.id,
    transactionid: newTransactionId(),
    settledAt: null,
    settledBy: null,
    exitFromDay: plan.exitFromDay,
    left: null,
  };
  const label = 'Investment';
  const opening = movement({
    kind: 'investment',
    transactionid: row.transactionid,
    at,
    borne,
    postings: [
      { account: { kind: 'wallet', ownerId: userId }, amountCents: -amountCents, label },
      { account: { kind: 'invested', ownerId: userId }, amountCents, label },
    ],
  });
  return { row, opening };
}
