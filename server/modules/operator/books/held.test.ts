import { createHash } from 'node:crypto';
import { Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAccountKey } from '../../../platform/chains/account-key.ts';
import { buildPayout } from '../../../platform/chains/bitcoin/psbt.ts';
import { outcomes } from '../../../testing/at-once.ts';
import { secondMs } from '../../../testing/clock.ts';
import { newInvestor } from '../../../testing/ledger/investors.ts';
import { goodAddress, withOffers } from '../../../testing/money.ts';
import { type BitcoinNode, startBcoin } from '../../../testing/outside/bcoin.ts';
import {
  bitcoinKey,
  type ChainServer,
  dealings,
  holdings,
  satoshi,
  setWayIn,
  startChainServer,
} from '../../../testing/outside/chain-server.ts';
import { type PriceServer, startPriceServer } from '../../../testing/outside/price-server.ts';
import { masterKeyOf, publicKeyAt, publishedWords } from '../../../testing/outside/seeds.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let bitcoin: BitcoinNode;
let prices: PriceServer;
let test: TestApp;
let server: ChainServer;
const { payTo } = dealings(() => server.context);
const { ada, ben, heldOn, list, agree, coldNow } = holdings(() => server.context);

const wallet = masterKeyOf(publishedWords);
const coldAccount = createAccountKey(publicKeyAt(wallet, "m/84'/1'/7'", 'vpub'), {
  family: 'bitcoin',
  network: 'regtest',
});
const coldAt = (index: number) => coldAccount.addressAt(0, index).address;

beforeAll(async () => {
  [bitcoin, prices, test] = await Promise.all([startBcoin(), startPriceServer(), startTestApp()]);
  server = await startChainServer(test, { nodeUrls: { bitcoin: bitcoin.url }, priceApiBase: prices.base });
  await withOffers(test);
  await setWayIn(server.context, 'Bitcoin', { key: bitcoinKey });
  await server.read();
});
beforeEach(() => test.clock.advance(secondMs));
afterAll(async () => {
  await server.close();
  await test.close();
  await Promise.all([prices.close(), bitcoin.close()]);
});

async function goOn(): Promise<void> {
  await bitcoin.mine(1);
  test.clock.advance(secondMs);
  await server.read();
}

describe('what is held on Bitcoin', () => {
  it('is what was paid to investors’ addresses and not spent, as of the block that was read', async () => {
    const to = (await payTo(await newInvestor(test))).address;
    const before = (await heldOn('bitcoin')).units;
    await bitcoin.send({ address: to, units: satoshi(0.5) });
    await goOn();
    const height = await bitcoin.rpc.call('getblockcount', [], z.int());
    const now = await heldOn('bitcoin');
    expect(now).toMatchObject({ units: before + satoshi(0.5), coldUnits: 0n, height, unlooked: 0 });
    // At 70,000.50 dollars a coin.
    expect(now.cents).toBe((now.units * 7_000_050n) / 100_000_000n);
    expect(now.price).toMatchObject({ price: '70000.5', isFresh: true });
  });

  it('vanishes with its block and comes again with another', async () => {
    const to = (await payTo(await newInvestor(test))).address;
    const before = (await heldOn('bitcoin')).units;
    await bitcoin.send({ address: to, units: satoshi(0.25) });
    await goOn();
    expect((await heldOn('bitcoin')).units).toBe(before + satoshi(0.25));
    await bitcoin.reorg(1);
    await server.read();
    expect((await heldOn('bitcoin')).units).toBe(before);
    await goOn();
    expect((await heldOn('bitcoin')).units).toBe(before + satoshi(0.25));
  });
});

