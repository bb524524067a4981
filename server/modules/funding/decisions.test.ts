import { randomUUID } from 'node:crypto';
import { fetchbalance, fetchrequests } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import { amountCentsMax } from '@tallystick/contract/money';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMoney } from '../../context.ts';
import { outcomes } from '../../testing/at-once.ts';
import { call } from '../../testing/call.ts';
import { newTxid, operator, setBounds, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import type { FundingRow } from './store.ts';

let test: TestApp;
let person: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  // What needs a second operator has a test of its own.
  await setBounds(test.context, { thresholdCents: amountCentsMax });
});
beforeEach(async () => {
  person = await signedIn(test);
});
afterAll(() => test.close());

const sums = (who = person) => call(test, summary, { as: who });
const available = async (who = person) => (await sums(who)).available;
const shown = async ({ id }: FundingRow) =>
  (await call(test, fetchrequests, { as: person })).request.find(({ _id }) => _id === id);

/** Each a second later than the one before, so that the newest is on the first page. */
function pending(dollars = 100, paymentname = 'Bitcoin'): Promise<FundingRow> {
  test.clock.advance(1000);
  return test.context.funding.askForFunding({
    userId: person.userid,
    paymentname,
    amountCents: BigInt(dollars) * 100n,
    idempotencyKey: null,
  });
}

type Confirmation = Parameters<TestApp['context']['funding']['confirmFunding']>[0];
const confirmation = (request: FundingRow, change: Partial<Confirmation> = {}): Confirmation => ({
  requestId: request.id,
  receivedCents: 10_000n,
  chainTxid: newTxid(),
  chainOutput: 0,
  actor: operator(),
  idempotencyKey: null,
  ...change,
});
const confirm = (request: FundingRow, change?: Partial<Confirmation>) =>
  test.context.funding.confirmFunding(confirmation(request, change));
const reject = (request: FundingRow, reason = 'Nothing arrived.', actor = operator()) =>
  test.context.funding.rejectFunding({ requestId: request.id, reason, actor, idempotencyKey: null });

/** What each promise came to: `done`, or the refusal's code. */
describe('confirming a request', () => {
  it('credits what was really received as one entry named after the method', async () => {
    const request = await pending(250, 'Ethereum');
    const chainTxid = newTxid('ethereum');
    await confirm(request, { receivedCents: 24_731n, chainTxid, chainOutput: null });
    expect(await shown(request)).toMatchObject({
      status: 'confirmed',
      amount: 250,
      received: 247.31,
      reason: null,
      decidedat: test.clock.now().toISOString(),
    });
    const { balance } = await call(test, fetchbalance, { as: person });
    expect(balance).toMatchObject([
      { fundingtype: 'Ethereum', finalBalance: 247.31, transactionid: request.transactionid },
    ]);
    expect(await available()).toBe(247.31);
  });

  it('pressed many times at once credits once, and the others are told who was first', async () => {
    const request = await pending();
    const before = await available();
    const presses = Array.from({ length: 20 }, (_, n) =>
      confirm(request, { actor: operator(`operator-${n}`) }),
    );
    expect((await outcomes(presses)).sort()).toEqual([...Array(19).fill('already_decided'), 'done']);
    expect(await available()).toBe(before + 100);
    await expect(confirm(request, { actor: operator('late') })).rejects.toMatchObject({
      message: 'This request was confirmed already, by another operator.',
      by: 'operator-0',
    });
  });

  it('with the same key again gives the first answer and credits nothing more', async () => {
    const request = await pending();
    const once = confirmation(request, { idempotencyKey: 'confirm-1' });
    const first = await test.context.funding.confirmFunding(once);
    const before = await available();
    expect(await test.context.funding.confirmFunding(once)).toEqual(first);
    expect(await available()).toBe(before);
    await expect(
      test.context.funding.confirmFunding({ ...once, receivedCents: 99_999n }),
    ).rejects.toMatchObject({ code: 'key_reused' });
  });

  it('of a request that never was is refused', async () => {
    const ghost = { ...(await pending()), id: randomUUID() };
    expect(await outcomes([confirm(ghost), reject(ghost)])).toEqual(['not_found', 'not_found']);
  });

  it('of nothing or less changes nothing', async () => {
    const request = await pending();
    const before = await available();
    expect(await outcomes([confirm(request, { receivedCents: 0n })])).not.toContain('done');
    expect(await outcomes([confirm(request, { receivedCents: -5_000n })])).not.toContain('done');
    expect([await available(), (await shown(request))?.status]).toEqual([before, 'pending']);
  });
});

describe('rejecting a request', () => {
  it('shows the investor the reason and moves nothing', async () => {
    const request = await pending();
    const before = await sums();
    await reject(request, 'The payment came back: <b>wrong</b> network.');
    expect(await shown(request)).toMatchObject({
      status: 'rejected',
      received: null,
      reason: 'The payment came back: <b>wrong</b> network.',
      decidedat: expect.any(String),
    });
    expect(await sums()).toEqual(before);
  });

  it('at the same moment as a confirmation: one of the two happens', async () => {
    const before = await available();
    const requests = await Promise.all(Array.from({ length: 10 }, () => pending()));
    const both = await Promise.all(
      requests.map((request) => outcomes([confirm(request), reject(request, 'No.', operator('second'))])),
    );
    expect(both.map((pair) => pair.toSorted())).toEqual(Array(10).fill(['already_decided', 'done']));
    const confirmed = both.filter(([first]) => first === 'done').length;
    expect(await available()).toBe(before + confirmed * 100);
  });
});

