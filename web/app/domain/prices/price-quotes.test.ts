import { expect, test } from 'vitest';
import { movementOf, pricedCoins, priceText, quotedAt, quoteTimeText } from './price-quotes.ts';

test('a coin without a price is left out, in the order of the others', () => {
  const shown = pricedCoins({ ripple: { usd: 0.5 }, bitcoin: { usd: 70_000 } });
  expect(shown.map(({ name }) => name)).toEqual(['Bitcoin', 'Ripple']);
});

test('prices have two decimals, Ripple four', () => {
  expect(priceText({ id: 'bitcoin', usd: 68412.5 })).toBe('$68,412.50');
  expect(priceText({ id: 'ripple', usd: 0.5874 })).toBe('$0.5874');
  expect(priceText({ id: 'bitcoin', usd: 1_234_567 })).toBe('$1,234,567.00');
  expect(priceText({ id: 'binancecoin', usd: 999.999 })).toBe('$1,000.00');
});

test('the time of a price is when the server answered, less how old it was then', () => {
  const headers = new Headers({ date: 'Sun, 15 Nov 2026 09:42:10 GMT', age: '70' });
  expect(quoteTimeText(quotedAt(headers, 0))).toBe('15 Nov 2026, 09:41 UTC');
  expect(quoteTimeText(new Date('2026-01-05T00:03:00Z'))).toBe('5 Jan 2026, 00:03 UTC');
  expect(quotedAt(new Headers(), 5000)).toEqual(new Date(5000));
});

test('movement is from the first point to the last, never from one alone', () => {
  expect(movementOf({ prices: [[1, 100]] })).toBeNull();
  const prices = Array.from({ length: 720 }, (_, hour): [number, number] => [hour, 100 + hour]);
  const movement = movementOf({ prices });
  expect(movement?.percent).toBeCloseTo(719);
  expect(movement?.points.length).toBeLessThanOrEqual(32);
  expect(movement?.points.at(-1)).toBe(819);
});
