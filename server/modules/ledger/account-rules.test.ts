import { expect, it } from 'vitest';
import { AccountMap, onceEach } from './account-rules.ts';

const wallet = (ownerId: string) => ({ kind: 'wallet', ownerId }) as const;
const invested = (ownerId: string) => ({ kind: 'invested', ownerId }) as const;
const returns = { kind: 'returns', ownerId: null } as const;

it('each account has its own, by kind and owner', () => {
  const map = new AccountMap<string>();
  expect(map.get(wallet('ann'))).toBeUndefined();
  map.set(wallet('ann'), 'a purse');
  map.set(wallet('bob'), 'another');
  map.set(invested('ann'), 'a stake');
  map.set(returns, 'the house');
  map.set(wallet('ann'), 'a new purse');
  expect([wallet('ann'), wallet('bob'), invested('ann'), returns].map((ref) => map.get(ref))).toEqual([
    'a new purse',
    'another',
    'a stake',
    'the house',
  ]);
  expect([invested('bob'), { kind: 'payouts', ownerId: null } as const].map((ref) => map.get(ref))).toEqual([
    undefined,
    undefined,
  ]);
  expect(map.values()).toEqual(['a new purse', 'another', 'a stake', 'the house']);
});

it('what is deleted is gone, and nothing else', () => {
  const map = new AccountMap<number>();
  map.delete(wallet('ann'));
  map.set(wallet('ann'), 1);
  map.set(invested('ann'), 2);
  map.delete(wallet('ann'));
  map.delete(wallet('bob'));
  expect([map.get(wallet('ann')), map.get(invested('ann'))]).toEqual([undefined, 2]);
});

it('of one kind those go first that were there first, and no more than have to', () => {
  const map = new AccountMap<number>();
  map.shrink('wallet', 0);
  for (const [number, name] of ['ann', 'bob', 'cy'].entries()) {
    map.set(wallet(name), number);
    map.set(invested(name), 10 + number);
  }
  // Set again is not new.
  map.set(wallet('ann'), 5);
  map.shrink('wallet', 3);
  expect(map.values()).toEqual([5, 1, 2, 10, 11, 12]);
  map.shrink('wallet', 2);
  expect(map.values()).toEqual([1, 2, 10, 11, 12]);
});

it('who is named twice is named once', () => {
  expect(onceEach([])).toEqual([]);
  const named = [wallet('ann'), returns, wallet('bob'), wallet('ann'), invested('ann'), returns];
  expect(onceEach(named)).toEqual([wallet('ann'), wallet('bob'), returns, invested('ann')]);
});
