import type { Notice, Topic } from '@tallystick/contract/notices';
import { dayMs, dayOf } from '../../domain/dates.ts';

/** What the letters of a topic are about, or why they are always sent. */
export const topicTexts: Record<Topic, string> = {
  deposits: 'Noted, seen on the network, arrived or not confirmed.',
  investments: 'Opened, matured or invested again.',
  terms: 'What you are told before an investment matures is what counts, so it is always sent.',
  withdrawals: 'Every step of money that leaves your wallet, and what is put right in it.',
  addresses: 'Which you have saved, and whether money goes nowhere else.',
  security: 'New devices, your password, your second factors and downloads of your data.',
};

/** Where a notice belongs. Investments are found by their number; a deposit may have no entry yet. */
export function placeOf({ topic, transactionid }: Pick<Notice, 'topic' | 'transactionid'>): string {
  if (topic === 'security' || topic === 'addresses') return `/${topic}`;
  if (topic === 'deposits' || topic === 'withdrawals') return '/transaction';
  return transactionid ? `/investment?search=${encodeURIComponent(transactionid)}` : '/investment';
}

const dayNumber = (ms: number) => Math.floor(ms / dayMs);

/** `Today`, `Yesterday`, then the day, in UTC as everywhere. */
export function dayTitle(iso: string, now: Date): string {
  const ago = dayNumber(now.getTime()) - dayNumber(Date.parse(iso));
  return ['Today', 'Yesterday'][ago] ?? dayOf(iso);
}

/** Those of one day together, in their order. */
export function byDay(notices: readonly Notice[], now: Date): { day: string; notices: Notice[] }[] {
  const days: { day: string; notices: Notice[] }[] = [];
  for (const notice of notices) {
    const day = dayTitle(notice.at, now);
    const last = days.at(-1);
    if (last?.day === day) last.notices.push(notice);
    else days.push({ day, notices: [notice] });
  }
  return days;
}
