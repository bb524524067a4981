/** Dates are shown in UTC, as the record keeps them: both sides read the same day. */
function shown(iso: string, parts: Intl.DateTimeFormatOptions): string {
  const text = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' }).format(new Date(iso));
  // The one short month that British English writes with four letters.
  return text.replace('Sept ', 'Sep ').replace(/Sept$/, 'Sep');
}

/** 15 Nov 2026 */
export function dayOf(iso: string): string {
  return shown(iso, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** 15 Nov */
export function shortDayOf(iso: string): string {
  return shown(iso, { day: 'numeric', month: 'short' });
}

/** 09:12 UTC */
export function timeOf(iso: string): string {
  return `${shown(iso, { hour: '2-digit', minute: '2-digit' })} UTC`;
}

/** November 2026 */
export function monthOf(iso: string): string {
  return shown(iso, { month: 'long', year: 'numeric' });
}

/** 14 January 2027 */
export function longDayOf(iso: string): string {
  return shown(iso, { dateStyle: 'long' });
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
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
