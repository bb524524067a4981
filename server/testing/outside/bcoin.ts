import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJsonRpc, type JsonRpc } from '../../platform/chains/json-rpc.ts';
import { freePort } from '../../platform/embedded-postgres/process.ts';
import { masterKeyOf } from './seeds.ts';

const entry = fileURLToPath(new URL('bcoin-process.ts', import.meta.url));
const password = 'regtest';
/** From then on the first reward can be spent; a few more give a few coins that do not hang together. */
const blocksToBegin = 110;

export interface BcoinSettings {
  port: number;
  password: string;
  privateKey: string;
  /** What it has taken so far. */
  journal: string;
}

export interface Ask {
  mine: { count: number };
  send: { outputs: { address: string; units: string }[]; rate: number };
  broadcast: { hex: string };
  reorg: { depth: number; drop: boolean };
}

export type Told = { id: number; done: string } | { id: number; failed: string };

export interface BitcoinNode {
  /** With the password in it, as an operator would write it. */
  url: string;
  rpc: JsonRpc;
  /** Mines into the wallet that `send` pays from, and says the hash of the last block. */
  mine(count?: number): Promise<string>;
  /** Pays in one transaction, which waits for a block, and says its id. */
  send(...outputs: { address: string; units: bigint }[]): Promise<string>;
  /** Hands over a signed transaction; throws the node's reason when it does not take it. */
  broadcast(hex: string): Promise<string>;
  /** Replaces the last blocks by a longer, empty branch. What was in them waits again; with `drop` it is gone for good. */
  reorg(depth: number, options?: { drop?: boolean }): Promise<string>;
  /** Ends it in the middle of whatever it does. */
  kill(): Promise<void>;
  /** Starts it again where it was, at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a real node, its segwit active and its wallet, made from words, full. */
export async function startBcoin(words = 'a wallet that only tests have'): Promise<BitcoinNode> {
  const dir = await mkdtemp(join(tmpdir(), 'tallystick-bcoin-'));
  const privateKey = masterKeyOf(words).derive("m/84'/1'/0'/0/0").privateKey as Uint8Array;
  const settings: BcoinSettings = {
    port: await freePort(),
    password,
    privateKey: Buffer.from(privateKey).toString('hex'),
    journal: join(dir, 'journal'),
  };
  const url = `http://node:${password}@127.0.0.1:${settings.port}`;
  const rpc = createJsonRpc({ url });
  let child = await run(settings);

  async function kill(): Promise<void> {
    if (child.process.exitCode !== null || child.process.signalCode !== null) return;
    const gone = once(child.process, 'exit');
    child.process.kill('SIGKILL');
    await gone;
  }

  const self: BitcoinNode = {
    url,
    rpc,
    mine: (count = 1) => child.ask('mine', { count }),
    send: (...outputs) =>
      child.ask('send', {
        outputs: outputs.map(({ address, units }) => ({ address, units: String(units) })),
        rate: 10_000,
      }),
    broadcast: (hex) => child.ask('broadcast', { hex }),
    reorg: (depth, { drop = false } = {}) => child.ask('reorg', { depth, drop }),
    kill,
    async restart() {
      await kill();
      child = await run(settings);
    },
    async close() {
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
  await self.mine(blocksToBegin);
  return self;
}

async function run(settings: BcoinSettings) {
  const process = fork(entry, [JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
    // Out of the terminal's group: it ends with whoever began it, not before.
    detached: true,
  });
  const waiting = new Map<number, (told: Told) => void>();
  const said: string[] = [];
  process.stderr?.on('data', (data) => said.push(String(data)));
  process.on('message', (told: Told) => waiting.get(told.id)?.(told));
  process.on('exit', () => {
    for (const [id, answer] of waiting) answer({ id, failed: `The node has ended. ${said.join('')}` });
  });
  let ids = 0;

  async function answered(id: number): Promise<string> {
    const told = await new Promise<Told>((resolve) => waiting.set(id, resolve));
    waiting.delete(id);
    if ('failed' in told) throw new Error(told.failed);
    return told.done;
  }

  function ask<Deed extends keyof Ask>(deed: Deed, given: Ask[Deed]): Promise<string> {
    if (!process.connected) return Promise.reject(new Error('The node is not running'));
    ids += 1;
    const answer = answered(ids);
    process.send({ id: ids, deed, given });
    return answer;
  }

  await answered(0);
  return { process: process as ChildProcess, ask };
}
