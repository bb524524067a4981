import { expect, test } from 'vitest';
import { dayFrom, periodOf, presetOf, presets, withDay } from './period.ts';

const today = '2026-11-15';

test('only a day of the calendar is a day', () => {
  expect(dayFrom('2026-11-15')).toBe('2026-11-15');
  expect(dayFrom('2028-02-29')).toBe('2028-02-29');
  for (const wrong of [null, '', 'today', '2026-02-30', '2026-13-01', '15-11-2026', '2026-11-15T00:00']) {
    expect(dayFrom(wrong)).toBe('');
  }
});

test('the last days count today', () => {
  expect(periodOf('week', today)).toEqual({ from: '2026-11-09', to: '' });
  expect(periodOf('month', today)).toEqual({ from: '2026-10-17', to: '' });
  expect(periodOf('quarter', '2026-01-10')).toEqual({ from: '2025-10-13', to: '' });
  expect(periodOf('year', today)).toEqual({ from: '2026-01-01', to: '' });
});

test('an address that names a preset’s days shows the preset', () => {
  for (const { value } of presets) expect(presetOf(periodOf(value, today), today)).toBe(value);
  expect(presetOf({ from: '2026-10-01', to: '2026-11-15' }, today)).toBeNull();
});

test('a period never ends before it begins', () => {
  const period = { from: '2026-10-01', to: '2026-10-31' };
  expect(withDay(period, 'from', '2026-11-05')).toEqual({ from: '2026-11-05', to: '2026-11-05' });
  expect(withDay(period, 'to', '2026-09-05')).toEqual({ from: '2026-09-05', to: '2026-09-05' });
  expect(withDay(period, 'to', '')).toEqual({ from: '2026-10-01', to: '' });
});
