import { expect, test } from 'vitest';
import { estimateText } from './coin-estimate.ts';

const bitcoin = { id: 'bitcoin', name: 'Bitcoin', ticker: 'BTC', usd: 68_412.5 } as const;
const ripple = { id: 'ripple', name: 'Ripple', ticker: 'XRP', usd: 0.5874 } as const;

test('an amount in dollars is about so many coins', () => {
  const quotes = { coins: [bitcoin, ripple], isSample: false };
  expect(estimateText(quotes, 'bitcoin', 250_000n)).toBe('About 0.036543 BTC');
  expect(estimateText(quotes, 'ripple', 250_000n)).toBe('About 4,256.04 XRP');
});

test('a sample price says that it is one, and no price says nothing', () => {
  expect(estimateText({ coins: [bitcoin], isSample: true }, 'bitcoin', 100n)).toContain('at a sample price');
  expect(estimateText({ coins: [bitcoin], isSample: false }, 'ripple', 100n)).toBeNull();
});
