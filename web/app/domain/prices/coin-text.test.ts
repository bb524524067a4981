import { expect, test } from 'vitest';
import { coinText, groupedDecimal } from './coin-text.ts';

test('a decimal gets its commas before the point only', () => {
  expect(groupedDecimal('2128.021791')).toBe('2,128.021791');
  expect(groupedDecimal('0.123456789012345678')).toBe('0.123456789012345678');
  expect(groupedDecimal('1234567')).toBe('1,234,567');
});

test('an amount of a coin bears its ticker, and none is none', () => {
  expect(coinText({ coin: 'ripple', coinamount: '2128.021791' })).toBe('2,128.021791 XRP');
  expect(coinText({ coin: 'bitcoin', coinamount: null })).toBeNull();
});