describe('a cold address on Bitcoin', () => {
  it('counts from the next block on once a second operator has agreed, and one alone adds nothing', async () => {
    const address = coldAt(0);
    const before = (await heldOn('bitcoin')).units;
    await list('bitcoin', address);
    expect(await outcomes([agree(ada)])).toEqual(['second_operator_needed']);
    await bitcoin.send({ address, units: satoshi(3) });
    await goOn();
    expect(await heldOn('bitcoin')).toMatchObject({ units: before, coldUnits: 0n });
    expect(await coldNow(address)).toBeUndefined();
    const read = (await server.context.networks.heights()).get('bitcoin')?.height ?? 0;
    await agree();
    expect(await coldNow(address)).toMatchObject({ units: 0n, heightFrom: read + 1, listedBy: ada.id });
    await bitcoin.send({ address, units: satoshi(2) });
    await goOn();
    expect(await heldOn('bitcoin')).toMatchObject({ units: before + satoshi(2), coldUnits: satoshi(2) });
    const { rows } = await test.context.owner.query(
      `select p.state from network_payments p join network_addresses a on a.id = p.address_id where a.address = $1`,
      [address],
    );
    expect(rows).toEqual([{ state: 'ours' }]);
  });

  it('brings the coins that lay there before, named one by one and seen by the node', async () => {
    const [address, other] = [coldAt(1), coldAt(2)];
    const before = (await heldOn('bitcoin')).units;
    const txid = await bitcoin.send(
      { address, units: satoshi(1) },
      { address: other, units: satoshi(9) },
      { address, units: satoshi(0.125) },
    );
    await goOn();
    const wrong = [
      list('bitcoin', address, { coins: [`${txid}:1`] }),
      list('bitcoin', address, { coins: [`${txid}:7`] }),
      list('bitcoin', address, { coins: [`${'ab'.repeat(32)}:0`] }),
    ];
    expect(await outcomes(wrong)).toEqual(['outside_range', 'outside_range', 'outside_range']);
    await list('bitcoin', address, { coins: [`${txid}:0`, `${txid}:2`, `${txid}:0`] });
    expect((await heldOn('bitcoin')).units).toBe(before);
    await agree();
    expect((await heldOn('bitcoin')).units).toBe(before + satoshi(1.125));
    expect(await coldNow(address)).toMatchObject({ units: satoshi(1.125), coinsNamed: 3 });
    // Their blocks may be replaced like all others.
    await goOn();
    await bitcoin.reorg(2);
    await server.read();
    expect((await heldOn('bitcoin')).units).toBe(before);
    await goOn();
    expect((await heldOn('bitcoin')).units).toBe(before + satoshi(1.125));
  });

  it('is worth less once its coins are spent, and again what it was when that is taken back', async () => {
    const [address, other] = [coldAccount.addressAt(0, 3), coldAccount.addressAt(0, 4)];
    const txid = await bitcoin.send({ address: address.address, units: satoshi(1) });
    await goOn();
    await list('bitcoin', address.address, { coins: [`${txid}:0`] });
    await agree();
    const before = (await heldOn('bitcoin')).units;
    const { psbt } = buildPayout({
      network: 'regtest',
      coins: [{ txid, output: 0, units: satoshi(1), at: address }],
      payments: [{ address: other.address, units: satoshi(0.25) }],
      change: other,
      satPerVbyte: 10,
    });
    const transaction = Transaction.fromPSBT(psbt);
    transaction.sign(wallet.derive("m/84'/1'/7'/0/3").privateKey as Uint8Array);
    transaction.finalize();
    await bitcoin.broadcast(transaction.hex);
    await goOn();
    expect((await heldOn('bitcoin')).units).toBe(before - satoshi(1));
    await bitcoin.reorg(1, { drop: true });
    await server.read();
    expect((await heldOn('bitcoin')).units).toBe(before);
    await bitcoin.broadcast(transaction.hex);
    await goOn();
    // What is gone by the time that a second operator agrees does not come to count.
    await list('bitcoin', other.address, { coins: [`${transaction.id}:0`] });
    await bitcoin.reorg(1, { drop: true });
    expect(await outcomes([agree()])).toEqual(['outside_range']);
    const [waiting] = await server.context.networks.waitingColdChanges();
    await server.context.networks.discardColdChange({ id: waiting?.id ?? '', actor: ada });
    await server.read();
  });

  it('has every payment from the block that it says on, however it is listed while the chain is read', async () => {
    for (let index = 10; index < 16; index += 1) {
      const address = coldAt(index);
      await list('bitcoin', address);
      await bitcoin.send({ address, units: satoshi(0.01) });
      await bitcoin.mine(1);
      const height = await bitcoin.rpc.call('getblockcount', [], z.int());
      await Promise.all(index % 2 === 0 ? [server.read(), agree()] : [agree(), server.read()]);
      await goOn();
      const cold = await coldNow(address);
      const isCounted = (cold?.heightFrom ?? 0) <= height;
      expect([cold?.heightFrom, cold?.units]).toEqual([
        isCounted ? height : height + 1,
        isCounted ? satoshi(0.01) : 0n,
      ]);
    }
  });

  it('counts no more once two have agreed to that, keeps its history, and can be listed again', async () => {
    const address = coldAt(0);
    const before = await heldOn('bitcoin');
    const listed = await coldNow(address);
    const { networks } = server.context;
    await networks.removeColdAddress({ id: listed?.id ?? '', actor: ben });
    expect(await outcomes([agree(ben)])).toEqual(['second_operator_needed']);
    expect((await heldOn('bitcoin')).units).toBe(before.units);
    await agree(ada);
    expect((await heldOn('bitcoin')).units).toBe(before.units - satoshi(2));
    expect(await outcomes([networks.removeColdAddress({ id: listed?.id ?? '', actor: ben })])).toEqual([
      'not_found',
    ]);
    await expect(test.context.owner.query('delete from cold_addresses')).rejects.toThrow('append-only');
    await list('bitcoin', address, { by: ben });
    await agree(ada);
    expect((await heldOn('bitcoin')).units).toBe(before.units);
    expect((await coldNow(address))?.heightFrom).toBe(listed?.heightFrom);
  });

  it('is none that deposits come to, none of another chain, none that is listed already', async () => {
    const investors = (await payTo(await newInvestor(test))).address;
    expect(
      await outcomes([
        list('bitcoin', investors),
        list('bitcoin', goodAddress.Bitcoin),
        list('bitcoin', coldAt(0)),
        list('bnb', goodAddress.BnB),
      ]),
    ).toEqual(['address_wrong', 'address_wrong', 'already_decided', 'outside_range']);
    await list('bitcoin', coldAt(5));
    expect(await outcomes([list('bitcoin', coldAt(5), { by: ben })])).toEqual(['already_decided']);
    const [waiting] = await server.context.networks.waitingColdChanges();
    await server.context.networks.discardColdChange({ id: waiting?.id ?? '', actor: ada });
    expect(await coldNow(coldAt(5))).toBeUndefined();
  });

  it('is not written down without two, whoever writes', async () => {
    const { owner } = test.context;
    const change = await owner.query<{ id: string }>(
      `insert into cold_address_changes (network, address, match, label, removes, asked_by, asked_at)
       values ('bitcoin', 'x', 'x', 'x', false, 'ada', now()) returning id`,
    );
    const id = change.rows[0]?.id;
    await expect(
      owner.query(
        `update cold_address_changes set agreed = true, decided_by = 'ada', decided_at = now() where id = $1`,
        [id],
      ),
    ).rejects.toThrow('violates check');
    await expect(
      owner.query(
        `insert into cold_addresses (network, address_id, label, height_from, change_id, listed_at)
         select 'bitcoin', id, 'x', 1, $1, now() from network_addresses limit 1`,
        [id],
      ),
    ).rejects.toThrow('nobody agreed');
    await server.context.networks.discardColdChange({ id: id ?? '', actor: ada });
  });
});

