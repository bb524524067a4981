import { existsSync } from 'node:fs';
import { type Config, createConfig } from './config/config.ts';
import { readOwnEnv } from './config/env.ts';
import { seedDemo } from './demo/seed.ts';
import { runServer } from './process.ts';
import { whatToOpen } from './what-to-open.ts';

/** Nothing else is to be opened there. */
const watchedAt = ({ host, port }: Config) => `a worker: http://${host}:${port}/readyz`;

/** The server of `npm start`; a test may change its settings. */
export const startServer = (change: (config: Config) => Config = (config) => config) =>
  runServer({
    readConfig() {
      const config = change(createConfig(readOwnEnv(), process.env));
      if (config.role === 'worker' || existsSync(config.webDir)) return config;
      throw new Error(
        'The web app is not built: run node tools/bootstrap.mjs, as npm start does before it starts.',
      );
    },
    async prepare(context) {
      const { config, funding } = context;
      if (config.mode === 'demo') await seedDemo(context);
      await funding.installMethods(config.firstMethods);
    },
    onReady({ config, logger, inbox, embeddedDataDir: dataDir }) {
      // Nobody sits in front of a production, and whatever collects its log reads JSON.
      if (config.mode === 'production') logger.info({ siteUrl: config.siteUrl, role: config.role }, 'ready');
      else if (config.role === 'worker')
        process.stdout.write(`Tallystick is ready (demo, ${watchedAt(config)}).\n`);
      else process.stdout.write(whatToOpen({ config, hasInbox: inbox !== null, dataDir }));
    },
  });
