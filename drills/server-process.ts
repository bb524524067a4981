/**
 * The server of a drill, a process of its own that can be killed: the life of `server/main.ts`, in demo mode for its
 * sample operators and its sample chain, without the demo's past and with a page that needs no build.
 */
import { createConfig } from '../server/config/config.ts';
import { readEnv } from '../server/config/env.ts';
import { seedOperators } from '../server/demo/people.ts';
import { seedOffers } from '../server/demo/seed.ts';
import { runServer } from '../server/process.ts';

/** Only where a drill lets everybody in on purpose, to see that it is noticed. */
const noLimits = { requestsPerMinute: 1_000_000_000, eventLoopDelayMsMax: 0 };

runServer({
  readConfig: () => ({
    ...createConfig(readEnv(process.env)),
    webDir: process.env.WEB_DIR ?? '',
    ...(process.env.DRILL_BREAKS_LIMITS === 'yes' && noLimits),
  }),
  // Only where a drill breaks durability on purpose, to see that it is noticed.
  overrides: { durabilityUnchecked: process.env.DRILL_BREAKS_DURABILITY === 'yes' },
  async prepare(context) {
    await seedOffers(context);
    await seedOperators(context);
    await context.funding.installMethods(context.config.firstMethods);
  },
  onReady: () => void process.stdout.write('ready\n'),
});
