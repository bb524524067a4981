/**
 * The server as `npm run dev` starts it with every edit: behind Vite, which has the pages. It is started before it is
 * needed and loads the packages, a third of a start; our own code it loads when it is told that there was an edit.
 */
import { on } from 'node:events';
import serverPackage from '../../server/package.json' with { type: 'json' };

const words = on(process, 'message');
// Whoever tells it what to do is gone; once it runs, it ends in order.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

for (const name of Object.keys(serverPackage.dependencies)) {
  if (name.startsWith('@tallystick/')) continue;
  // Faces are no code, and some packages have no entry but those of their parts.
  await import(name).catch(() => {});
}

await words.next();
const [{ createConfig }, { readEnv }, { seedDemo }, { runServer }, { beginAnew }] = await Promise.all([
  import('../../server/config/config.ts'),
  import('../../server/config/env.ts'),
  import('../../server/demo/seed.ts'),
  import('../../server/process.ts'),
  import('./begin-anew.ts'),
]);
await words.next();
process.channel?.unref();

// A database that somebody named may hold more than sample data: there the server refuses, as it does elsewhere.
const edited = process.env.EMBEDDED_URL ? await beginAnew(process.env.EMBEDDED_URL) : [];
if (edited.length > 0) {
  process.stdout.write(`${edited.join(', ')} was edited: the database begins anew, with sample data\n`);
}

runServer({
  readConfig: () => ({ ...createConfig(readEnv(process.env)), webDir: process.env.WEB_DIR ?? '' }),
  prepare: seedDemo,
  onReady() {
    process.stdout.write('ready\n');
    process.send?.('ready');
  },
  // Whoever has saved a file waits for the next start, not for a request that hangs.
  closingMsMax: 1_000,
});
