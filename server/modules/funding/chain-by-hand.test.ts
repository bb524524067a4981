import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcomes } from '../../testing/at-once.ts';
import { blockedBackends } from '../../testing/blocked.ts';
import { dayMs, hourMs } from '../../testing/clock.ts';
import { newInvestor, newInvestors } from '../../testing/ledger/investors.ts';
import { newBitcoinAddress, newTxid, type Offers, operator, withOffers } from '../../testing/money.ts';
import { type BitcoinNode, startBcoin } from '../../testing/outside/bcoin.ts';
import {
  bitcoinKey,
  type ChainServer,
  dealings,
  satoshi,
  setWayIn,
  startChainServer,
} from '../../testing/outside/chain-server.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { requestsOf } from './rules.ts';

let node: BitcoinNode;
let test: TestApp;
let server: ChainServer;
let offers: Offers;
const { asked, payTo, wallet, requests, payments, confirm } = dealings(() => server.context);

beforeAll(async () => {
  [node, test] = await Promise.all([startBcoin(), startTestApp()]);
  server = await startChainServer(test, { nodeUrls: { bitcoin: node.url } });
  offers = await withOffers(test);
  await setWayIn(server.context, 'Bitcoin', { key: bitcoinKey });
  await server.read();
});
// What one test has decided is longer than a day ago for the next.
beforeEach(() => test.clock.advance(dayMs + hourMs));
afterAll(async () => {
  await server.close();
  await test.close();
  await node.close();
});

const pay = (address: string, coins: number) => node.send({ address, units: satoshi(coins) });
async function mined(blocks: number): Promise<void> {
  await node.mine(blocks);
  await server.read();
}
/** 0.001 coins at the demo's price. */
const cents = 6_841n;
const refused = 'already_decided';

