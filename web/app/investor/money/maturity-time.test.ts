import { expect, test } from 'vitest';
import { localText, longDateText, maturityOf, utcText } from './maturity-time.ts';

const purchasedAt = new Date('2026-11-15T09:41:00Z');

test('a plan matures after whole days of 24 hours', () => {
  const at = maturityOf(purchasedAt, 60);
  expect(at.toISOString()).toBe('2027-01-14T09:41:00.000Z');
  expect(`${longDateText(at)}, ${utcText(at)}`).toBe('14 January 2027, 09:41 UTC');
});

test('the reader’s own time is told where it is another', () => {
  expect(localText(purchasedAt, 'Europe/Berlin')).toBe('15 November 2026, 10:41 CET');
  expect(localText(purchasedAt, 'Asia/Kolkata')).toBe('15 November 2026, 15:11 GMT+5:30');
  expect(localText(purchasedAt, 'UTC')).toBeNull();
});
