import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcomes, times } from '../../../testing/at-once.ts';
import { minuteMs, secondMs } from '../../../testing/clock.ts';
import { newInvestor } from '../../../testing/ledger/investors.ts';
import { newBitcoinAddress, type Offers, withOffers } from '../../../testing/money.ts';
import { type BitcoinNode, startBcoin } from '../../../testing/outside/bcoin.ts';
import {
  type ChainServer,
  dealings,
  satoshi,
  setWayIn,
  startChainServer,
} from '../../../testing/outside/chain-server.ts';
import { payoutDealings, signed, signersKey } from '../../../testing/outside/payouts.ts';
import { type PriceServer, startPriceServer } from '../../../testing/outside/price-server.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let node: BitcoinNode;
let prices: PriceServer;
let test: TestApp;
let server: ChainServer;
let other: ChainServer;
let offers: Offers;
let userId: string;
const { payTo, wallet } = dealings(() => server.context);
const { approved, make, claim, release, sheet, statusOf, paidOut } = payoutDealings(
  () => server.context,
  () => offers,
);

beforeAll(async () => {
  [node, prices, test] = await Promise.all([startBcoin(), startPriceServer(), startTestApp()]);
  const settings = { nodeUrls: { bitcoin: node.url }, priceApiBase: prices.base };
  server = await startChainServer(test, settings);
  other = await startChainServer(test, settings);
  offers = await withOffers(test);
  await setWayIn(server.context, 'Bitcoin', { key: signersKey });
  await server.read();
  userId = await newInvestor(test);
  // Several coins, so that sheets need not wait for each other.
  for (const coins of times(6, (n) => 0.02 + n / 1000)) await pay((await payTo(userId)).address, coins);
  await mined();
});
afterAll(async () => {
  await Promise.all([server.close(), other.close()]);
  await test.close();
  await Promise.all([prices.close(), node.close()]);
});

const pay = (address: string, coins: number) => node.send({ address, units: satoshi(coins) });
async function mined(blocks = 2): Promise<void> {
  await node.mine(blocks);
  test.clock.advance(secondMs);
  await server.read();
}
const some = (count: number, dollars = 100) =>
  Promise.all(times(count, (n) => approved({ userId, dollars: dollars + n })));
const coinsOf = ({ inputs }: { inputs: { paymentId: string }[] }) => inputs.map(({ paymentId }) => paymentId);
const spendable = () => server.context.withdrawal.spendableUnits('bitcoin');

