import { randomUUID } from 'node:crypto';
import type { Call } from '@tallystick/contract/call';
import { addbalance } from '@tallystick/contract/funding';
import { contact } from '@tallystick/contract/mail';
import { audit } from '@tallystick/contract/operator/audit';
import { boundschanges, checklist, proposebounds } from '@tallystick/contract/operator/checklist';
import { proposecorrection } from '@tallystick/contract/operator/investors';
import { handlemessage, messages } from '@tallystick/contract/operator/messages';
import { addpaymentmethod, addresschanges } from '@tallystick/contract/operator/methods';
import { addplan, planproposals } from '@tallystick/contract/operator/plans';
import * as calls from '@tallystick/contract/operator/queue';
import { cancelwithdrawal, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type Refused, refusal } from '../../../testing/call.ts';
import {
  deposit,
  goodAddress,
  newBitcoinAddress,
  newTxid,
  type Offers,
  withdrawalForm,
  withOffers,
} from '../../../testing/money.ts';
import { type Operator, signedInOperator } from '../../../testing/operators.ts';
import { type SignedIn, signedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let ada: Operator;
let ben: Operator;
let investor: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  ada = await signedInOperator(test);
  ben = await signedInOperator(test);
  investor = await signedIn(test);
  await deposit(test, investor.userid, 4_000);
});
afterAll(() => test.close());

const rawId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** What whoever comes late is told; with the same key once more they are told the same. */
async function toldLate(press: (key: string) => Promise<Refused<Call>>): Promise<string> {
  const key = randomUUID();
  const [first, again] = [await press(key), await press(key)];
  expect([first.code, again.text]).toEqual(['already_decided', first.text]);
  expect(first.message).not.toMatch(rawId);
  return first.message;
}

async function newDeposit(amount: number): Promise<string> {
  const body = { fundingtypename: 'Bitcoin', amount };
  return (await call(test, addbalance, { body, as: investor })).request._id;
}
const payment = (received: number) => ({ received, chaintransactionid: newTxid() });

async function newWithdrawal(): Promise<string> {
  const wanted = { withdrawalamount: 10, withdrawaladdress: newBitcoinAddress() };
  const body = withdrawalForm({ offers, who: investor }, wanted);
  return (await call(test, makenewwithdrawal, { body, as: investor })).withdrawal._id;
}

/** What waits for a second operator is agreed to, or dropped, by calls of its own. */
const deciding = { corrections: calls.corrections, boundschanges, addresschanges, planproposals };
type Kind = keyof typeof deciding;

async function waiting(kind: Kind): Promise<string> {
  const [first] = (await call(test, calls.queue, { as: ada }))[kind];
  if (!first) throw new Error(`none of the ${kind} waits`);
  return first._id;
}

