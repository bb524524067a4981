import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { minuteMs, secondMs } from '../../testing/clock.ts';
import { newInvestor } from '../../testing/ledger/investors.ts';
import { withOffers } from '../../testing/money.ts';
import {
  type ChainServer,
  dealings,
  evmKey,
  setWayIn,
  startChainServer,
  units,
} from '../../testing/outside/chain-server.ts';
import { type MadeUpEvm, startMadeUpEvm } from '../../testing/outside/made-up-evm.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { watchersOf } from '../../work.ts';

let ethereum: MadeUpEvm;
let test: TestApp;
let server: ChainServer;
const { payTo, wallet } = dealings(() => server.context);

beforeAll(async () => {
  [ethereum, test] = await Promise.all([startMadeUpEvm({ chainId: 1 }), startTestApp()]);
  server = await startChainServer(test, { nodeUrls: { ethereum: ethereum.url }, chainIds: { ethereum: 1 } });
  await withOffers(test);
  await setWayIn(server.context, 'Ethereum', { key: evmKey });
  await server.read();
});
beforeEach(() => {
  ethereum.lies = {};
});
afterAll(async () => {
  await server.close();
  await test.close();
  await ethereum.close();
});

async function read() {
  test.clock.advance(secondMs);
  await server.read();
  return (await server.context.networks.states()).get('ethereum');
}
const pay = async (userId: string) =>
  ethereum.block({
    to: (await payTo(userId, 'Ethereum')).address.toLowerCase(),
    units: units(0.1, 18),
  });

it('blocks that a node cannot give together are read one by one', async () => {
  const userId = await newInvestor(test);
  await pay(userId);
  ethereum.mine(12);
  ethereum.lies = { eth_getBlockByNumber: ({ together, truth }) => (together > 1 ? 'too much' : truth) };
  for (let looks = 0; (await read())?.state !== 'following'; looks += 1) expect(looks).toBeLessThan(15);
  expect(await wallet(userId)).toBeGreaterThan(0n);
});

it('of another chain it is asked a few times where the branch began, not a thousand', async () => {
  ethereum.mine(400);
  await read();
  let asked = 0;
  ethereum.lies = {
    eth_getBlockByNumber({ first }) {
      asked += 1;
      const number = first === 'latest' ? '0x1000' : first;
      const hash = `0x${BigInt(number).toString(16).padStart(63, '0')}f`;
      return { number, hash, parentHash: hash, timestamp: '0x1', transactions: [] };
    },
  };
  expect(await read()).toMatchObject({ state: 'wrong-chain' });
  expect(asked).toBeLessThan(20);
  ethereum.lies = {};
  expect((await read())?.state).toBe('following');
});

it('that says nothing of what addresses hold still shows what was paid', async () => {
  const userId = await newInvestor(test);
  await pay(userId);
  ethereum.mine(12);
  ethereum.lies = { eth_getBalance: () => 'nothing' };
  test.clock.advance(2 * minuteMs);
  await expect(read()).rejects.toThrow('eth_getBalance');
  expect(await wallet(userId)).toBeGreaterThan(0n);
  expect((await server.context.networks.states()).get('ethereum')).toMatchObject({ state: 'following' });
});

it('heights that nobody can count to are nonsense', async () => {
  ethereum.lies = {
    eth_getBlockByNumber: () => ({
      number: '0x2540be400',
      hash: `0x${'1'.repeat(64)}`,
      parentHash: `0x${'2'.repeat(64)}`,
      timestamp: '0x1',
    }),
  };
  expect(await read()).toMatchObject({ state: 'nonsense' });
});

it('that never answers holds nobody up who wants to stop', async () => {
  const asked = vi.fn();
  const silent = createServer(asked);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { context, close } = await startChainServer(test, { nodeUrls: { bitcoin: url } });
  const watching = context.networks.watch(watchersOf(context));
  await vi.waitUntil(() => asked.mock.calls.length > 0);
  // Without that it would be another 15 seconds, which is longer than a test may take.
  await watching.stop();
  expect((await context.networks.states()).get('bitcoin')).toBeUndefined();
  await close();
  silent.closeAllConnections();
  silent.close();
});