describe('a payout on Bitcoin', () => {
  it('pays three withdrawals by one transaction, signed elsewhere, and is marked paid by itself', async () => {
    const ids = await some(3);
    const before = { out: await paidOut(), coins: (await spendable()) ?? 0n };
    const made = await make(ids);
    const total = made.inputs.reduce((sum, { units }) => sum + units, 0n);
    const owed = made.items.reduce((sum, { units }) => sum + units, 0n);
    expect(made.items.map(({ units, amountCents }) => [units, amountCents])).toEqual(
      times(3, (n) => [(BigInt(100 + n) * 10n ** 9n) / 700_005n, BigInt(100 + n) * 100n]),
    );
    expect(total).toBe(owed + (made.changeUnits ?? 0n) + (made.feeUnits ?? 0n));
    expect(made.changePath).toBe("m/84'/1'/0'/1/0");
    expect(await spendable()).toBe(before.coins - total);
    const { psbt, txid } = await claim(made);
    expect(await node.broadcast(signed(psbt))).toBe(txid);
    await mined(1);
    const seen = await sheet(made);
    expect(seen.items.map(({ seen, status }) => [seen?.confirmations, status])).toEqual(
      times(3, () => [1, 'approved']),
    );
    await mined(1);
    expect(await Promise.all(ids.map(statusOf))).toEqual(
      times(3, (output) => ({ status: 'paid', txid, output, by: 'chain', first: null })),
    );
    expect((await sheet(made)).state).toBe('paid');
    expect((await paidOut()) - before.out).toBe(30_300n);
    expect(await server.context.withdrawal.oddPayouts()).toEqual([]);
    // What came back is spendable again, and nobody's deposit.
    expect(await spendable()).toBe(before.coins - owed - (made.feeUnits ?? 0n));
    const { rows } = await test.context.owner.query(
      `select p.state from network_payments p join network_addresses a on a.id = p.address_id where a.purpose = 'change'`,
    );
    expect(rows).toEqual([{ state: 'ours' }]);
    const { withdrawals } = await server.context.withdrawal.pageOfWithdrawals({
      ...{ userId, status: 'paid', page: 1 },
    });
    expect(withdrawals.map(({ coins }) => coins?.units)).toEqual(
      expect.arrayContaining(made.items.map(({ units }) => units)),
    );
  });

  it('is seen by a server that has just started, and by whichever reads', async () => {
    const [id = ''] = await some(1);
    const { psbt } = await claim(await make([id]));
    await server.restart();
    await node.broadcast(signed(psbt));
    await node.mine(1);
    await other.read();
    await server.restart();
    await node.mine(1);
    await server.read();
    expect(await statusOf(id)).toMatchObject({ status: 'paid', by: 'chain' });
  });

  it('with the same amount to the same address twice takes an output for each', async () => {
    const address = newBitcoinAddress('bcrt');
    const ids = [
      await approved({ userId, dollars: 50, address }),
      await approved({ userId, dollars: 50, address }),
    ];
    const { psbt } = await claim(await make(ids));
    await node.broadcast(signed(psbt));
    await mined();
    const paid = await Promise.all(ids.map(statusOf));
    expect(paid.map(({ status }) => status)).toEqual(['paid', 'paid']);
    expect(paid.map(({ output }) => output).sort()).toEqual([0, 1]);
  });

  it('is read once, however many servers read at the same time', async () => {
    const ids = await some(3);
    const before = await paidOut();
    const { psbt } = await claim(await make(ids));
    await node.broadcast(signed(psbt));
    await node.mine(2);
    await Promise.all([server.read(), other.read(), server.read(), other.read()]);
    await mined(1);
    expect((await paidOut()) - before).toBe(30_300n);
  });
});

