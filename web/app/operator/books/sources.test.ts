import type { ColdAddress, HeldNetwork } from '@tallystick/contract/operator/books';
import { expect, test } from 'vitest';
import { heldSource } from '../facts/wording.ts';
import { TypedCoins } from './cold-form.tsx';
import { coinsText, countedText, readLines, typedLines } from './sources.ts';

const read: HeldNetwork = {
  network: 'bitcoin',
  coins: '1250.00000001',
  coldcoins: '0',
  amount: 1,
  price: '70000.5',
  priceat: '2026-11-15T09:30:00Z',
  pricefresh: true,
  height: 840_312,
  readat: '2026-11-15T09:41:00Z',
  unlooked: 0,
  state: 'following',
  said: null,
};

test('what is read says how much, at which block and when', () => {
  expect(readLines(read)).toEqual([{ text: '1,250.00000001 BTC at block 840,312, 15 Nov 2026, 09:41 UTC' }]);
  expect(readLines({ ...read, network: 'bnb', coins: '1.5' })).toEqual([
    { text: '1.5 BNB, addresses read since block 840,312, 15 Nov 2026, 09:41 UTC' },
  ]);
  expect(readLines({ ...read, height: null, readat: null, unlooked: 1, state: null })).toEqual([
    { text: 'Not read yet.' },
    { text: '1 address was not looked at yet.' },
  ]);
});

test('coins are shown to the hundred millionth, rounded down', () => {
  expect(coinsText({ network: 'ethereum', coins: '104.250000009999999999' })).toBe('104.25 ETH');
  expect(coinsText({ network: 'ethereum', coins: '0.000000001' })).toBe('0 ETH');
  expect(coinsText({ network: 'xrp', coins: '1520' })).toBe('1,520 XRP');
});

test('an old price and a node that is not followed are troubles', () => {
  const troubled = { ...read, pricefresh: false, state: 'away' as const, said: 'Nobody answers.' };
  expect(readLines(troubled).slice(1)).toEqual([
    { text: 'At the last known price, of 15 Nov 2026, 09:30 UTC.', isTrouble: true },
    { text: 'Nobody answers.', isTrouble: true },
  ]);
  expect(readLines({ ...read, price: null, priceat: null, pricefresh: false })).toHaveLength(1);
});

test('what is typed says so, when and by whom', () => {
  const method = { methodid: 'a', paymentname: 'Ripple', coin: 'ripple', amount: 5 };
  expect(typedLines({ ...method, enteredat: '2026-11-15T08:00:00Z', enteredby: 'Ada Finch' })).toEqual([
    { text: 'Typed 15 Nov 2026, 08:00 UTC by Ada Finch' },
  ]);
  expect(typedLines({ ...method, amount: null, enteredat: null, enteredby: null })).toEqual([]);
});

test('a cold address says from when on it is counted', () => {
  const cold = { network: 'bitcoin', fromheight: 1_201, coinsnamed: 0, height: 1_300 } as ColdAddress;
  expect(countedText(cold)).toBe('Payments from block 1,201 on.');
  expect(countedText({ ...cold, coinsnamed: 2 })).toBe(
    'Payments from block 1,201 on, and 2 coins named before.',
  );
  expect(countedText({ ...cold, network: 'xrp' })).toBe('Everything there at block 1,300.');
  expect(countedText({ ...cold, network: 'xrp', height: null })).toBe('Not looked at yet.');
});

test('the sum says which part of it somebody typed', () => {
  expect(heldSource(100, null)).toBe('All of it read from the chains.');
  expect(heldSource(100, 100)).toBe('All of it typed by operators.');
  expect(heldSource(100, 40.5)).toBe('$40.50 of it typed, the rest read from the chains.');
});

test('coins are named a line each', () => {
  const coin = `${'AB'.repeat(32)}:1`;
  expect(TypedCoins.parse('')).toEqual([]);
  expect(TypedCoins.parse(` ${coin}\n\n${coin},${coin} `)).toEqual(Array(3).fill(coin.toLowerCase()));
  const wrong = TypedCoins.safeParse('ab:1');
  expect(wrong.error?.issues).toMatchObject([
    { path: [], message: expect.stringMatching(/^Name each coin as/) },
  ]);
});
