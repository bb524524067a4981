/**
 * The real server in a process of its own, so that what it costs can be told from what asking costs. It listens to
 * whoever started it for what does not come over HTTP.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../../server/app.ts';
import { createConfig } from '../../server/config/config.ts';
import { readEnv } from '../../server/config/env.ts';
import { createContext } from '../../server/context.ts';
import { seedOffers } from '../../server/demo/seed.ts';
import { startWork } from '../../server/work.ts';
import { type Investor, makeInvestors } from './investors.ts';
import { again, type Done } from './loop.ts';
import { noopRoutes } from './noop.ts';
import { createProfiler } from './profiler.ts';

export interface Settings {
  databaseUrl: string;
  dataDir: string;
  smtpUrl: string;
  /** How many commands share a transaction at most; null for as many as the product lets. */
  batchSizeMax: number | null;
}

interface Counts {
  investorCount: number;
  spareCount: number;
  apartCount: number;
}

const settings: Settings = JSON.parse(process.argv[2] ?? '');

/** No page is asked for, so none has to be built. */
async function makeWebDir(): Promise<string> {
  const webDir = join(settings.dataDir, 'web');
  await mkdir(webDir, { recursive: true });
  await writeFile(join(webDir, '__spa-fallback.html'), '<html lang="en" data-mode="production"></html>');
  return webDir;
}

const { databaseUrl: DATABASE_URL, dataDir: DATA_DIR, smtpUrl: SMTP_URL } = settings;
const config = {
  ...createConfig(readEnv({ DATABASE_URL, DATA_DIR, SMTP_URL })),
  webDir: await makeWebDir(),
  // All requests come from one address here, and it is not the limit that is measured.
  requestsPerMinute: 1_000_000_000,
};
// Refuses to start when the database would risk money.
const context = await createContext(config, {
  logger: pino({ level: 'silent' }),
  ...(settings.batchSizeMax && { batchSizeMax: settings.batchSizeMax }),
});
await seedOffers(context);
const app = await createApp(context, noopRoutes);

let investors: Investor[] = [];
const [plan] = await context.investment.plans();
const planId = plan?.id ?? '';
/** The least that the plan takes. */
const amountCents = plan?.fromCents ?? 0n;
let work: ReturnType<typeof startWork> | null = null;
const profiler = createProfiler();

const verbs = {
  /** Some more than those who invest, for whoever wants to know exactly what one of them has. */
  async prepare({ investorCount, spareCount, apartCount }: Counts) {
    const made = await makeInvestors(context, investorCount + spareCount + apartCount);
    // What they begin with is told to nobody; who delivers letters later has it behind them.
    await context.telling.tellAll();
    investors = made.slice(0, investorCount);
    const spare = made.slice(investorCount, investorCount + spareCount);
    return { investors, spare, planId, amountCents: Number(amountCents) };
  },
  /** Through the ledger, so many at once, everyone in turn. */
  invest: (input: { atOnce: number; seconds: number }): Promise<Done> =>
    again(input, (time) => {
      const userId = investors[time % investors.length]?.userId ?? '';
      return context.investment.makeInvestment({ userId, planId, amountCents, idempotencyKey: null });
    }),
  async settleDue(): Promise<Done> {
    const begun = performance.now();
    const { settled } = await context.investment.settleDue();
    return { done: settled, seconds: (performance.now() - begun) / 1000 };
  },
  /** What nobody asks for: letters above all. */
  async startWork() {
    work ??= startWork(context);
  },
  async stopWork() {
    await work?.stop();
    work = null;
  },
  async checkBooks() {
    const { entries, findings } = await context.ledger.checkBooks();
    return { entries: Number(entries), findings };
  },
  startProfile: () => profiler.start(),
  stopProfile: () => profiler.stop(),
  async close() {
    await work?.stop();
    await app.close();
    await context.close();
    process.disconnect?.();
  },
};

export type Verbs = typeof verbs;
export interface Question {
  id: number;
  verb: keyof Verbs;
  input: unknown;
}
export interface Answer {
  id: number;
  result?: unknown;
  error?: string;
}

// Whoever started us is gone, and nobody else knows of us.
process.on('disconnect', () => process.exit());
process.on('message', async ({ id, verb, input }: Question) => {
  const reply = (answer: Answer) => process.connected && process.send?.(answer);
  try {
    // The types of both sides are those of the verbs.
    const act = verbs[verb] as (input: unknown) => Promise<unknown>;
    reply({ id, result: await act(input) });
  } catch (error) {
    reply({ id, error: (error as Error).stack ?? String(error) });
  }
});
const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
process.send?.({ id: 0, result: port } satisfies Answer);
