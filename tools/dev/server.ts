/** The server as `npm run dev` starts it with every edit: behind Vite, which has the pages. */
import { createConfig } from '../../server/config/config.ts';
import { readEnv } from '../../server/config/env.ts';
import { seedDemo } from '../../server/demo/seed.ts';
import { runServer } from '../../server/process.ts';
import { beginAnew } from './begin-anew.ts';

// A database that somebody named may hold more than sample data: there the server refuses, as it does elsewhere.
const edited = process.env.EMBEDDED_URL ? await beginAnew(process.env.EMBEDDED_URL) : [];
if (edited.length > 0) {
  process.stdout.write(`${edited.join(', ')} was edited: the database begins anew, with sample data\n`);
}

runServer({
  readConfig: () => ({ ...createConfig(readEnv(process.env)), webDir: process.env.WEB_DIR ?? '' }),
  prepare: seedDemo,
  onReady: () => void process.stdout.write('ready\n'),
  // Whoever has saved a file waits for the next start, not for a request that hangs.
  closingMsMax: 1_000,
});
