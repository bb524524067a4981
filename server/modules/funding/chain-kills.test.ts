import { afterAll, beforeAll, expect, it } from 'vitest';
import { times } from '../../testing/at-once.ts';
import { secondMs } from '../../testing/clock.ts';
import { newInvestors } from '../../testing/ledger/investors.ts';
import { withOffers } from '../../testing/money.ts';
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

let node: BitcoinNode;
let test: TestApp;
let server: ChainServer;
let other: ChainServer;
const { payTo, wallet, payments } = dealings(() => server.context);

beforeAll(async () => {
  [node, test] = await Promise.all([startBcoin(), startTestApp()]);
  server = await startChainServer(test, { nodeUrls: { bitcoin: node.url } });
  other = await startChainServer(test, { nodeUrls: { bitcoin: node.url } });
  await withOffers(test);
  await setWayIn(server.context, 'Bitcoin', { key: bitcoinKey });
  await server.read();
});
afterAll(async () => {
  await Promise.all([server.close(), other.close()]);
  await test.close();
  await node.close();
});

/** 0.001 coins at the demo's price. */
const cents = 6_841n;
const stateNow = async () => (await server.context.networks.states()).get('bitcoin')?.state;

/** Each deposit is in the books once, and the books match themselves. */
async function eachOnce(investors: string[], count: number): Promise<void> {
  expect(await Promise.all(investors.map(wallet))).toEqual(investors.map(() => cents * BigInt(count)));
  const { rows } = await test.context.owner.query(
    `select count(*)::int as claims, count(distinct (txid, output))::int as payments from payment_claims`,
  );
  expect(rows[0].claims).toBe(rows[0].payments);
  expect((await server.context.ledger.checkBooks()).findings).toEqual([]);
}

/** The database forgets everyone who is in the middle of a transaction. */
const cutOff = () =>
  test.context.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
  );

it('the node is killed and restarted in the middle of 50 payments: each is credited once', async () => {
  const investors = await newInvestors(test, 50);
  const addresses = await Promise.all(investors.map((userId) => payTo(userId)));
  for (const [at, { address }] of addresses.entries()) {
    await node.send({ address, units: satoshi(0.001) });
    if (at % 7 === 3) await node.mine();
    if (at % 11 === 5) await server.read();
    if (at % 23 === 9) {
      await node.kill();
      await server.read();
      expect(await stateNow()).toBe('away');
      await node.restart();
    }
  }
  await node.mine(2);
  test.clock.advance(secondMs);
  await server.read();
  expect(await stateNow()).toBe('following');
  expect(await payments('bitcoin')).toHaveLength(50);
  await eachOnce(investors, 1);
});

it('servers end and begin anew at any block, two of them reading at once: each block and payment once', async () => {
  const investors = await newInvestors(test, 4);
  const before = (await payments('bitcoin')).length;
  for (const round of times(6, (n) => n)) {
    const outputs = await Promise.all(
      investors.map(async (userId) => ({ address: (await payTo(userId)).address, units: satoshi(0.001) })),
    );
    await node.send(...outputs);
    await node.mine(1 + (round % 3));
    const reading = Promise.all([server.read(), other.read(), server.read(), other.read()]);
    // Cut off in the middle of whatever they do, and begun anew.
    if (round % 2 === 0) await cutOff();
    await reading.catch(() => {});
    if (round % 2 === 0) await other.restart();
  }
  await node.mine(2);
  await Promise.all([server.read(), other.read()]);
  await server.restart();
  await server.read();
  expect(await payments('bitcoin')).toHaveLength(before + 24);
  await eachOnce(investors, 6);
  const { rows } = await test.context.owner.query(
    `select count(*)::int as blocks, max(height) - min(height) + 1 as span from network_blocks`,
  );
  expect(rows[0].blocks).toBe(rows[0].span);
});

it('what was read and not credited when a server ended is credited by the next', async () => {
  const [userId = ''] = await newInvestors(test, 1);
  await node.send({ address: (await payTo(userId)).address, units: satoshi(0.001) });
  await node.mine(2);
  const { networks } = server.context;
  let read = 0;
  const readers = networks.readers({
    async afterReading() {
      read += 1;
      throw new Error('the server ended');
    },
    onGone: () => Promise.reject(new Error('nothing is gone')),
  });
  await Promise.all(readers.map((reads) => reads()));
  expect(read).toBe(1);
  expect(await wallet(userId)).toBe(0n);
  await server.restart();
  await server.read();
  await server.read();
  await eachOnce([userId], 1);
});
