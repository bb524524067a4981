import type { FundingRequest, SeenPayment } from '@tallystick/contract/funding';
import { describe, expect, it } from 'vitest';
import { depositState, depositWorth } from './deposit-state.ts';
import { priceText, sourceText } from './price-text.ts';

const asked: FundingRequest = {
  _id: '1',
  transactionid: 'TS-7K4M-9XQ2',
  fundingtype: 'Bitcoin',
  paymentaddress: 'bc1q',
  tag: null,
  network: 'Bitcoin',
  coin: 'bitcoin',
  sample: false,
  amount: 500,
  coinamount: '0.007309',
  payuri: null,
  announced: true,
  watched: true,
  payment: null,
  asks: false,
  chaintransactionid: null,
  explorer: null,
  received: null,
  status: 'pending',
  reason: null,
  requestedat: '2026-11-16T02:00:00.000Z',
  decidedat: null,
};

const payment: SeenPayment = {
  chaintransactionid: 'ab',
  chainoutput: 0,
  coins: '0.01',
  confirmations: 1,
  needed: 2,
  lost: false,
  worth: 684.12,
  price: '68412.5',
  pricesource: 'live',
  priceat: '2026-11-16T02:00:00.000Z',
  seenat: '2026-11-16T02:00:00.000Z',
};
const seen = (change: Partial<SeenPayment> = {}, of: Partial<FundingRequest> = {}) =>
  depositState({ ...asked, ...of, payment: { ...payment, ...change } });

describe('where a deposit stands', () => {
  it('waits for a payment where the chain is read, for an operator where nobody reads it', () => {
    expect(depositState(asked)).toMatchObject({ name: 'Waiting for your payment', look: 'waiting' });
    expect(depositState({ ...asked, watched: false }).name).toBe('Waiting for confirmation');
  });

  it('is seen with as many confirmations as there are, and never with more than are needed', () => {
    expect(seen()).toMatchObject({ name: 'Seen, 1 of 2 confirmations', short: 'Seen, 1 of 2' });
    expect(seen().words).toContain('Worth $684.12');
    expect(seen({ confirmations: 9 }).name).toBe('Seen, 2 of 2 confirmations');
    expect(seen({ needed: 1 }).name).toBe('Seen, 1 of 1 confirmation');
  });

  it('stays added when its payment is gone with its block, and says that it is', () => {
    const added = { status: 'confirmed', received: 684.12, decidedat: '2026-11-16T03:00:00.000Z' } as const;
    expect(seen({ confirmations: 2 }, added).words).not.toContain('replaced');
    const lost = seen({ confirmations: 0, lost: true }, added);
    expect(lost).toMatchObject({ name: 'Added', look: 'done' });
    expect(lost.words).toMatch(
      /^\$684\.12 arrived and was added on 16 Nov 2026\. Its network has since replaced/,
    );
    expect(lost.words).toContain('Your balance stays as it is');
  });

  it('says what it waits for beyond its network', () => {
    expect(seen({ worth: null }).words).toContain('No fresh price');
    expect(seen({}, { asks: true }).words).toContain('An operator looks');
    expect(seen({}, { announced: false }).words).toContain('without a request');
  });

  it('is added with what arrived, or rejected with the reason', () => {
    const decided = { ...asked, status: 'confirmed', decidedat: '2026-11-16T03:00:00.000Z' } as const;
    expect(depositState({ ...decided, received: 684.12 })).toMatchObject({
      name: 'Added',
      words: '$684.12 arrived and was added on 16 Nov 2026.',
    });
    expect(depositState({ ...decided, received: 500 }).words).toBe('Added to your balance on 16 Nov 2026.');
    expect(depositState({ ...asked, status: 'rejected', reason: 'Gone.' }).words).toBe('Gone.');
  });

  it('is worth what was paid, then what was announced, and nothing invented', () => {
    expect(depositWorth(asked)).toBe('$500.00');
    expect(depositWorth({ ...asked, payment })).toBe('$684.12');
    expect(depositWorth({ ...asked, payment: { ...payment, worth: null } })).toBeNull();
  });
});

describe('the price that a deposit was counted with', () => {
  it('has every place that it was counted with', () => {
    expect(priceText('68412.5')).toBe('$68,412.50');
    expect(priceText('0.58741')).toBe('$0.58741');
    expect(priceText('600')).toBe('$600.00');
  });

  it('says where it comes from', () => {
    expect(sourceText('live')).toBe('Public price service');
    expect(sourceText('api.example.com')).toBe('api.example.com');
  });
});
