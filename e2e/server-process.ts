import { createConfig } from '../server/config/config.ts';
import { readOwnEnv } from '../server/config/env.ts';
import { seedDemo } from '../server/demo/seed.ts';
import { runServer } from '../server/process.ts';

/**
 * The server as `main.ts` runs it, but for its guard against overload: on two cores beside a browser that draws it may stand
 * still for seconds, and would then refuse whoever comes, which is not what a journey is about.
 */
runServer({
  readConfig: () => ({ ...createConfig(readOwnEnv(), process.env), eventLoopDelayMsMax: 0 }),
  async prepare(context) {
    await seedDemo(context);
    await context.funding.installMethods(context.config.firstMethods);
  },
  onReady: ({ config }) => void process.stdout.write(`ready at ${config.siteUrl}\n`),
});