describe('one operator alone creates nothing', () => {
  it('of $10 no $1,000,000, nor $10, with an invented transaction id', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 10);
    const invented = { receivedCents: 100_000_000n, chainTxid: newTxid(), by: 'ada' };
    const because = { status: 'pending', secondBecause: 'Bitcoin does not show this payment' };
    expect(await confirm(request.id, invented)).toMatchObject(because);
    const again = { ...invented, chainTxid: invented.chainTxid.toUpperCase() };
    expect(await outcomes([confirm(request.id, invented), confirm(request.id, again)])).toEqual([
      'second_operator_needed',
      'second_operator_needed',
    ]);
    await server.context.funding.dropConfirmation({ id: request.id, actor: operator('ada') });
    const small = { receivedCents: 1_000n, by: 'ada' };
    expect(await confirm(request.id, small)).toMatchObject(because);
    expect(await wallet(userId)).toBe(0n);
  });

  it('of somebody else’s payment nothing, seen or credited, in whatever spelling', async () => {
    const [owner = '', thief = ''] = await newInvestors(test, 2);
    const { id } = await asked(thief, 70);
    const txid = await pay((await payTo(owner)).address, 0.001);
    const named = () =>
      [
        { chainTxid: txid },
        { chainTxid: txid.toUpperCase() },
        { chainTxid: ` ${txid} ` },
        { chainTxid: txid, chainOutput: 0 },
        { chainTxid: txid, chainOutput: 1 },
      ].map((way) => confirm(id, { receivedCents: cents, by: 'ada', ...way }));
    await mined(1);
    const output = (await requests(owner))[0]?.payment?.output;
    const seen = await outcomes(named());
    // The output that is not ours is nobody's deposit: the chain does not show it, and one alone only asks.
    expect(seen.filter((_, at) => at < 3 || at - 3 === output)).toEqual([refused, refused, refused, refused]);
    await server.context.funding.dropConfirmation({ id, actor: operator('ada') });
    await mined(1);
    expect(await wallet(owner)).toBe(cents);
    const credited = await outcomes(named());
    expect(credited.filter((_, at) => at < 3 || at - 3 === output)).toEqual(
      seen.filter((each) => each === refused),
    );
    expect(await wallet(thief)).toBe(0n);
  });

  it('no withdrawal is paid with what came to us', async () => {
    const userId = await newInvestor(test);
    const chainTxid = await pay((await payTo(userId)).address, 0.001);
    await mined(2);
    const { withdrawal } = server.context;
    const { id } = await withdrawal.askForWithdrawal({
      userId,
      methodId: offers.withdrawalMethods.Bitcoin,
      amountCents: 2_000n,
      address: newBitcoinAddress('bcrt'),
      idempotencyKey: null,
    });
    const step = { withdrawalId: id, idempotencyKey: null };
    await withdrawal.approveWithdrawal({ ...step, actor: operator('ada') });
    const seen = await pay((await payTo(userId)).address, 0.002);
    await mined(1);
    const paying = [chainTxid, seen].map((each) =>
      withdrawal.markWithdrawalPaid({ ...step, chainTxid: each, actor: operator('ada') }),
    );
    expect(await outcomes(paying)).toEqual([refused, refused]);
  });

  it('of a payout’s transaction nothing', async () => {
    const [payer = '', thief = ''] = await newInvestors(test, 2);
    await pay((await payTo(payer)).address, 0.001);
    await mined(2);
    const { withdrawal } = server.context;
    const { id } = await withdrawal.askForWithdrawal({
      userId: payer,
      methodId: offers.withdrawalMethods.Bitcoin,
      amountCents: 2_000n,
      address: newBitcoinAddress('bcrt'),
      idempotencyKey: null,
    });
    const step = { withdrawalId: id, actor: operator('ada'), idempotencyKey: null };
    await withdrawal.approveWithdrawal(step);
    const chainTxid = newTxid();
    // By two, where one is not enough.
    const paying = ['ada', 'ben'].map(
      (by) => () => withdrawal.markWithdrawalPaid({ ...step, chainTxid, actor: operator(by) }),
    );
    for (const pays of paying) await outcomes([pays()]);
    const request = await asked(thief, 20);
    const tries = [0, 1, null].map((chainOutput) =>
      confirm(request.id, { receivedCents: 2_000n, chainTxid, chainOutput, by: 'ada' }),
    );
    expect(await outcomes(tries)).toEqual([refused, refused, refused]);
  });

  it('of a request that the chain shows a payment for, nothing but that payment', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 70);
    await pay(request.paymentaddress, 0.001);
    await mined(1);
    const tries = ['ada', 'ben'].map((by) => confirm(request.id, { receivedCents: 90_000n, by }));
    expect(await outcomes(tries)).toEqual([refused, refused]);
    await mined(1);
    expect(await wallet(userId)).toBe(cents);
  });
});

