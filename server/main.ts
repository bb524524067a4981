import { createConfig } from './config/config.ts';
import { readOwnEnv } from './config/env.ts';
import { seedDemo } from './demo/seed.ts';
import { runServer } from './process.ts';
import { whatToOpen } from './what-to-open.ts';

runServer({
  readConfig: () => createConfig(readOwnEnv(), process.env),
  async prepare(context) {
    const { config, funding } = context;
    if (config.mode === 'demo') await seedDemo(context);
    await funding.installMethods(config.firstMethods);
  },
  onReady({ config, inbox, embeddedDataDir: dataDir }) {
    process.stdout.write(whatToOpen({ config, hasInbox: inbox !== null, dataDir }));
  },
});
