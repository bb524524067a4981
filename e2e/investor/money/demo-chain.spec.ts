import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type APIRequestContext, expect, test } from '@playwright/test';
import { type Call, type CallAnswer, pathOf } from '@tallystick/contract/call';
import { demoInvestor } from '@tallystick/contract/demo';
import { addbalance } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import { signin } from '@tallystick/contract/users';
import { freePort } from '../../../server/platform/embedded-postgres/process.ts';
import { noAnvil } from '../../../server/testing/outside/evm/anvil.ts';

const triesMax = 6;
const command = 'tools/chains/main.ts';
const cwd = fileURLToPath(new URL('../../..', import.meta.url));

interface Asking {
  token?: string;
  body?: object;
}

async function answerOf<C extends Call>(
  request: APIRequestContext,
  url: string,
  call: C,
  { token, body }: Asking = {},
): Promise<CallAnswer<C>> {
  const key = { 'idempotency-key': randomUUID() };
  const headers = token ? { ...key, authorization: `Bearer ${token}` } : key;
  const ask = () => request.fetch(url + pathOf(call), { method: call.method, data: body, headers });
  let answer = await ask();
  // Here it is the server as it is, which sends people away for a moment when the machine has stood still.
  for (let tries = 1; answer.status() === 503 && tries < triesMax; tries += 1) {
    await delay(1_000 * Number(answer.headers()['retry-after'] ?? 1));
    answer = await ask();
  }
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

/** What it has said, once that is all: how to send is its last word. */
async function whenReady(child: ChildProcess): Promise<string> {
  let said = '';
  const listen = (data: unknown) => {
    said += String(data);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  await expect(() => expect(said).toContain('[destination tag]')).toPass({ timeout: 240_000 });
  return said;
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Two of its chains are nodes of EVM networks; where none is to be had it says so, and so does this. */
if (noAnvil) process.stderr.write(`Skipped: ${noAnvil}\n`);
const whereThereAreNodes = noAnvil ? test.skip : test;

whereThereAreNodes(
  'npm run demo:chains: coins that are sent on a real test chain are in the balance; at its end nothing is left',
  async ({ request }) => {
    const dir = await mkdtemp(join(tmpdir(), 'tallystick-e2e-chains-'));
    await chmod(dir, 0o711);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const own = { TMPDIR: dir, DEMO_CHAINS: join(dir, 'note'), NODE_OPTIONS: '' };
    const env = { ...process.env, ...own, PORT: String(port), CONFIRMATIONS_BITCOIN: '1' };
    // A group of its own, as a terminal makes one: Ctrl-C is for all in it.
    const child = spawn(process.execPath, [command], { cwd, env, detached: true });
    const ended = once(child, 'exit');
    try {
      const said = await whenReady(child);
      const body = await answerOf(request, url, demoInvestor);
      const { token } = await answerOf(request, url, signin, { body });
      const before = (await answerOf(request, url, summary, { token })).available;
      const asked = { fundingtypename: 'Bitcoin', amount: 100 };
      const { request: made } = await answerOf(request, url, addbalance, { token, body: asked });
      expect(made).toMatchObject({ watched: true, paymentaddress: expect.stringMatching(/^bcrt1q/) });
      const sending = [command, 'send', 'bitcoin', made.paymentaddress, '0.01'];
      const { stdout } = await promisify(execFile)(process.execPath, sending, { cwd, env });
      expect(stdout).toMatch(/^Sent in [0-9a-f]{64}\./);
      await expect
        .poll(async () => (await answerOf(request, url, summary, { token })).available)
        .toBeGreaterThan(before);

      const ports = [...said.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, digits]) => Number(digits));
      expect(new Set(ports).size).toBe(5);
      process.kill(-(child.pid ?? 0), 'SIGINT');
      expect((await ended)[0]).toBe(0);
      for (const each of ports) await expect.poll(() => answers(each)).toBe(false);
      expect((await readdir(dir)).filter((name) => !name.startsWith('node-compile-cache'))).toEqual([]);
    } finally {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    }
  },
);
