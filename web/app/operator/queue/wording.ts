import { type Cents, formatUsd } from '@tallystick/contract/money';
import type { QueuedWithdrawal } from '@tallystick/contract/operator/queue';
import { counted, dayOf, minuteMs } from '../../domain/dates.ts';

const minutesPerHour = 60;
const hoursPerDay = 24;

/** `under 1 m`, `52 m`, `3 h 12 m`, `2 d 4 h`: how long something waits, as short as a column needs it. */
export function waitingText(sinceIso: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(sinceIso)) / minuteMs);
  // A browser's clock may be a little behind the server's.
  if (minutes < 1) return 'under 1 m';
  if (minutes < minutesPerHour) return `${minutes} m`;
  const hours = Math.floor(minutes / minutesPerHour);
  if (hours < hoursPerDay) return `${hours} h ${String(minutes % minutesPerHour).padStart(2, '0')} m`;
  return `${Math.floor(hours / hoursPerDay)} d ${hours % hoursPerDay} h`;
}

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

/** The sentence under the title. */
export function queueSentence(sinceIsos: readonly string[], now: Date): string {
  const oldest = [...sinceIsos].sort((a, b) => Date.parse(a) - Date.parse(b))[0];
  if (oldest === undefined) return 'Nothing is waiting.';
  const count = words[sinceIsos.length] ?? String(sinceIsos.length);
  const what = sinceIsos.length === 1 ? 'request' : 'requests';
  return `${count} ${what} waiting. Oldest, ${waitingText(oldest, now)}.`;
}

export function usedText(times: number): string {
  if (times === 0) return 'New address';
  return times === 1 ? 'Used once' : `Used ${times} times`;
}

/** Whose word it is that money goes there, and since when. */
export function savedText({ savedas, savedat }: QueuedWithdrawal['destination']): string {
  return savedas === null ? 'Typed' : `Saved as ${savedas}${savedat ? `, ${dayOf(savedat)}` : ''}`;
}

export const protectedText = ({ protected: isProtected }: QueuedWithdrawal['destination']): string =>
  isProtected ? 'Yes: saved addresses only' : 'No';

export function historyText(confirmed: number, rejected: number): string {
  if (confirmed + rejected === 0) return 'First deposit';
  return `${confirmed} confirmed, ${rejected} rejected`;
}

/** What the operator typed against what the investor said, in words; null when both are the same. */
export function differenceText(declared: Cents, received: Cents): string | null {
  if (received === declared) return null;
  const apart = formatUsd(received > declared ? received - declared : declared - received);
  return `${apart} ${received > declared ? 'more' : 'less'} than declared. The investor gets what arrived.`;
}

/** How far a payment is on its way to being there for good. */
export function seenText({ confirmations, needed }: { confirmations: number; needed: number }): string {
  if (confirmations < needed) return `Seen, ${confirmations} of ${counted(needed, 'confirmation')}`;
  return `Confirmed, ${counted(confirmations, 'confirmation')}`;
}
