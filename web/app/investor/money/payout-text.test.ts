import { expect, it } from 'vitest';
import { payoutText, sentToText } from './payout-text.ts';

const payout = {
  coins: '2128.021791',
  ticker: 'XRP',
  price: '0.5874',
  pricesource: 'live',
  priceat: '2026-11-16T04:46:10.000Z',
};

it('what is sent is told exactly, with the price it was counted at and when that was', () => {
  expect(payoutText(payout)).toBe('2,128.021791 XRP, at $0.5874 for 1 XRP, 16 Nov 2026, 04:46 UTC');
  expect(payoutText({ ...payout, pricesource: 'sample' })).toBe(
    '2,128.021791 XRP, at $0.5874 for 1 XRP, a sample price of 16 Nov 2026, 04:46 UTC',
  );
});

it('a tag goes wherever its address is told', () => {
  const withdrawaladdress = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  expect(sentToText({ withdrawaladdress, withdrawaltag: '104729' })).toMatch(/^rHb9.*, tag 104729$/);
  expect(sentToText({ withdrawaladdress, withdrawaltag: null })).not.toContain('tag');
});