describe('what an operator named before the chain showed it', () => {
  it('is the chain’s from then on, for the request that it was named for', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 70);
    const chainTxid = await pay(request.paymentaddress, 0.001);
    const named = { receivedCents: 90_000n, chainTxid };
    expect(await confirm(request.id, { ...named, by: 'ada' })).toMatchObject({ firstConfirmedBy: 'ada' });
    await mined(1);
    expect(await requests(userId)).toMatchObject([
      { id: request.id, firstConfirmedBy: null, receivedCents: null, payment: { cents } },
    ]);
    expect(await outcomes([confirm(request.id, { ...named, by: 'ben' })])).toEqual([refused]);
    await mined(1);
    expect(await wallet(userId)).toBe(cents);
  });

  it('and named for somebody else is its owner’s all the same', async () => {
    const [owner = '', thief = ''] = await newInvestors(test, 2);
    const chainTxid = await pay((await payTo(owner)).address, 0.001);
    const request = await asked(thief, 70);
    await confirm(request.id, { receivedCents: cents, chainTxid, by: 'ada' });
    await mined(2);
    expect([await wallet(owner), await wallet(thief)]).toEqual([cents, 0n]);
    expect(await requests(thief)).toMatchObject([{ status: 'pending', firstConfirmedBy: null }]);
  });

  it('and two had credited is not credited again, but watched from then on', async () => {
    const userId = await newInvestor(test);
    const request = await asked(userId, 70);
    const txid = await pay(request.paymentaddress, 0.001);
    for (const by of ['ada', 'ben'])
      await confirm(request.id, { receivedCents: 7_000n, chainTxid: txid, by });
    expect(await wallet(userId)).toBe(7_000n);
    await mined(3);
    expect(await wallet(userId)).toBe(7_000n);
    expect(await requests(userId)).toHaveLength(1);
    expect(await payments('bitcoin')).toContainEqual({ txid, state: 'credited', lost: false });
    await node.reorg(4, { drop: true });
    await server.read();
    expect(await server.context.withdrawal.freezeOf({ userId })).toMatchObject({ afterLoss: true });
  });

  it('and two had credited as a whole is not what others got of it', async () => {
    const [one = '', other = ''] = await newInvestors(test, 2);
    const request = await asked(one, 70);
    const theirs = await payTo(other);
    const txid = await node.send(
      { address: request.paymentaddress, units: satoshi(0.001) },
      { address: theirs.address, units: satoshi(0.002) },
    );
    for (const by of ['ada', 'ben'])
      await confirm(request.id, { receivedCents: 7_000n, chainTxid: txid, by });
    await mined(3);
    expect([await wallet(one), await wallet(other)]).toEqual([7_000n, 0n]);
    const states = (await payments('bitcoin')).filter((payment) => payment.txid === txid);
    expect(states.map(({ state }) => state).sort()).toEqual(['credited', 'seen']);
    // It is not forgotten: operators see it.
    test.clock.advance(hourMs);
    const strays = await server.context.operator.strayPayments();
    expect(strays).toContainEqual(expect.objectContaining({ txid, why: 'held-up', userId: other }));
  });

  it('by one as what paid a withdrawal, holds up nobody’s deposit', async () => {
    const userId = await newInvestor(test);
    const txid = await pay((await payTo(userId)).address, 0.001);
    const { owner } = test.context;
    const claim = [`bitcoin`, txid, 'TS-PAID-HERE'];
    await owner.query(`insert into payment_claims values ($1, $2, null, 'payout', $3, false)`, claim);
    await mined(1);
    const uses = async () =>
      (await owner.query('select use, final from payment_claims where txid = $1', [txid])).rows;
    expect(await uses()).toEqual([{ use: 'payout', final: false }]);
    await mined(1);
    expect(await wallet(userId)).toBe(cents);
    expect(await uses()).toEqual([{ use: 'deposit', final: true }]);
  });
});

describe('what comes after the account was closed', () => {
  it('is nobody’s, and told to the operators; two of them say whose it is', async () => {
    const [userId = '', again = ''] = await newInvestors(test, 2);
    const { address } = await payTo(userId);
    await test.context.owner.query('update users set closed_at = now() where id = $1', [userId]);
    const txid = await pay(address, 0.001);
    await mined(2);
    expect([await wallet(userId), await requests(userId)]).toEqual([0n, []]);
    const strays = (await server.context.operator.strayPayments()).filter((stray) => stray.txid === txid);
    expect(strays).toMatchObject([{ why: 'closed', userId, cents, transactionid: null }]);
    // Of a new account of the same person.
    const { id } = await asked(again, 70);
    const named = { receivedCents: cents, chainTxid: txid };
    expect(await confirm(id, { ...named, by: 'ada' })).toMatchObject({ status: 'pending' });
    expect(await confirm(id, { ...named, by: 'ben' })).toMatchObject({ status: 'confirmed' });
    expect(await wallet(again)).toBe(cents);
  });

  it('is nobody’s also when it is noticed at the moment of closing', async () => {
    await test.jobs.stop();
    const userId = await newInvestor(test);
    await pay((await payTo(userId)).address, 0.001);
    await node.mine(1);
    const closing = await test.context.owner.connect();
    try {
      await closing.query('begin');
      await closing.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [requestsOf(userId)]);
      const reading = server.read();
      await blockedBackends(test);
      await closing.query('update users set closed_at = now() where id = $1', [userId]);
      await closing.query('commit');
      await reading;
    } finally {
      closing.release();
    }
    expect(await requests(userId)).toEqual([]);
  });
});
