import { operatorsamplepayment, sendsamplepayment } from '@tallystick/contract/demo';
import { addbalance, fetchrequests } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import { networkIds, networks } from '@tallystick/contract/networks';
import { chains } from '@tallystick/contract/operator/networks';
import { confirmdeposit, queue } from '@tallystick/contract/operator/queue';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, refusal, send } from '../testing/call.ts';
import { secondMs } from '../testing/clock.ts';
import { goodAddress, newTxid, withOffers } from '../testing/money.ts';
import { type Operator, signedInOperator } from '../testing/operators.ts';
import { setWayIn } from '../testing/outside/chain-server.ts';
import { type SignedIn, signedIn } from '../testing/people.ts';
import { productionEnv } from '../testing/production.ts';
import { startTestApp, type TestApp } from '../testing/start-app.ts';
import { sampleHeight } from './sample-chain.ts';

let test: TestApp;
let ada: Operator;
let amara: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  ada = await signedInOperator(test);
});
afterAll(() => test.close());
beforeEach(async () => {
  amara = await signedIn(test);
});

async function asked(amount: number, fundingtypename = 'Bitcoin', as = amara): Promise<string> {
  return (await call(test, addbalance, { body: { fundingtypename, amount }, as })).request._id;
}
const press = (id: string, as = amara) => call(test, sendsamplepayment, { params: { id }, as });
const pressRefused = (id: string, as = amara) => refusal(test, sendsamplepayment, { params: { id }, as });
async function stateOf(id: string) {
  const { request } = await call(test, fetchrequests, { query: {}, as: amara });
  return request.find(({ _id }) => _id === id);
}
const balance = async () => (await call(test, summary, { as: amara })).available;
/** What happens by itself every two seconds. */
const read = () => test.context.sampleChain?.read();
async function pass(ms: number): Promise<void> {
  test.clock.advance(ms);
  await read();
}

describe('a sample payment', () => {
  it('is of the request whose button was pressed, seen, confirmed and added to the cent by itself', async () => {
    const older = await asked(100);
    const pressed = await asked(123.45);
    await press(pressed);
    await read();
    expect(await stateOf(pressed)).toMatchObject({
      status: 'pending',
      sample: true,
      explorer: null,
      payment: { confirmations: 0, needed: 2, worth: 123.45, pricesource: 'sample' },
    });
    expect(await balance()).toBe(0);
    await pass(4 * secondMs);
    expect(await stateOf(pressed)).toMatchObject({ status: 'pending', payment: { confirmations: 1 } });
    await pass(4 * secondMs);
    expect(await stateOf(pressed)).toMatchObject({ status: 'confirmed', received: 123.45 });
    expect(await balance()).toBe(123.45);
    expect(await stateOf(older)).toMatchObject({ status: 'pending', payment: null });
    const letters = await test.mailbox.letters(amara.email);
    expect(letters.slice(0, 2).map(({ subject }) => subject)).toEqual([
      'Your deposit arrived: $123.45 is in your wallet',
      'Your payment of 0.0018045 BTC was seen',
    ]);
  });

  it.each(networkIds.map((id) => networks[id].coin.name))(
    'of %s is there a few seconds later',
    async (name) => {
      const id = await asked(77.77, name);
      await press(id);
      for (let seconds = 0; seconds < 10; seconds += 2) await pass(2 * secondMs);
      expect(await stateOf(id)).toMatchObject({ status: 'confirmed', received: 77.77 });
      expect(await balance()).toBe(77.77);
    },
  );

  it('is made once, however often and by however many the button is pressed', async () => {
    const id = await asked(50);
    const byOperator = () => call(test, operatorsamplepayment, { params: { id }, as: ada });
    await Promise.all([press(id), press(id), byOperator(), press(id), byOperator()]);
    await pass(8 * secondMs);
    expect(await balance()).toBe(50);
    await press(id);
    await pass(8 * secondMs);
    expect(await balance()).toBe(50);
    const sent = await test.context.owner.query(
      `select from audit_log where action = 'sample-payment.sent' and subject_id = $1`,
      [amara.userid],
    );
    expect(sent.rowCount).toBe(1);
  });

  it('goes on after a restart', async () => {
    const id = await asked(60);
    await press(id);
    await test.restart();
    await pass(8 * secondMs);
    expect(await balance()).toBe(60);
  });

  it('above the threshold waits for an operator', async () => {
    const id = await asked(20_000);
    await press(id);
    await pass(8 * secondMs);
    expect(await stateOf(id)).toMatchObject({ status: 'pending', asks: true });
    const deposit = (await call(test, queue, { as: ada })).deposits.find(({ _id }) => _id === id);
    expect(deposit).toMatchObject({ sample: true, first: { bychain: true, received: 20_000 } });
    const { chaintransactionid = '', chainoutput } = deposit?.first ?? {};
    const body = { received: 20_000, chaintransactionid, ...(chainoutput != null && { chainoutput }) };
    await call(test, confirmdeposit, { params: { id }, body, as: ada });
    expect(await balance()).toBe(20_000);
  });

  it('is nobody’s but the owner’s to send', async () => {
    const id = await asked(50);
    expect(await pressRefused(id, await signedIn(test))).toMatchObject({ status: 404, code: 'not_found' });
    expect(await stateOf(id)).toMatchObject({ payment: null });
  });

  it('is refused where an operator has confirmed the request, which one still may alone', async () => {
    const id = await asked(50);
    const body = { received: 50, chaintransactionid: newTxid() };
    const { status } = await call(test, confirmdeposit, { params: { id }, body, as: ada });
    expect(status).toBe('confirmed');
    expect(await pressRefused(id)).toMatchObject({ status: 409, code: 'already_decided' });
    const waits = await asked(50);
    await call(test, confirmdeposit, {
      params: { id: waits },
      body: { received: 60, chaintransactionid: newTxid() },
      as: ada,
    });
    expect(await pressRefused(waits)).toMatchObject({ status: 409, code: 'already_decided' });
  });

  it('is refused at an address that is no sample', async () => {
    const id = await asked(50, 'Ethereum');
    await setWayIn(test.context, 'Ethereum', { source: 'fixed', paymentaddress: goodAddress.Ethereum });
    expect(await pressRefused(id)).toMatchObject({ status: 422, code: 'outside_range' });
  });
});

describe('a sample chain', () => {
  it('grows by the clock, and stays below every block of a real one', () => {
    const now = test.clock.now();
    for (const network of networkIds) {
      const height = sampleHeight(network, now);
      expect(sampleHeight(network, now)).toBe(height);
      expect(sampleHeight(network, new Date(now.getTime() + 8 * secondMs))).toBe(
        height + networks[network].confirmations,
      );
      expect(sampleHeight(network, new Date('2050-01-01'))).toBeLessThan(0);
    }
  });

  it('is no chain that is read: the console says so', async () => {
    for (const network of (await call(test, chains, { as: ada })).networks) {
      expect(network).toMatchObject({ watched: false, state: null, height: null });
    }
  });

  it('is not there in production', async () => {
    const production = await startTestApp(productionEnv);
    const id = crypto.randomUUID();
    for (const { path } of [sendsamplepayment, operatorsamplepayment]) {
      const { statusCode } = await send(production, 'POST', path.replace(':id', id));
      expect(statusCode, path).toBe(404);
    }
    await production.close();
  });
});