describe('a refusal in the console names who was first, and never by an id', () => {
  const asking: Record<Kind, () => Promise<unknown>> = {
    corrections: () => {
      const body = { direction: 'add', amount: 1, reason: 'Counted too little.' } as const;
      return call(test, proposecorrection, { params: { id: investor.userid }, body, as: ada });
    },
    boundschanges: async () => {
      const { bounds } = await call(test, checklist, { as: ada });
      const body = { ...bounds, threshold: bounds.threshold - 1 };
      return call(test, proposebounds, { body, as: ada });
    },
    addresschanges: () => {
      const way = { network: 'bitcoin', paymentaddress: goodAddress.Bitcoin } as const;
      const body = { paymentname: `Bitcoin ${randomUUID()}`, ...way };
      return call(test, addpaymentmethod, { body, as: ada });
    },
    planproposals: () => {
      const body = { planname: randomUUID().slice(0, 8), from: 100, to: 200, duration: 1, roi: 1 };
      return call(test, addplan, { body, as: ada });
    },
  };

  it.each([
    ['corrections', 'This correction was posted', 'This correction was dropped'],
    ['boundschanges', 'These bounds were decided', 'These bounds were decided'],
    ['addresschanges', 'This change was decided', 'This change was decided'],
    ['planproposals', 'This draft was decided', 'This draft was decided'],
  ] as const)('%s', async (kind, agreed, dropped) => {
    const { confirm, discard } = deciding[kind];
    for (const [way, words] of [
      [confirm, agreed],
      [discard, dropped],
    ] as const) {
      await asking[kind]();
      const params = { id: await waiting(kind) };
      await call(test, way, { params, as: ben });
      for (const late of [confirm, discard]) {
        const told = await toldLate((key) => refusal(test, late, { params, as: ada, key }));
        expect(told).toBe(`${words} already, by ${ben.name}.`);
      }
    }
  });

  it.each([
    ['corrections', 'correction.posted', 'correction.dropped'],
    ['boundschanges', 'bounds.agreed', 'bounds.dropped'],
    ['addresschanges', 'payment-address.agreed', 'payment-address.dropped'],
    ['planproposals', 'plan.added', 'plan.dropped'],
  ] as const)('and the audit log who decided about %s, and who had asked', async (kind, agreed, dropped) => {
    const { confirm, discard } = deciding[kind];
    for (const [way, action] of [
      [confirm, agreed],
      [discard, dropped],
    ] as const) {
      await asking[kind]();
      await call(test, way, { params: { id: await waiting(kind) }, as: ben });
      const [last] = (await call(test, audit, { as: ada })).entries;
      expect(last).toMatchObject({ action, actorid: ben.id, details: { askedBy: ada.id } });
    }
  });

  it('deposits, the first of two confirmations as well', async () => {
    const one = { params: { id: await newDeposit(20) } };
    await call(test, calls.confirmdeposit, { ...one, body: payment(20), as: ben });
    const confirmed = `This request was confirmed already, by ${ben.name}.`;
    const other = { ...one, body: payment(20), as: ada };
    expect(await toldLate((key) => refusal(test, calls.confirmdeposit, { ...other, key }))).toBe(confirmed);
    expect(await toldLate((key) => refusal(test, calls.dropconfirmation, { ...one, as: ada, key }))).toBe(
      confirmed,
    );
    const two = { params: { id: await newDeposit(6_000) } };
    const entered = payment(6_000);
    await call(test, calls.confirmdeposit, { ...two, body: entered, as: ben });
    const less = { ...two, body: { ...entered, received: 5_999 }, as: ada };
    expect(await toldLate((key) => refusal(test, calls.confirmdeposit, { ...less, key }))).toBe(
      `${ben.name} confirmed $6,000.00 with the transaction id ${entered.chaintransactionid}. Confirm exactly that, or drop the first confirmation.`,
    );
    const rejecting = { ...two, body: { reason: 'It never came.' } };
    await call(test, calls.rejectdeposit, { ...rejecting, as: ben });
    const rejected = `This request was rejected already, by ${ben.name}.`;
    expect(await toldLate((key) => refusal(test, calls.rejectdeposit, { ...rejecting, as: ada, key }))).toBe(
      rejected,
    );
  });

  it('withdrawals, one that the investor took back as well', async () => {
    const toldOf = (id: string) =>
      toldLate((key) => refusal(test, calls.approvewithdrawal, { params: { id }, as: ada, key }));
    const approved = await newWithdrawal();
    await call(test, calls.approvewithdrawal, { params: { id: approved }, as: ben });
    expect(await toldOf(approved)).toBe(`This withdrawal was approved already, by ${ben.name}.`);
    const cancelled = await newWithdrawal();
    await call(test, cancelwithdrawal, { params: { withdrawalid: cancelled }, as: investor });
    expect(await toldOf(cancelled)).toBe('This withdrawal was cancelled already, by the investor.');
  });

  it('messages', async () => {
    const body = { name: 'Amara', email: 'amara@example.com', message: 'How long does it take?' };
    await call(test, contact, { body });
    const [written] = (await call(test, messages, { as: ada })).messages;
    const params = { id: written?._id ?? '' };
    await call(test, handlemessage, { params, as: ben });
    const told = await toldLate((key) => refusal(test, handlemessage, { params, as: ada, key }));
    expect(told).toBe(`This message was answered already, by ${ben.name}.`);
  });
});
