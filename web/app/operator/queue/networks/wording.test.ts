import type { NetworkState } from '@tallystick/contract/operator/networks';
import { describe, expect, it } from 'vitest';
import { amountText, isTroubled, stateLines, stateWords } from './wording.ts';

const now = new Date('2026-11-15T12:00:00Z');
const following: NetworkState = {
  network: 'bitcoin',
  watched: true,
  state: 'following',
  said: null,
  since: '2026-11-14T08:00:00Z',
  lookedat: '2026-11-15T11:59:58Z',
  height: 870_113,
  tip: 870_113,
};
const away: NetworkState = { ...following, state: 'away', said: 'It does not answer.' };

describe('a network', () => {
  it('that is followed says how far it is read', () => {
    expect(stateWords(following, now).chip).toBe('Following');
    expect(stateLines(following, now)).toEqual(['Block 870,113, looked at just now']);
    expect(isTroubled(following, now)).toBe(false);
  });

  it('that is behind says by how many blocks, and since when', () => {
    const behind: NetworkState = { ...following, state: 'behind', tip: 870_123 };
    expect(stateLines(behind, now)).toEqual([
      'Block 870,113 of 870,123, 10 blocks behind, looked at just now, since 14 Nov 2026, 08:00 UTC',
    ]);
    expect(isTroubled(behind, now)).toBe(false);
  });

  it.each([
    ['away', 'Node away'],
    ['wrong-chain', 'Another chain'],
    ['nonsense', 'Not to be believed'],
  ] as const)('%s is trouble, in words and in the node’s own', (state, chip) => {
    expect(stateWords({ ...away, state }, now).chip).toBe(chip);
    expect(stateLines({ ...away, state }, now)[1]).toBe('It does not answer.');
    expect(isTroubled({ ...away, state }, now)).toBe(true);
  });

  it('that nobody looks at any more is trouble, whatever it was then; one that is not read is none', () => {
    const old = { ...following, lookedat: '2026-11-15T11:57:00Z' };
    expect(stateWords(old, now).chip).toBe('Not looked at');
    expect(isTroubled(old, now)).toBe(true);
    expect(isTroubled({ ...old, watched: false }, now)).toBe(false);
    const never = { ...following, state: null, since: null, lookedat: null, height: null, tip: null };
    expect(stateWords(never, now).chip).toBe('Not looked at yet');
    expect(stateLines(never, now)).toEqual([]);
  });
});

it('a payment is told in coins, and in dollars once a price was known', () => {
  const payment = { network: 'xrp', coins: '2128.5', worth: 1250.12 } as const;
  expect(amountText(payment)).toBe('2,128.5 XRP, worth $1,250.12');
  expect(amountText({ ...payment, worth: null })).toBe('2,128.5 XRP');
});