describe('one payment on the chain', () => {
  it('is credited once, and the operator is told for which request', async () => {
    const chainTxid = newTxid();
    const [first, second] = [await pending(), await pending()];
    await confirm(first, { chainTxid });
    await expect(confirm(second, { chainTxid })).rejects.toThrow(
      `This payment was credited before, for ${first.transactionid}.`,
    );
    expect((await shown(second))?.status).toBe('pending');
  });

  it.each<[string, (txid: string) => Partial<Confirmation>]>([
    ['in capitals', (txid) => ({ chainTxid: txid.toUpperCase() })],
    ['with spaces around it', (txid) => ({ chainTxid: ` ${txid} ` })],
    ['without its output', (txid) => ({ chainTxid: txid, chainOutput: null })],
  ])('is the same payment %s', async (_case, copied) => {
    const chainTxid = newTxid();
    const [first, second] = [await pending(), await pending()];
    await confirm(first, { chainTxid });
    expect(await outcomes([confirm(second, copied(chainTxid))])).toEqual(['already_decided']);
  });

  it.each([0n, -1n, 10n ** 17n])('of %i cents cannot have been received', async (receivedCents) => {
    expect(await outcomes([confirm(await pending(), { receivedCents })])).toEqual(['outside_range']);
  });

  it('is another payment with another output, and the same one with the same', async () => {
    const chainTxid = newTxid();
    const requests = await Promise.all(Array.from({ length: 3 }, () => pending()));
    const [first, second, third] = requests as [FundingRow, FundingRow, FundingRow];
    await confirm(first, { chainTxid });
    await confirm(second, { chainTxid, chainOutput: 1 });
    expect(await outcomes([confirm(third, { chainTxid, chainOutput: 1 })])).toEqual(['already_decided']);
  });

  it('is credited once when many requests are confirmed with it at the same moment', async () => {
    const before = await available();
    const chainTxid = newTxid();
    const requests = await Promise.all(Array.from({ length: 20 }, () => pending()));
    const results = await outcomes(requests.map((request) => confirm(request, { chainTxid })));
    expect(results.toSorted()).toEqual([...Array(19).fill('already_decided'), 'done']);
    expect(await available()).toBe(before + 100);
  });

  it('is credited once by two servers at the same moment, and the slower one is told so', async () => {
    const elsewhere = createMoney(test.context).funding;
    for (let round = 0; round < 10; round += 1) {
      const chainTxid = newTxid();
      const [here, there] = await Promise.all([pending(), pending()]);
      const results = await outcomes([
        confirm(here, { chainTxid }),
        elsewhere.confirmFunding(confirmation(there, { chainTxid })),
      ]);
      expect(results.toSorted()).toEqual(['already_decided', 'done']);
    }
  });

  it('cannot be credited twice by hand either: the database refuses it', async () => {
    const chainTxid = newTxid();
    const [first, second] = [await pending(), await pending()];
    await confirm(first, { chainTxid });
    await expect(
      test.context.owner.query(
        `update funding_requests set status = 'confirmed', received_cents = 1, decided_at = now(),
           network = 'bitcoin', chain_txid = $2, chain_output = 0 where id = $1`,
        [second.id, chainTxid],
      ),
    ).rejects.toThrow('funding_credited_once');
  });
});

describe('a decided request', () => {
  it('never changes again, not even by the owner of the table', async () => {
    const [confirmed, rejected] = [await pending(), await pending()];
    await confirm(confirmed);
    await reject(rejected);
    const { owner } = test.context;
    for (const { id } of [confirmed, rejected]) {
      for (const change of [
        "status = 'pending', decided_at = null, received_cents = null, reason = null",
        'received_cents = 999999',
        "reason = 'another'",
        'amount_cents = 1',
        `user_id = (select id from users limit 1)`,
      ]) {
        await expect(
          owner.query(`update funding_requests set ${change} where id = $1`, [id]),
        ).rejects.toThrow('has ended');
      }
    }
    expect(await outcomes([confirm(rejected), reject(confirmed), reject(rejected)])).toEqual(
      Array(3).fill('already_decided'),
    );
  });

  it('leaves a trace of who did what', async () => {
    const [confirmed, rejected] = [await pending(), await pending()];
    const chainTxid = newTxid();
    await confirm(confirmed, { receivedCents: 9_950n, chainTxid, actor: operator('vera') });
    await reject(rejected, 'Nothing arrived.', operator('omar'));
    await outcomes([confirm(rejected, { actor: operator('vera') })]);
    const { rows } = await test.context.owner.query(
      `select action, actor_kind, actor_id, subject_id, details from audit_log
       where details->>'transactionid' = any($1) order by id`,
      [[confirmed.transactionid, rejected.transactionid]],
    );
    expect(rows).toMatchObject([
      {
        action: 'funding.confirmed',
        actor_kind: 'operator',
        actor_id: 'vera',
        subject_id: person.userid,
        details: { transactionid: confirmed.transactionid, receivedCents: '9950', chainTxid },
      },
      {
        action: 'funding.rejected',
        actor_id: 'omar',
        subject_id: person.userid,
        details: { transactionid: rejected.transactionid, receivedCents: null, reason: 'Nothing arrived.' },
      },
    ]);
  });
});
