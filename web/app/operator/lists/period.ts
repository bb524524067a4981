import { dayMs } from '../../domain/dates.ts';

/** A period as the address names it: days in UTC, both included; an empty one is open at that end. */
export interface Period {
  from: string;
  to: string;
}

const dayShape = /^\d{4}-\d{2}-\d{2}$/;

/** `2026-11-15`: the day in UTC, as the record counts days. */
export function dayIn(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Whatever someone wrote into the address bar, a day is one of the calendar or none. */
export function dayFrom(text: string | null): string {
  if (!text || !dayShape.test(text)) return '';
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && dayIn(moment) === text ? text : '';
}

function daysBefore(day: string, days: number): string {
  return dayIn(new Date(Date.parse(`${day}T00:00:00Z`) - days * dayMs));
}

export const presets = [
  { value: 'all', name: 'Since the beginning' },
  { value: 'week', name: 'Last 7 days' },
  { value: 'month', name: 'Last 30 days' },
  { value: 'quarter', name: 'Last 90 days' },
  { value: 'year', name: 'This year' },
] as const;
export type Preset = (typeof presets)[number]['value'];

/** The last days count today. A preset has no end, so that what happens while one looks is in it. */
export function periodOf(preset: Preset, today: string): Period {
  switch (preset) {
    case 'all':
      return { from: '', to: '' };
    case 'week':
      return { from: daysBefore(today, 6), to: '' };
    case 'month':
      return { from: daysBefore(today, 29), to: '' };
    case 'quarter':
      return { from: daysBefore(today, 89), to: '' };
    case 'year':
      return { from: `${today.slice(0, 4)}-01-01`, to: '' };
  }
}

/** Null: days that somebody chose. */
export function presetOf({ from, to }: Period, today: string): Preset | null {
  const found = presets.find(({ value }) => {
    const period = periodOf(value, today);
    return period.from === from && period.to === to;
  });
  return found?.value ?? null;
}

/** A period that ends before it begins shrinks to the day that was just chosen. */
export function withDay(period: Period, end: 'from' | 'to', day: string): Period {
  const next = { ...period, [end]: day };
  if (next.from && next.to && next.from > next.to) return { from: day, to: day };
  return next;
}
