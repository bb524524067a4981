import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { secondMs } from '../../testing/clock.ts';
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
