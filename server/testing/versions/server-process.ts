import { createConfig } from '../../config/config.ts';
import { readEnv } from '../../config/env.ts';
import { runServer } from '../../process.ts';

/** The server as a process of its own, on a database as a test has made it: nothing is added to it, of a demo neither. */
runServer({
  readConfig: () => ({
    ...createConfig(readEnv(process.env)),
    webDir: process.env.WEB_DIR ?? '',
    eventLoopDelayMsMax: 0,
  }),
  overrides: { durabilityUnchecked: true },
  prepare: async () => {},
  onReady: () => void process.stdout.write('ready\n'),
});
