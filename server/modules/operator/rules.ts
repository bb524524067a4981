import type { MaturityOutcome } from '@tallystick/contract/investment';
import { dayMs } from '../../platform/clock.ts';

/** The last days, oldest first, as in `2026-11-15`. */
export function daysUntil(now: Date, count: number): string[] {
  const today = Math.floor(now.getTime() / dayMs);
  return Array.from({ length: count }, (_, n) =>
    new Date((today - count + 1 + n) * dayMs).toISOString().slice(0, 10),
  );
}

/** A day, written as on a calendar, begins and ends at midnight UTC. */
export function periodOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return {
    from: from ? new Date(`${from}T00:00:00Z`) : null,
    before: to ? new Date(new Date(`${to}T00:00:00Z`).getTime() + dayMs) : null,
  };
}

/** Whoever has no name yet is known by the address; whoever has left, by neither one day. */
export const calledBy = ({ fullname, email }: { fullname: string; email: string }): string =>
  fullname || email || 'Closed account';

interface Told {
  kind: string;
  planname: string | null;
  durationDays: number | null;
  methodname: string | null;
  reason: string | null;
  outcome?: MaturityOutcome | null;
  isAgain?: boolean;
}

/** What stands behind an entry, in a few words. */
export function detailOf(told: Told): string | null {
  const { kind, planname, durationDays, methodname, reason, outcome, isAgain } = told;
  if (kind === 'deposit') return 'Deposit confirmed';
  const again = outcome === 'paid' ? ', not invested again' : outcome || isAgain ? ', invested again' : '';
  if (planname) return `${planname}, ${durationDays} days${kind === 'exit' ? ', left early' : again}`;
  if (kind === 'withdrawal' && methodname)
    return `To ${/^[aeiou]/i.test(methodname) ? 'an' : 'a'} ${methodname} address`;
  if (kind === 'withdrawal-returned') return methodname;
  if (kind === 'closing') return 'Too little to withdraw when the account was closed';
  return reason;
}

/** Who caused it: a person of the console by name, the investor, the clock, or a network that showed a payment. */
export function doneBy(
  { kind, decidedBy, isAgain }: { kind: string; decidedBy: string | null; isAgain?: boolean },
  names: Map<string, string>,
) {
  if (kind === 'maturity' || isAgain) return 'By the clock';
  if (decidedBy === 'chain') return 'By the network';
  const name = decidedBy === null ? undefined : names.get(decidedBy);
  return name ?? (kind === 'deposit' || kind === 'correction' ? 'Operator' : 'Investor');
}
