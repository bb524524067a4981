import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type OpenChain, openChains } from '../../platform/chains/open-chains.ts';
import { hourMs } from '../../testing/clock.ts';
import { newInvestor, newInvestors } from '../../testing/ledger/investors.ts';
import { dealings, satoshi, units } from '../../testing/outside/chain-server.ts';
import { it } from '../../testing/outside/evm/on-evm.ts';
import { chainIds, startTwoChains, type TwoChains } from '../../testing/outside/two-chains.ts';
import { watchersOf } from '../../work.ts';
import { createReading } from './reading.ts';

let both: TwoChains;
let node: TwoChains['node'];
let anvil: TwoChains['anvil'];
let ethereum: TwoChains['ethereum'];
let test: TwoChains['test'];
let server: TwoChains['server'];
const { payTo, wallet } = dealings(() => both.server.context);

beforeAll(async () => {
  both = await startTwoChains();
  ({ node, anvil, ethereum, test, server } = both);
});
afterAll(() => both.close());

const read = () => both.read();
const stateOf = async (network: 'bitcoin' | 'ethereum') =>
  (await server.context.networks.states()).get(network)?.state;

it('a node that has much to read, or does not answer, keeps nobody from stopping', async () => {
  await anvil.mine(600);
  const stopping = new AbortController();
  const readers = server.context.networks.readers({
    afterReading: async () => stopping.abort(),
    onGone: async () => {},
  });
  await readers[1]?.(stopping.signal);
  const cursor = (await server.context.networks.cursors()).get('ethereum');
  expect(cursor?.height).toBeLessThan(cursor?.tip ?? 0);
  const again = new AbortController();
  ethereum.answers = {
    eth_chainId() {
      again.abort();
      throw new Error('too late');
    },
  };
  const before = await stateOf('ethereum');
  await readers[1]?.(again.signal);
  expect(await stateOf('ethereum')).toBe(before);
  ethereum.answers = {};
  await read();
  expect(await stateOf('ethereum')).toBe('following');
});

/** Reads Bitcoin as the server does, and keeps what is said loudly. */
function createLoudReader({ price = async () => {} } = {}) {
  const lines: Record<string, unknown>[] = [];
  const { db } = server.context;
  const logger = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  const createReader = createReading({ db, clock: test.clock, logger, bitcoinNetwork: 'regtest', price });
  const chains = openChains({ nodeUrls: { bitcoin: node.url }, bitcoinNetwork: 'regtest', chainIds });
  return {
    lines,
    readBitcoin: createReader('bitcoin', chains.bitcoin as OpenChain, watchersOf(server.context)),
  };
}

it('a credited payment that is gone is told to whoever watches the server', async () => {
  const userId = await newInvestor(test);
  await node.send({ address: (await payTo(userId)).address, units: satoshi(0.001) });
  await node.mine(2);
  await read();
  expect(await wallet(userId)).toBeGreaterThan(0n);
  const { lines, readBitcoin } = createLoudReader();
  await node.reorg(2, { drop: true });
  await readBitcoin();
  expect(lines).toMatchObject([
    {
      level: 50,
      alert: true,
      network: 'bitcoin',
      txids: [expect.any(String)],
      msg: 'credited payments are gone from their chain',
    },
  ]);
});

describe('what cannot be done with what is read', () => {
  it('holds up nobody else, and is told once and loudly', async () => {
    const [stuck = '', other = ''] = await newInvestors(test, 2);
    const to = await Promise.all([stuck, other].map((userId) => payTo(userId)));
    const { networks } = server.context;
    const { lines, readBitcoin } = createLoudReader({
      async price() {
        throw new Error('no price today');
      },
    });
    const { owner } = test.context;
    await owner.query(
      `alter table funding_requests add constraint stuck check (user_id <> '${stuck}') not valid`,
    );
    for (const { address } of to) await node.send({ address, units: satoshi(0.001) });
    await node.mine(2);
    await readBitcoin();
    expect(await wallet(other)).toBe(0n);
    // Priced by another, and taken in by this one.
    const [priced] = networks.readers({ afterReading: async () => {}, onGone: async () => {} });
    await priced?.();
    await readBitcoin();
    await readBitcoin();
    expect(await wallet(other)).toBeGreaterThan(0n);
    expect(lines).toMatchObject([
      { level: 50, alert: true, network: 'bitcoin', msg: 'payments cannot be priced' },
      { level: 50, alert: true, network: 'bitcoin', msg: 'payments cannot be taken in' },
    ]);
    expect(await stateOf('bitcoin')).toBe('following');
    await owner.query('alter table funding_requests drop constraint stuck');
    await read();
    expect(await wallet(stuck)).toBeGreaterThan(0n);
  });

  it('coins that the node cannot tell of keep no payment waiting', async () => {
    const userId = await newInvestor(test);
    await anvil.send({ to: (await payTo(userId, 'Ethereum')).address, units: units(0.1, 18) });
    await anvil.mine(12);
    ethereum.answers = {
      eth_getBalance() {
        throw new Error('that is not for you');
      },
    };
    test.clock.advance(hourMs);
    await read();
    expect(await wallet(userId)).toBeGreaterThan(0n);
    expect(await stateOf('ethereum')).toBe('following');
  });
});
