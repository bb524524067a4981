import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../app.ts';
import { hourMs, minuteMs, secondMs } from '../../testing/clock.ts';
import { newInvestor } from '../../testing/ledger/investors.ts';
import { dealings, satoshi, units } from '../../testing/outside/chain-server.ts';
import { it } from '../../testing/outside/evm/on-evm.ts';
import { startTwoChains, type TwoChains } from '../../testing/outside/two-chains.ts';

let both: TwoChains;
let node: TwoChains['node'];
let anvil: TwoChains['anvil'];
let bitcoin: TwoChains['bitcoin'];
let ethereum: TwoChains['ethereum'];
let test: TwoChains['test'];
let server: TwoChains['server'];
let app: Awaited<ReturnType<typeof createApp>>;
const { payTo, wallet } = dealings(() => both.server.context);

beforeAll(async () => {
  both = await startTwoChains();
  ({ node, anvil, bitcoin, ethereum, test, server } = both);
  app = await createApp(server.context);
});
beforeEach(() => {
  bitcoin.answers = {};
  ethereum.answers = {};
});
afterAll(async () => {
  await app.close();
  await both.close();
});

const read = () => both.read();
async function stateOf(network: 'bitcoin' | 'ethereum') {
  const { state, said } = (await server.context.networks.states()).get(network) ?? {};
  return said ? `${state}: ${said}` : state;
}
async function metrics(): Promise<string[]> {
  const { body } = await app.inject({ url: '/metrics' });
  return body.split('\n').filter((line) => line.startsWith('tallystick_network_'));
}
const ready = async () => (await app.inject({ url: '/readyz' })).statusCode;
/** Whatever was wrong: what came meanwhile is found by itself, and nothing is missed. */
async function catchesUp(userId: string): Promise<void> {
  bitcoin.answers = {};
  ethereum.answers = {};
  await read();
  expect([await stateOf('bitcoin'), await stateOf('ethereum')]).toEqual(['following', 'following']);
  expect(await wallet(userId)).toBeGreaterThan(0n);
  expect(await ready()).toBe(200);
}
/** Paid and confirmed, while nobody can see it. */
async function paidMeanwhile(): Promise<string> {
  const userId = await newInvestor(test);
  await node.send({ address: (await payTo(userId)).address, units: satoshi(0.001) });
  await node.mine(2);
  return userId;
}