describe('a statement of the books', () => {
  /** As RFC 6962 says it: by halves. */
  function rootOf(leaves: Buffer[]): Buffer {
    const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
    const [only, second] = leaves;
    if (only && !second) return sha256(Buffer.from([0]), only);
    const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
    return sha256(Buffer.from([1]), rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
  }

  it('tells what is held, cold addresses by name, and investors’ own by their root alone', async () => {
    await bitcoin.send({ address: (await payTo(await newInvestor(test))).address, units: satoshi(0.3) });
    await goOn();
    test.clock.advance(120 * secondMs);
    const held = await heldOn('bitcoin');
    const { number } = await server.context.proof.prove();
    const { rows: entries } = await test.context.owner.query(
      'select entry from log_entries e join proof_statements s on s.entry_id = e.id where s.number = $1',
      [String(number)],
    );
    const lines = String(entries[0].entry).split('\n');
    const told = (name: string) => lines.filter((line) => line.startsWith(`${name} `));
    expect(told('held')).toEqual([
      expect.stringMatching(
        new RegExp(`^held bitcoin ${held.units} ${held.cents} 70000.5 \\S+Z ${held.height} \\S+Z$`),
      ),
    ]);
    const { rows } = await test.context.owner.query<{ address: string; units: string }>(
      `select a.address, sum(p.units)::text as units from network_payments p
       join network_addresses a on a.id = p.address_id
       where a.key_id is not null and p.spent_txid is null and p.state <> 'vanished' and p.lost_at is null
       group by a.id`,
    );
    const list = rows.map(({ address, units }) => `${address} ${units}\n`).sort();
    const units = rows.reduce((sum, row) => sum + BigInt(row.units), 0n);
    const root = rootOf(list.map((line) => Buffer.from(line))).toString('hex');
    expect(told('derived')).toEqual([`derived bitcoin ${rows.length} ${units} ${root}`]);
    expect(told('cold').length > 0 || held.coldUnits === 0n).toBe(true);
    const of = (name: string) => told(name).reduce((sum, line) => sum + BigInt(line.split(' ')[2] ?? 0), 0n);
    expect(units + of('cold') + of('shared')).toBe(held.units);
    const key = createHash('sha256').update(bitcoinKey).digest('hex');
    expect(told('key')).toEqual([`key bitcoin ${key}`]);
    expect(lines.some((line) => rows.some(({ address }) => line.includes(address)))).toBe(false);
  });
});
