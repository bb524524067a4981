import type { PayableWithdrawal } from '@tallystick/contract/operator/payouts';
import { expect, it } from 'vitest';
import { aboutText, allOf, chosenOf, sumOf, whyNot } from './sums.ts';

const withdrawal = (_id: string, amount: number, hindered: string | null = null): PayableWithdrawal => ({
  _id,
  transactionid: `TS-${_id}`,
  investor: { _id: 'i', fullname: 'Amara Okonkwo', email: 'a@example.com' },
  withdrawaladdress: 'bc1q',
  tag: null,
  amount,
  approvedat: '2026-11-15T10:00:00Z',
  hindered,
});
const all = [withdrawal('a', 100.1), withdrawal('b', 200.2), withdrawal('c', 400, 'Frozen')];

it('what cannot be put on a sheet is in no choice and no sum', () => {
  expect([...allOf(all)]).toEqual(['a', 'b']);
  const chosen = chosenOf(all, new Set(['b', 'c', 'gone']));
  expect(chosen.map(({ _id }) => _id)).toEqual(['b']);
  expect(sumOf(chosenOf(all, allOf(all)))).toBe(300_30n);
});

it('no more is chosen at once than a sheet holds', () => {
  const many = Array.from({ length: 150 }, (_, n) => withdrawal(String(n), 10));
  expect(allOf(many).size).toBe(100);
  expect(whyNot({ price: '100', spendable: null }, many)).toMatch(/holds 100/);
});

it('the coins are told about, with as many places as their price asks for', () => {
  expect(aboutText('bitcoin', 2_500_00n, '68412.5')).toBe('about 0.036543 BTC');
  expect(aboutText('xrp', 1_250_00n, '0.5874')).toBe('about 2,128.02 XRP');
});

it('a sheet that could not be made says so before it is asked for', () => {
  expect(whyNot({ price: null, spendable: '1' }, all)).toMatch(/^No price/);
  expect(whyNot({ price: '1000', spendable: '0.1' }, all)).toMatch(/more than the coins/);
  expect(whyNot({ price: '1000', spendable: '1' }, all)).toBeNull();
  expect(whyNot({ price: '1000', spendable: null }, all)).toBeNull();
});
