const dayMs = 24 * 60 * 60 * 1000;

/** A plan runs whole days of 24 hours from the moment of purchase. */
export function maturityOf(purchasedAt: Date, days: number): Date {
  return new Date(purchasedAt.getTime() + days * dayMs);
}

/** '14 January 2027' */
export function longDateText(at: Date): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

/** '09:41 UTC' */
export function utcText(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`;
}

/** '14 January 2027, 10:41 GMT+1' by a reader's own clock; null where that shows UTC. */
export function localText(at: Date, timeZone?: string): string | null {
  const zoned = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  const parts = Object.fromEntries(zoned.formatToParts(at).map(({ type, value }) => [type, value]));
  if (parts.timeZoneName === 'UTC') return null;
  return `${parts.day} ${parts.month} ${parts.year}, ${parts.hour}:${parts.minute} ${parts.timeZoneName}`;
}
