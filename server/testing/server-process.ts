import { createConfig } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { seedDemo } from '../demo/seed.ts';
import { runServer } from '../process.ts';

/** The server as a process of its own, as `main.ts` runs it, on a test's database and with a test's pages. */
runServer({
  readConfig: () => ({
    ...createConfig(readEnv(process.env)),
    webDir: process.env.WEB_DIR ?? '',
    eventLoopDelayMsMax: 0,
  }),
  overrides: { durabilityUnchecked: true },
  async prepare(context) {
    if (context.config.mode === 'demo') await seedDemo(context);
  },
  closingMsMax: Number(process.env.CLOSING_MS_MAX ?? 10_000),
  onReady: () => void process.stdout.write('ready\n'),
});
