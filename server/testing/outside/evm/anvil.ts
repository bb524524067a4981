import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { createJsonRpc, type JsonRpc } from '../../../platform/chains/json-rpc.ts';
import { freePort } from '../../../platform/embedded-postgres/process.ts';
import { anvilWords } from '../seeds.ts';

const startMsMax = 60_000;
const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
/** Whoever calls it, it fails. */
const revertingCode = '0x60006000fd';
/** Passes what it is paid on to the address that it is called with. */
const forwardingCode = '0x6000600060006000346000355af100';
const forwarder = '0x00000000000000000000000000000000f0f0f0f0';
const gas = '0x30d40';

export interface EvmNode {
  url: string;
  rpc: JsonRpc;
  /** The accounts of the node's own wallet, each with 10,000 coins. */
  accounts: string[];
  /** Pays from one of them; it waits in the pool for a block. */
  send(payment: { to: string; units: bigint; from?: string }): Promise<string>;
  /** A payment that gets into a block, which is mined for it, and moves nothing. */
  sendFailing(payment: { to: string; units: bigint }): Promise<string>;
  /** Pays by way of a contract, so that no transaction names who is paid. */
  sendThroughContract(payment: { to: string; units: bigint }): Promise<string>;
  mine(count?: number): Promise<void>;
  /** Other blocks of the same number; what was in the old ones waits in the pool again, or is gone with `drop`. */
  reorg(depth: number, options?: { drop?: boolean }): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again where it was, at the same address, with what waited in its pool. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const Block = z.object({ number: z.string(), transactions: z.array(z.string()) });

/** Starts a real node of an EVM network whose blocks are mined when a test says so. */
export async function startAnvil({ chainId }: { chainId: number }): Promise<EvmNode> {
  const dir = await mkdtemp(join(tmpdir(), 'tallystick-anvil-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const rpc = createJsonRpc({ url });
  const ask = (method: string, ...params: unknown[]) => rpc.call(method, params, z.unknown());
  const text = (method: string, ...params: unknown[]) => rpc.call(method, params, z.string());
  let child = await run({ dir, port, chainId, ask });
  let pool: string[] = [];
  const accounts = await rpc.call('eth_accounts', [], z.array(z.string()));
  const [wallet = ''] = accounts;

  const mine = (count = 1) => ask('anvil_mine', hex(count), '0x1').then(() => {});
  const rawOf = (txids: string[]) =>
    Promise.all(txids.map((txid) => text('eth_getRawTransactionByHash', txid)));
  const sendAgain = async (raw: string[]) => {
    for (const each of raw) await ask('eth_sendRawTransaction', each);
  };

  /** It keeps nothing by itself, so its chain and its pool are taken from it at the last moment. */
  async function kill(): Promise<void> {
    if (!isRunning(child)) return;
    const pending = await rpc.call('eth_getBlockByNumber', ['pending', false], Block);
    pool = await rawOf(pending.transactions);
    const state = await text('anvil_dumpState');
    await writeFile(stateFile(dir), gunzipSync(Buffer.from(state.slice(2), 'hex')));
    await end(child);
  }

  return {
    url,
    rpc,
    accounts,
    send: ({ to, units, from = wallet }) => text('eth_sendTransaction', { from, to, value: hex(units), gas }),
    async sendFailing({ to, units }) {
      await ask('anvil_setCode', to, revertingCode);
      const txid = await text('eth_sendTransaction', { from: wallet, to, value: hex(units), gas });
      await mine();
      await ask('anvil_setCode', to, '0x');
      return txid;
    },
    async sendThroughContract({ to, units }) {
      await ask('anvil_setCode', forwarder, forwardingCode);
      const data = `0x${to.slice(2).padStart(64, '0')}`;
      return text('eth_sendTransaction', { from: wallet, to: forwarder, value: hex(units), gas, data });
    },
    mine,
    async reorg(depth, { drop = false } = {}) {
      const tip = Number(await text('eth_blockNumber'));
      const heights = Array.from({ length: depth }, (_, below) => hex(tip - depth + 1 + below));
      const blocks = await Promise.all(
        heights.map((height) => rpc.call('eth_getBlockByNumber', [height, false], Block)),
      );
      const raw = await rawOf(blocks.flatMap(({ transactions }) => transactions));
      await ask('anvil_reorg', depth, []);
      if (!drop) await sendAgain(raw);
    },
    kill,
    async restart() {
      await kill();
      child = await run({ dir, port, chainId, ask });
      await sendAgain(pool);
    },
    async close() {
      await end(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const stateFile = (dir: string) => join(dir, 'state.json');
const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const gone = once(child, 'exit');
  child.stdin?.end();
  await gone;
}

interface Running {
  dir: string;
  port: number;
  chainId: number;
  ask(method: string): Promise<unknown>;
}

/** The native program, not npm's wrapper of it: that would be killed in its stead. */
function programOf(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${architectures[process.arch]}`;
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
  try {
    return join(require.resolve(`${name}/package.json`), '..', 'bin', 'anvil');
  } catch {
    throw new Error(
      `There is no EVM node for this machine: the package ${name} could not be installed, which is not published for every kind.`,
    );
  }
}

function lackOfAnvil(): string | null {
  try {
    programOf();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Where it is published its absence is a failure, and no reason to leave tests out. */
const unpublishedFor = ['linux-arm64'];

/** Why there is none here; null where there is one, or has to be. */
export const noAnvil = unpublishedFor.includes(`${process.platform}-${process.arch}`) ? lackOfAnvil() : null;

async function run({ dir, port, chainId, ask }: Running): Promise<ChildProcess> {
  const options = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--chain-id',
    String(chainId),
    '--no-mining',
  ];
  const wallet = ['--accounts', '3', '--mnemonic', anvilWords];
  // Loaded before it answers anybody: nobody sees a chain that has only begun.
  const state = existsSync(stateFile(dir)) ? ['--load-state', stateFile(dir)] : [];
  // The shell ends it as soon as its own input does: when a test wants it, and when whoever ran the test is gone.
  const shell = '"$0" "$@" <&- & read _; kill -9 $!';
  const child = spawn('sh', ['-c', shell, programOf(), ...options, ...wallet, ...state, '--quiet'], {
    cwd: dir,
    env: { HOME: dir, PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
    // Out of the terminal's group: Ctrl-C would end the shell alone.
    detached: true,
  });
  const giveUpAt = performance.now() + startMsMax;
  for (;;) {
    try {
      await ask('eth_chainId');
      return child;
    } catch (error) {
      if (performance.now() > giveUpAt || !isRunning(child)) throw error;
      await delay(20);
    }
  }
}
