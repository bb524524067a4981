import type { PaperSpan } from '@tallystick/contract/papers';
import { dayOf, monthOf } from '../dates.ts';

/** Whole days in UTC, both included. */
export interface Days {
  from: string;
  to: string;
}

interface Month extends Days {
  name: string;
}

const monthsMax = 600;

/**
 * The months since the account began, the newest first; one that is not over ends with the newest day that is. None
 * as long as no day of the account is over.
 */
export function monthsOf({ since, until }: Pick<PaperSpan, 'since' | 'until'>): Month[] {
  const months: Month[] = [];
  if (since > until) return months;
  const first = since.slice(0, 7);
  for (let at = until; at.slice(0, 7) >= first && months.length < monthsMax; ) {
    const [year = 0, month = 0] = at.split('-').map(Number);
    const last = dayIn(Date.UTC(year, month, 0));
    const name = at === last ? monthOf(at) : `${monthOf(at)}, until the ${ordinal(Number(at.slice(8)))}`;
    months.push({ from: `${at.slice(0, 7)}-01`, to: at, name });
    at = dayIn(Date.UTC(year, month - 1, 0));
  }
  return months;
}

const dayIn = (moment: number) => new Date(moment).toISOString().slice(0, 10);

function ordinal(day: number): string {
  if (day > 10 && day < 14) return `${day}th`;
  return `${day}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`;
}

/** Why there is no statement of some days; null when there is one. */
export function daysProblem({ from, to }: Days, until: string): string | null {
  if (!from || !to) return 'Choose the first and the last day.';
  if (from > to) return 'The first day lies after the last one.';
  if (to > until)
    return `Choose days up to ${dayOf(until)}: a statement is about days that are over, in UTC.`;
  return null;
}
