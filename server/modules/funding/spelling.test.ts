import { amountCentsMax } from '@tallystick/contract/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newInvestors } from '../../testing/ledger/investors.ts';
import { newTxid, operator, setBounds, withOffers } from '../../testing/money.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import type { FundingRow } from './store.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  await setBounds(test.context, { thresholdCents: amountCentsMax });
});
afterAll(() => test.close());

async function pending(paymentname: string): Promise<FundingRow> {
  const [userId = ''] = await newInvestors(test, 1);
  return test.context.funding.askForFunding({
    userId,
    paymentname,
    amountCents: 10_000n,
    idempotencyKey: null,
  });
}
const confirm = ({ id }: FundingRow, chainTxid: string) =>
  test.context.funding.confirmFunding({
    requestId: id,
    receivedCents: 10_000n,
    chainTxid,
    chainOutput: null,
    actor: operator(),
    idempotencyKey: null,
  });

describe('one payment on the chain', () => {
  it.each<[string, string, (digits: string) => string]>([
    ['Bitcoin', 'with 0x before it', (digits) => `0x${digits}`],
    ['Bitcoin', 'with dashes', (digits) => digits.replace(/(.{8})/g, '$1-')],
    ['Bitcoin', 'with a space in it', (digits) => `${digits.slice(0, 32)} ${digits.slice(32)}`],
    ['Bitcoin', 'with a digit more', (digits) => `${digits}0`],
    ['Bitcoin', 'with letters of another script', (digits) => `${digits.slice(0, 63)}а`],
    ['Ethereum', 'with 0x before it twice', (digits) => `0x0x${digits}`],
    ['Ethereum', 'without 0x', (digits) => digits],
    ['BnB', 'with 0x before it twice', (digits) => `0x0x${digits}`],
    ['Ripple', 'with 0x before it', (digits) => `0x${digits}`],
  ])('in another spelling is no payment at all: %s %s', async (paymentname, _case, spelled) => {
    const request = await pending(paymentname);
    await expect(confirm(request, spelled(newTxid()))).rejects.toMatchObject({
      code: 'outside_range',
      message: expect.stringMatching(/^The id of an? .+ transaction is .*64 characters/),
    });
    const { userId } = request;
    const { total } = await test.context.funding.pageOfRequests({ userId, status: 'pending', page: 1 });
    expect(total).toBe(1);
  });

  it.each([
    ['Bitcoin', 'bitcoin', (digits: string) => digits.toUpperCase(), (digits: string) => digits],
    ['Ethereum', 'ethereum', (d: string) => `0X${d.toUpperCase()}`, (d: string) => `0x${d}`],
    ['BnB', 'bnb', (d: string) => `0x${d.toUpperCase()}`, (d: string) => `0x${d}`],
    ['Ripple', 'xrp', (digits: string) => digits, (digits: string) => digits.toUpperCase()],
  ])('is kept in one spelling, and on the network of its method: %s', async (name, network, typed, kept) => {
    const digits = newTxid();
    const row = await confirm(await pending(name), typed(digits));
    expect([row.network, row.chainTxid]).toEqual([network, kept(digits)]);
    await expect(confirm(await pending(name), kept(digits))).rejects.toMatchObject({
      code: 'already_decided',
    });
  });
});
