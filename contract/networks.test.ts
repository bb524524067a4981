import { describe, expect, test } from 'vitest';
import { anyCoin, coinOf, coins, networkIds, networkNameOf, networkOf, networks } from './networks.ts';

describe('the table of networks', () => {
  test('a method is found by its coin or by its network', () => {
    expect(['bitcoin', 'bnb', 'xrp', 'dollar'].map(networkOf)).toEqual(['bitcoin', 'bnb', 'xrp', null]);
    const found = ['bitcoin', 'bnb', 'xrp', 'dollar'].map((named) => coinOf(named)?.id ?? null);
    expect(found).toEqual(['bitcoin', 'binancecoin', 'ripple', null]);
  });

  test('a network has a name, and what is a name already stays as it is', () => {
    const shown = ['bitcoin', 'binancecoin', 'xrp', 'Ethereum Sepolia test network', ''].map(networkNameOf);
    expect(shown).toEqual(['Bitcoin', 'BNB Smart Chain', 'XRP Ledger', 'Ethereum Sepolia test network', '']);
  });

  test('no two rows share an id, a name or a ticker: a method is found by one word', () => {
    for (const words of [
      networkIds.flatMap((id) => [...new Set([id, networks[id].coin.id])]),
      networkIds.map((id) => networks[id].name),
      coins.map(({ name }) => name),
      coins.map(({ ticker }) => ticker),
    ]) {
      expect(new Set(words).size, words.join()).toBe(words.length);
    }
  });

  test('a transaction is looked up over TLS, and every figure is one', () => {
    for (const id of networkIds) {
      const { explorer, confirmations, coin } = networks[id];
      expect(explorer).toMatch(/^https:\/\/[a-z.]+\/[a-z]+\/$/);
      expect(
        [confirmations, coin.decimals, coin.priceDecimals].every((n) => Number.isInteger(n) && n > 0),
      ).toBe(true);
    }
  });

  test('texts name the coins', () => {
    expect(anyCoin).toBe('Bitcoin, Ethereum, BnB or Ripple');
  });
});
