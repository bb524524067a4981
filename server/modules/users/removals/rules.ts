import { removalWaitDays } from '@tallystick/contract/removals';
import { dayMs, hourMs } from '../../../platform/clock.ts';

/** How a removal ended: an operator dropped it, the link was opened, a factor was there after all, or it was carried out. */
export type EndedHow = 'discarded' | 'stopped' | 'factor-shown' | 'done';

export const removalRules = {
  waitMs: removalWaitDays * dayMs,
  /** Before it is due, beside the letter at once: in the middle, for who was away, and when a day is left. */
  remindersMs: [3 * dayMs + 12 * hourMs, dayMs],
  /** The audit log has them for good. */
  keptMs: 90 * dayMs,
} as const;

/** How many reminders are to have been sent by now. After a standstill the last one says it all. */
export function remindersDue(dueAt: Date, now: Date): number {
  const leftMs = dueAt.getTime() - now.getTime();
  return removalRules.remindersMs.filter((beforeMs) => leftMs <= beforeMs).length;
}

const ends: Record<EndedHow, string> = {
  discarded: 'This removal was discarded',
  stopped: 'This removal was stopped',
  'factor-shown': 'This removal was stopped',
  done: 'The second factors were removed',
};

export const becameOf = ({ endedHow }: { endedHow: EndedHow | null }): string =>
  endedHow ? ends[endedHow] : 'This removal was agreed to';
