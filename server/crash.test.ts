import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createApp } from './app.ts';
import { createConfig } from './config/config.ts';
import { readEnv } from './config/env.ts';
import { type Context, createContext } from './context.ts';
import { proofRuns } from './testing/proof-size.ts';
import { makeWebDir } from './testing/start-app.ts';

// The database is killed and recovers, on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const dir = mkdtempSync(join(tmpdir(), 'tallystick-crash-'));
// As root the database runs as another user, who has to pass.
chmodSync(dir, 0o755);

let context: Context;
let app: FastifyInstance;
const logged: string[] = [];
beforeAll(async () => {
  const config = {
    ...createConfig(readEnv({ DATA_DIR: dir })),
    webDir: await makeWebDir(dir),
    requestsPerMinute: 1_000_000,
    eventLoopDelayMsMax: 0,
  };
  const logger = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) });
  context = await createContext(config, { logger });
  app = await createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
  rmSync(dir, { recursive: true, force: true });
});

const postmaster = () =>
  Number(
    readFileSync(join(context.embeddedDataDir ?? '', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );

/** Between the end of one and the start of the next there may be no file to read. */
const runsAnew = (before: number) => () => {
  try {
    return postmaster() !== before;
  } catch {
    return false;
  }
};

/** Someone without an account, asking for things that are read and written. */
async function ask(): Promise<number[]> {
  const one = { method: 'POST', url: '/api/users/signin' } as const;
  const credentials = { email: 'nobody@example.com', password: 'two halves match', isAdmin: false };
  const from = `203.0.113.${Math.floor(Math.random() * 250)}`;
  const message = { name: 'Visitor', email: 'visitor@example.com', message: 'Is anyone there?' };
  const answers = await Promise.all([
    app.inject({ ...one, payload: credentials, remoteAddress: from }),
    app.inject({ method: 'POST', url: '/api/mail/contact', payload: message, remoteAddress: from }),
    app.inject({ method: 'GET', url: '/api/investment/fetchallinvestmentmethod' }),
    app.inject({ method: 'GET', url: '/readyz' }),
  ]);
  return answers.map(({ statusCode }) => statusCode);
}

/** A visitor of the short form takes a breath between two questions: refused without one, they are a core's work. */
const breathMs = proofRuns(0, 20);

/** Asks all the while, from before the blow until all is well again. */
async function askThroughout(blow: () => Promise<void>): Promise<Set<number>> {
  const seen = new Set<number>();
  let asking = true;
  const crowd = Array.from({ length: 8 }, async () => {
    while (asking) {
      for (const status of await ask()) seen.add(status);
      await delay(breathMs);
    }
  });
  await expect.poll(() => seen.size).toBeGreaterThan(0);
  await blow();
  // Readiness is remembered for a moment, and a quick recovery may pass unseen by it; not so by whoever is asking.
  await expect.poll(() => seen.has(503), { timeout: 45_000 }).toBe(true);
  await expect.poll(async () => Math.max(...(await ask())), { timeout: 45_000 }).toBeLessThan(500);
  asking = false;
  await Promise.all(crowd);
  return seen;
}

it('a crash of the database is answered with 503 and never with 500', async () => {
  const seen = await askThroughout(async () => {
    const { rows } = await context.owner.query('select pg_backend_pid() as pid');
    process.kill(rows[0].pid, 'SIGKILL');
  });
  expect([...seen].filter((status) => status >= 500)).toEqual([503]);
});

it('an embedded database that is killed is started again at the same address, as often as that happens now and then', async () => {
  for (const _time of [1, 2]) {
    const before = postmaster();
    const seen = await askThroughout(async () => {
      process.kill(before, 'SIGKILL');
      await expect.poll(runsAnew(before), { timeout: 45_000 }).toBe(true);
    });
    expect([...seen].filter((status) => status >= 500)).toEqual([503]);
  }
  expect(logged.join()).toContain('the embedded PostgreSQL has ended; starting it again');
  expect(logged.join()).not.toContain('a request failed');
});

it('an embedded database that keeps ending is given up, with a reason', async () => {
  let lost: Error | undefined;
  context.databaseLost.then((error) => {
    lost = error;
  });
  const killed = new Set<number>();
  await expect
    .poll(
      () => {
        try {
          const pid = postmaster();
          if (!killed.has(pid)) process.kill(pid, 'SIGKILL');
          killed.add(pid);
        } catch {
          // Not there just now.
        }
        return lost?.message;
      },
      { timeout: 60_000, interval: 20 },
    )
    .toMatch(/cannot be kept running/);
  expect(killed.size).toBeLessThan(10);
});