describe('who asks for the same at once', () => {
  it('gets one sheet of the same withdrawals, on however many servers', async () => {
    for (const round of times(4, (n) => n)) {
      const ids = await some(2);
      const wish = { network: 'bitcoin', satPerVbyte: 2 + round } as const;
      const tries = times(6, (n) =>
        (n % 2 ? server : other).context.withdrawal.makeSheet({
          ...{ ...wish, withdrawalIds: n < 3 ? ids : ids.toReversed() },
          actor: { kind: 'operator', id: `operator ${n}` },
        }),
      );
      expect((await outcomes(tries)).sort()).toEqual([...times(5, () => 'already_decided'), 'done']);
      const open = (await server.context.withdrawal.sheets()).open.filter(({ items }) =>
        items.some(({ withdrawalId }) => ids.includes(withdrawalId)),
      );
      expect(open).toHaveLength(1);
      await server.context.withdrawal.discardSheet({
        sheetId: open[0]?.id ?? '',
        actor: { kind: 'operator', id: 'ada' },
      });
    }
  });

  it('gets sheets of different withdrawals that share no coin', async () => {
    const ids = await some(4, 60);
    const tries = ids.map((id, n) =>
      (n % 2 ? server : other).context.withdrawal.makeSheet({
        ...{ network: 'bitcoin', withdrawalIds: [id], satPerVbyte: 3 },
        actor: { kind: 'operator', id: 'ada' },
      }),
    );
    const made = (await Promise.allSettled(tries)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    expect(made.length).toBeGreaterThan(1);
    const coins = made.flatMap(coinsOf);
    expect(new Set(coins).size).toBe(coins.length);
    const change = made.map(({ changePath }) => changePath);
    expect(new Set(change).size).toBe(change.length);
    test.clock.advance(31 * minuteMs);
    await server.context.withdrawal.expireSheets();
    // A price is fetched behind the old one.
    await expect.poll(() => server.context.networks.freshPrice('bitcoin')).not.toBeNull();
    await expect.poll(() => other.context.networks.freshPrice('bitcoin')).not.toBeNull();
  });

  it('claims a sheet once, and not one that expires, is dropped or whose withdrawal is rejected meanwhile', async () => {
    const { withdrawal } = server.context;
    for (const round of times(6, (n) => n)) {
      const [id = ''] = await some(1);
      const made = await make([id]);
      const actor = { kind: 'operator', id: 'ben' } as const;
      const against = [
        () => withdrawal.discardSheet({ sheetId: made.id, actor }),
        () => withdrawal.rejectWithdrawal({ withdrawalId: id, reason: 'no', actor, idempotencyKey: null }),
        () => claim(made, 'eve'),
      ][round % 3] as () => Promise<unknown>;
      const results = await outcomes([claim(made), against(), claim(made, 'eve')]);
      const { state } = await sheet(made);
      const { status } = await statusOf(id);
      const claims = [results[0], results[2], ...(round % 3 === 2 ? [results[1]] : [])];
      expect(claims.filter((one) => one === 'done')).toHaveLength(state === 'claimed' ? 1 : 0);
      // On a sheet that stands it is neither rejected nor free.
      expect([state, status]).toEqual([
        results[1] === 'done' && round % 3 === 0 ? 'expired' : 'claimed',
        'approved',
      ]);
      if (state === 'claimed') await release(made);
    }
  });
});

describe('a sheet that was released', () => {
  it('is remade so that only one of both can confirm, whichever is sent', async () => {
    for (const sent of ['first', 'second'] as const) {
      const ids = await some(2, 80);
      const before = await paidOut();
      const first = await claim(await make(ids));
      await release(first);
      const second = await claim(await make([ids[1] ?? '', ids[0] ?? '']));
      expect(second.replaces).toContain(first.number);
      expect(coinsOf(first).some((coin) => coinsOf(second).includes(coin))).toBe(true);
      const [winner, loser] = sent === 'first' ? [first, second] : [second, first];
      await node.broadcast(signed(winner.psbt));
      await expect(node.broadcast(signed(loser.psbt))).rejects.toThrow();
      await mined();
      // It may lie about what waits for a coin that is gone; that never gets into a block.
      await node.broadcast(signed(loser.psbt)).catch(() => {});
      await mined(2);
      expect(await Promise.all(ids.map(statusOf))).toMatchObject(
        times(2, () => ({ status: 'paid', txid: winner.txid })),
      );
      expect((await paidOut()) - before).toBe(16_100n);
      expect((await sheet(second)).state).toBe('paid');
    }
  });

  it('needs a coin of each before it, and of none that cannot confirm any more', async () => {
    const [id = ''] = await some(1, 40);
    const first = await claim(await make([id]));
    await release(first);
    const second = await claim(await make([id]));
    await release(second);
    const third = await make([id]);
    expect(third.replaces).toEqual(expect.arrayContaining([first.number, second.number]));
    await server.context.withdrawal.discardSheet({
      sheetId: third.id,
      actor: { kind: 'operator', id: 'ada' },
    });
    // Another withdrawal is paid with the same coin: then none of the earlier ones can be sent.
    const [rival = ''] = await some(1, 45);
    const coins = new Set([...coinsOf(first), ...coinsOf(second)]);
    const others = await make([rival]);
    expect(coinsOf(others).some((coin) => coins.has(coin))).toBe(true);
    await node.broadcast(signed((await claim(others)).psbt));
    await mined();
    const fourth = await make([id]);
    expect(coinsOf(fourth).filter((coin) => coins.has(coin))).toEqual([]);
    expect(fourth.replaces).toEqual([]);
    await node.broadcast(signed((await claim(fourth)).psbt));
    await mined();
    expect(await statusOf(id)).toMatchObject({ status: 'paid' });
  });

  it('is not remade once its transaction is seen, nor released then; it is marked paid all the same', async () => {
    const [id = ''] = await some(1, 40);
    const first = await claim(await make([id]));
    const late = await claim(await make(await some(1, 41)));
    await release(first);
    await node.broadcast(signed(first.psbt));
    await node.broadcast(signed(late.psbt));
    await mined(1);
    const tries = await outcomes([make([id]), release(late)]);
    expect(tries).toEqual(['already_decided', 'already_decided']);
    await mined(1);
    expect(await statusOf(id)).toMatchObject({ status: 'paid', txid: first.txid });
    expect((await sheet(first)).state).toBe('released');
    expect((await sheet(late)).state).toBe('paid');
  });
});

it('the wallet of an investor has what was not withdrawn', async () => {
  expect(await wallet(userId)).toBeGreaterThan(0n);
  expect(await server.context.ledger.checkBooks()).toMatchObject({ findings: [] });
});
