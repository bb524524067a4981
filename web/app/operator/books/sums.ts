import type { CallAnswer } from '@tallystick/contract/call';
import type { Cents } from '@tallystick/contract/money';
import type { books } from '@tallystick/contract/operator/books';
import { counted, dayMs, dayOf, shortDayOf, timeOf } from '../../domain/dates.ts';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { coverageText } from '../facts/wording.ts';

export type Books = CallAnswer<typeof books>;
export type Week = Books['weeks'][number];

const weekMs = 7 * dayMs;

/** The queue and the books must never disagree, so the figure is made in one place. */
export function coverageOf(owed: number, held: number | null): string {
  if (held === null) return 'Not known';
  return coverageText(centsOf(held), centsOf(owed)) ?? 'Nothing owed';
}

/** What is left over, or what is missing, under the name that says which. */
export function differenceOf(owed: number, held: number | null): { name: string; cents: Cents | null } {
  if (held === null) return { name: 'Held above owed', cents: null };
  const cents = centsOf(held) - centsOf(owed);
  return cents < 0n ? { name: 'Held below owed', cents: -cents } : { name: 'Held above owed', cents };
}

/** Principal and profit of the weeks that begin before four weeks have passed. */
export function dueSoon({ weeks, at }: Pick<Books, 'weeks' | 'at'>): Cents {
  const endMs = Date.parse(at) + 4 * weekMs;
  return weeks
    .filter(({ monday }) => Date.parse(monday) < endMs)
    .reduce((sum, week) => sum + dueOf(week), 0n);
}

export function dueOf({ principal, profit }: Pick<Week, 'principal' | 'profit'>): Cents {
  return centsOf(principal) + centsOf(profit);
}

/** The oldest figure decides how old the picture is. */
export function enteredText(methods: Books['held']['methods'], now: Date): string {
  const times = methods.flatMap(({ enteredat }) => (enteredat ? [enteredat] : [])).toSorted();
  const oldest = times[0];
  if (!oldest) return 'Not yet';
  if (times.length < methods.length) return `${times.length} of ${methods.length}`;
  const day = dayOf(oldest) === dayOf(now.toISOString()) ? 'Today' : shortDayOf(oldest);
  return `${day}, ${timeOf(oldest).replace(' UTC', '')}`;
}

export function dueSentence({ weeks, later }: Pick<Books, 'weeks' | 'later'>): string {
  const all = [...weeks, later];
  const count = all.reduce((sum, week) => sum + week.count, 0);
  if (count === 0) return 'No investment is open, so nothing falls due.';
  const sum = (name: 'principal' | 'profit') =>
    usd(Number(all.reduce((cents, week) => cents + centsOf(week[name]), 0n)) / 100);
  return `Principal ${sum('principal')} and profit ${sum('profit')}, in the week they fall due. Weeks start on Monday.`;
}

/** What a chart shows, for those who cannot see it. */
export function peakSentence(weeks: readonly Week[]): string {
  const peak = weeks.reduce<Week | null>((most, week) => {
    return most && dueOf(most) >= dueOf(week) ? most : week;
  }, null);
  if (!peak || dueOf(peak) === 0n) return 'Nothing falls due in these weeks.';
  const amount = usd(Number(dueOf(peak)) / 100);
  return `Principal and profit falling due in ${counted(weeks.length, 'week')}. The most is ${amount}, in the week of ${dayOf(peak.monday)}.`;
}

export function flowSentence(days: Books['days']): string {
  if (days.every(({ deposits, withdrawals }) => deposits === 0 && withdrawals === 0)) {
    return `Nothing came in and nothing went out in the last ${counted(days.length, 'day')}.`;
  }
  const sum = (name: 'deposits' | 'withdrawals') =>
    usd(Number(days.reduce((cents, day) => cents + centsOf(day[name]), 0n)) / 100);
  return `${sum('deposits')} came in and ${sum('withdrawals')} went out in the last ${counted(days.length, 'day')}.`;
}
