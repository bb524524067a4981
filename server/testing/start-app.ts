import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { inject } from 'vitest';
import { createApp } from '../app.ts';
import { type Config, createConfig } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { type Context, createContext, type Overrides } from '../context.ts';
import type { HashingCost } from '../modules/users/hashing.ts';
import type { JobRunner } from '../platform/work/jobs.ts';
import { startWork } from '../work.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { cloneTemplate, type TestDatabase } from './database.ts';
import { createMailbox, type Mailbox } from './outside/mailbox.ts';
import { productionFiles } from './production.ts';

export interface TestApp {
  app: FastifyInstance;
  context: Context;
  /** What is queued and what happens by the clock. */
  jobs: JobRunner;
  clock: TestClock;
  mailbox: Mailbox;
  database: TestDatabase;
  /** Stops the server and starts another on the same database, as after a crash or an update. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The least that argon2 takes. What a real hash costs is proven in `hashing.test.ts`. */
export const lightHashing: HashingCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

interface Server {
  app: FastifyInstance;
  context: Context;
  jobs: JobRunner;
}

/** The server's shell of a page, without building the web app. */
export async function makeWebDir(dir: string): Promise<string> {
  const webDir = join(dir, 'web');
  await mkdir(join(webDir, 'assets'), { recursive: true });
  await writeFile(join(webDir, '__spa-fallback.html'), '<html lang="en" data-mode="production"></html>');
  await writeFile(join(webDir, 'index.html'), '<html lang="en" data-mode="production"><h1>Home</h1></html>');
  return webDir;
}

async function startServer(config: Config, clock: TestClock, overrides: Overrides): Promise<Server> {
  const context = await createContext(config, {
    clock,
    logger: pino({ level: 'silent' }),
    durabilityUnchecked: true,
    ...overrides,
  });
  const app = await createApp(context);
  const jobs = startWork(context);
  await app.ready();
  return { app, context, jobs };
}

async function stopServer({ app, context, jobs }: Server): Promise<void> {
  await app.close();
  await jobs.stop();
  await context.close();
}

/**
 * The whole server on a database of its own, with a clock that the test moves and a real mail server. A test that leans
 * on hashing taking its time hands in no overrides. One that changes what belongs to all of PostgreSQL brings its own.
 */
export async function startTestApp(
  given: NodeJS.ProcessEnv | ((database: TestDatabase) => Promise<NodeJS.ProcessEnv>) = {},
  overrides: Overrides = { hashingCost: lightHashing },
  adminUrl = inject('adminUrl'),
): Promise<TestApp> {
  const dir = await mkdtemp(join(tmpdir(), 'tallystick-app-'));
  const database = await cloneTemplate(adminUrl);
  const env = typeof given === 'function' ? await given(database) : given;
  const webDir = await makeWebDir(dir);
  const isProduction = env.MODE === 'production';
  const files = { DATA_DIR: dir, ...(isProduction && (await productionFiles(dir))) };
  const base = createConfig(readEnv({ DATABASE_URL: database.url, ...files, ...env }));
  // A test asserts what the server does, not how busy the machine is.
  const config = {
    ...base,
    webDir,
    requestsPerMinute: 1_000_000,
    eventLoopDelayMsMax: 0,
    // Nor does it wait for figures to grow old.
    metricsKeptMs: 0,
  };
  const clock = createTestClock();
  const server = await startServer(config, clock, overrides);
  const test: TestApp = {
    ...server,
    clock,
    database,
    mailbox: createMailbox(() => test.context),
    async restart() {
      await stopServer(server);
      Object.assign(server, await startServer(config, clock, overrides));
      Object.assign(test, server);
    },
    async close() {
      await stopServer(server);
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
  return test;
}