describe('a node', () => {
  it('that is followed is in the figures', async () => {
    await node.mine();
    await read();
    const { blocks } = await node.rpc.call('getblockchaininfo', [], z.object({ blocks: z.int() }));
    const lines = await metrics();
    expect(lines).toContain(`tallystick_network_height{network="bitcoin"} ${blocks}`);
    expect(lines).toContain(`tallystick_network_tip{network="bitcoin"} ${blocks}`);
    expect(lines).toContain('tallystick_network_state{network="bitcoin",state="following"} 1');
    expect(lines).toContain('tallystick_network_last_look_seconds{network="bitcoin"} 0');
    test.clock.advance(90 * secondMs);
    expect(await metrics()).toContain('tallystick_network_last_look_seconds{network="bitcoin"} 90');
  });

  it('that is away is told, holds up nobody, and is caught up with by itself', async () => {
    const userId = await paidMeanwhile();
    await node.kill();
    await read();
    expect(await stateOf('bitcoin')).toMatch(/^away: /);
    expect(await stateOf('ethereum')).toBe('following');
    expect(await ready()).toBe(200);
    expect(await metrics()).toContain('tallystick_network_state{network="bitcoin",state="away"} 1');
    await node.restart();
    await catchesUp(userId);
  });

  it('that is slow holds up nobody else', async () => {
    const userId = await paidMeanwhile();
    const answer = Promise.withResolvers<void>();
    bitcoin.answers = {
      async getblockchaininfo() {
        await answer.promise;
        throw new Error('it took too long');
      },
    };
    const reading = read();
    expect(await ready()).toBe(200);
    expect((await payTo(userId)).address).toMatch(/^bcrt1/);
    answer.resolve();
    await reading;
    expect(await stateOf('bitcoin')).toMatch(/^away: /);
    await catchesUp(userId);
  });

  it('of another chain is not believed', async () => {
    const userId = await paidMeanwhile();
    bitcoin.answers = { getblockhash: () => '00'.repeat(32) };
    ethereum.answers = { eth_chainId: () => '0x1' };
    await read();
    expect(await stateOf('bitcoin')).toMatch(/^wrong-chain: .* does not follow Bitcoin's regtest/);
    expect(await stateOf('ethereum')).toMatch(/^wrong-chain: .* follows the chain 1 and not 31337/);
    expect(await wallet(userId)).toBe(0n);
    await catchesUp(userId);
  });

  it('of several machines, of which one lags behind, is asked again; only what lasts is told', async () => {
    await anvil.mine();
    ethereum.answers = { eth_getBlockByNumber: ([height]) => (height === 'latest' ? latest : null) };
    const latest = await anvil.rpc.call('eth_getBlockByNumber', ['latest', false], z.unknown());
    for (let times = 0; times < 2; times += 1) {
      await read();
      expect(await stateOf('ethereum')).toBe('following');
    }
    await read();
    expect(await stateOf('ethereum')).toMatch(/^nonsense: .* has no block/);
    ethereum.answers = {};
    await read();
    expect(await stateOf('ethereum')).toBe('following');
  });

  it('that changes its chain and then goes away is away', async () => {
    await anvil.mine();
    const changed = { transactions: [], number: '0x1', hash: `0x${'1'.repeat(64)}`, timestamp: '0x1' };
    ethereum.answers = {
      eth_getBlockByNumber: async ([height, isWhole]) =>
        isWhole
          ? { ...changed, number: height, parentHash: changed.hash }
          : anvil.rpc.call('eth_getBlockByNumber', [height, false], z.unknown()),
    };
    await read();
    expect(await stateOf('ethereum')).toBe('following');
    ethereum.answers = {
      eth_chainId() {
        throw new Error('closed');
      },
    };
    await read();
    expect(await stateOf('ethereum')).toMatch(/^away: .* closed/);
    ethereum.answers = {};
    await read();
    expect(await stateOf('ethereum')).toBe('following');
  });

  it('that asks for fewer calls is left alone for a while', async () => {
    const userId = await paidMeanwhile();
    let calls = 0;
    bitcoin.answers = {
      getblockhash() {
        calls += 1;
        throw Object.assign(new Error('too many'), { code: -32_005 });
      },
    };
    for (let times = 0; times < 5; times += 1) await read();
    expect(calls).toBe(1);
    expect(await stateOf('bitcoin')).toMatch(/^away: .* too many/);
    test.clock.advance(15 * secondMs);
    await catchesUp(userId);
  });

  it('that has fallen behind, or says so itself, takes nothing back', async () => {
    const userId = await paidMeanwhile();
    await read();
    const cents = await wallet(userId);
    const { height = 0 } = (await server.context.networks.heights()).get('bitcoin') ?? {};
    const { rows } = await test.context.owner.query(
      `select hash from network_blocks where network = 'bitcoin' and height = $1`,
      [height - 1],
    );
    const behind = { blocks: height - 1, headers: height - 1, bestblockhash: rows[0].hash };
    bitcoin.answers = { getblockchaininfo: () => behind };
    ethereum.answers = { eth_syncing: () => ({ currentBlock: '0x1' }) };
    await read();
    expect(await stateOf('bitcoin')).toMatch(/^behind: The node is still catching up/);
    expect(await stateOf('ethereum')).toMatch(/^behind: The node is still catching up/);
    expect(await server.context.withdrawal.freezeOf({ userId })).toBeNull();
    expect(await wallet(userId)).toBe(cents);
    await catchesUp(userId);
  });

  it('that hears of no new blocks is told, however well it answers', async () => {
    await Promise.all([node.mine(), anvil.mine()]);
    await read();
    test.clock.advance(11 * minuteMs);
    await read();
    expect(await stateOf('bitcoin')).toBe('following');
    expect(await stateOf('ethereum')).toBe('behind: The node has told of no new block for 11 minutes.');
    test.clock.advance(2 * hourMs);
    await read();
    expect(await stateOf('bitcoin')).toMatch(/^behind: The node has told of no new block for 131 minutes/);
    await Promise.all([node.mine(), anvil.mine()]);
    await read();
    expect([await stateOf('bitcoin'), await stateOf('ethereum')]).toEqual(['following', 'following']);
  });

  it('that has many blocks more is read, and what is in the first of them is not kept waiting', async () => {
    const userId = await newInvestor(test);
    await anvil.send({ to: (await payTo(userId, 'Ethereum')).address, units: units(0.1, 18) });
    await anvil.mine(400);
    const seen: (string | undefined)[] = [];
    const { networks, funding, withdrawal } = server.context;
    const [, readEthereum] = networks.readers({
      async afterReading(network) {
        seen.push(await stateOf('ethereum'));
        await funding.takeIn(network);
        if (seen.length === 1) expect(await wallet(userId)).toBeGreaterThan(0n);
      },
      onGone: async (tx, { payments }) =>
        withdrawal.freezeAfterLoss(tx, await funding.takeBack(tx, payments)),
    });
    await readEthereum?.();
    expect(seen).toEqual([expect.stringMatching(/^behind: \d+ blocks are still to be read/), 'following']);
  });

  it('that lies about heights or shows something else is not believed', async () => {
    const userId = await paidMeanwhile();
    const real = await node.rpc.call('getbestblockhash', [], z.string());
    const lies = [
      {
        getblockchaininfo: () => ({ blocks: 90_000, headers: 90_000, bestblockhash: real }),
        getblock: () => '00',
      },
      { getblock: () => '00'.repeat(80) },
    ];
    for (const answers of lies) {
      bitcoin.answers = answers;
      ethereum.answers = {
        eth_getBlockByNumber: ([height]) => ({
          number: height === 'latest' ? '0xffff' : '0x1',
          hash: `0x${'1'.repeat(64)}`,
          parentHash: `0x${'2'.repeat(64)}`,
          timestamp: '0x1',
          transactions: [],
        }),
      };
      await read();
      expect(await stateOf('bitcoin')).toMatch(/^nonsense: /);
      expect(await wallet(userId)).toBe(0n);
    }
    expect(await stateOf('ethereum')).not.toBe('following');
    await catchesUp(userId);
  });
});
