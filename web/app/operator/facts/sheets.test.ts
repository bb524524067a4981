import type { PayoutSheet, SheetItem } from '@tallystick/contract/operator/payouts';
import { describe, expect, it } from 'vitest';
import { itemWords, leftText, sheetWords } from './sheets.ts';

const item = (change: Partial<SheetItem> = {}): SheetItem => ({
  _id: '1',
  transactionid: 'TS-1',
  investor: { _id: 'i', fullname: 'Amara Okonkwo', email: 'a@example.com' },
  withdrawaladdress: 'bc1q',
  tag: null,
  amount: 100,
  coins: '0.001',
  status: 'approved',
  chainoutput: 0,
  chaintransactionid: null,
  confirmations: null,
  payuri: null,
  ...change,
});
const sheet = (state: PayoutSheet['state'], items: SheetItem[]) => ({ state, needed: 2, items });
const seen = (confirmations: number) => item({ confirmations });
const paid = item({ status: 'paid', confirmations: 9 });

describe('a payout sheet', () => {
  it('says whether somebody has claimed it, and how it ended', () => {
    expect(sheetWords(sheet('made', [item()])).chip).toBe('Not claimed');
    expect(sheetWords(sheet('claimed', [item()])).chip).toBe('Claimed');
    expect(sheetWords(sheet('paid', [paid])).chip).toBe('Paid');
    expect(sheetWords(sheet('released', [item()])).chip).toBe('Released');
    expect(sheetWords(sheet('expired', [item()])).chip).toBe('Expired');
  });

  it('that is being paid is as far as its slowest payment', () => {
    expect(sheetWords(sheet('claimed', [seen(1), item(), paid])).chip).toBe('1 of 2 seen');
    expect(sheetWords(sheet('claimed', [seen(1), seen(0)])).chip).toBe('Seen, 0 of 2');
    expect(sheetWords(sheet('claimed', [seen(7), paid])).chip).toBe('Seen, 2 of 2');
  });
});

it('a withdrawal on a sheet says where its own payment stands', () => {
  const on = (state: PayoutSheet['state'], one: SheetItem) => itemWords(one, sheet(state, [one])).chip;
  expect(on('made', item())).toBe('Not sent');
  expect(on('claimed', item())).toBe('To be sent');
  expect(on('claimed', seen(1))).toBe('Seen, 1 of 2');
  expect(on('released', paid)).toBe('Paid');
  expect(on('expired', item({ status: 'rejected' }))).toBe('Rejected');
});

it('what is left until it expires is told to the second, and never below nothing', () => {
  const now = new Date('2026-11-16T05:00:00.400Z');
  expect(leftText('2026-11-16T05:27:04.000Z', now)).toBe('27:04');
  expect(leftText('2026-11-16T05:00:09.000Z', now)).toBe('0:09');
  expect(leftText('2026-11-16T04:59:00.000Z', now)).toBe('0:00');
});
