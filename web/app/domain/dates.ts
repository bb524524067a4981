import { grouped } from './money/amount.ts';

// A page that tells no date is built without them, if they may be left out.
const months =
  /* @__PURE__ */ 'January February March April May June July August September October November December'.split(
    ' ',
  );

/**
 * Dates are shown in UTC, as the record keeps them: both sides read the same day. By hand, because a browser takes
 * longer to make one of its formats than to draw a card: a screen full of dates kept a phone busy for half a second.
 */
function partsOf(iso: string) {
  const at = new Date(iso);
  return { day: at.getUTCDate(), month: months[at.getUTCMonth()] ?? '', year: at.getUTCFullYear() };
}

/** 15 Nov 2026 */
export function dayOf(iso: string): string {
  return `${shortDayOf(iso)} ${partsOf(iso).year}`;
}

/** 15 Nov */
export function shortDayOf(iso: string): string {
  const { day, month } = partsOf(iso);
  return `${day} ${month.slice(0, 3)}`;
}

/** 09:12 UTC */
export function timeOf(iso: string): string {
  return `${new Date(iso).toISOString().slice(11, 16)} UTC`;
}

/** 15 Nov 2026, 09:12 UTC */
export function whenOf(iso: string): string {
  return `${dayOf(iso)}, ${timeOf(iso)}`;
}

/** 15 Nov, 09:12 UTC */
export function momentOf(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `${shortDayOf(iso)}, ${timeOf(iso)}`;
}

/** November 2026 */
export function monthOf(iso: string): string {
  const { month, year } = partsOf(iso);
  return `${month} ${year}`;
}

/** 14 January 2027 */
export function longDayOf(iso: string): string {
  return `${partsOf(iso).day} ${monthOf(iso)}`;
}

/** 14 January 2027, 10:41 GMT+1, by a reader's own clock; null where that shows UTC. */
export function localTimeOf(iso: string, timeZone?: string): string | null {
  const zoned = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  const parts = Object.fromEntries(
    zoned.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]),
  );
  if (parts.timeZoneName === 'UTC') return null;
  return `${parts.day} ${parts.month} ${parts.year}, ${parts.hour}:${parts.minute} ${parts.timeZoneName}`;
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** `just now`, `5 minutes ago`, `2 hours ago`, then the day. */
export function agoOf(iso: string, now: Date): string {
  const ageMs = now.getTime() - Date.parse(iso);
  if (ageMs < minuteMs) return 'just now';
  if (ageMs < hourMs) return `${counted(Math.floor(ageMs / minuteMs), 'minute')} ago`;
  if (ageMs < dayMs) return `${counted(Math.floor(ageMs / hourMs), 'hour')} ago`;
  return dayOf(iso);
}

/** `1 entry`, `1,204 entries`: a number and the word that goes with it. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(String(count))} ${count === 1 ? one : many}`;
}
