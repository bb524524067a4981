/**
 * `npm run demo:chains`: the demo with real test nodes, out of npm packages, that it reads as it would read real chains.
 * Everything is in one folder that is removed at the end, and every node ends with this process, however that ends.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { effectiveDataDir } from '../../server/platform/embedded-postgres/home.ts';
import { endingSignals } from '../../server/told-to-end.ts';
import { closeDesk, openDesk, order } from './desk.ts';
import { startChains, type TestChain } from './nodes.ts';

const tell = (line: string) => process.stdout.write(`${line}\n`);

/** None of the machine's own: the server brings its database and its mail. */
const ownServer = {
  MODE: 'demo',
  HOST: '',
  SITE_URL: '',
  DATABASE_URL: '',
  DATABASE_APP_URL: '',
  DATABASE_READ_URL: '',
  SMTP_URL: '',
  SECRET_FILE: '',
};

/** Until its node is gone, which ends everything in order. */
async function grow({ mine, blockMs, what }: TestChain): Promise<void> {
  try {
    for (;;) {
      await delay(blockMs, undefined, { ref: false });
      await mine();
    }
  } catch (error) {
    tell(`A test chain has ended (${what}): ${(error as Error).message}`);
    process.kill(process.pid, 'SIGTERM');
  }
}

async function isReady(port: string): Promise<void> {
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok) await delay(200);
}

function explain(chains: Record<Network, TestChain>): void {
  const rows = networkIds.map((id) => {
    const { what, url, blockMs } = chains[id];
    return `  ${networks[id].name.padEnd(15)}  ${url.padEnd(36)}  ${what}, a block every ${blockMs / 1000} s`;
  });
  const send = (network: Network, rest: string) =>
    `  npm run demo:chains -- send ${network.padEnd(8)} <address> ${rest}`;
  const payout = 'npm run demo:chains -- payout <ethereum|bnb|xrp> <address> <amount> [destination tag]';
  tell('');
  tell('Test chains that this server reads; their coins are worth nothing:');
  tell('');
  for (const row of rows) tell(row);
  tell('');
  tell('Fund a wallet on the site, and pay the address that it shows from another terminal:');
  tell('');
  tell(send('bitcoin', '0.01'));
  tell(send('ethereum', '0.5'));
  tell(send('bnb', '2'));
  tell(send('xrp', '500 <destination tag>'));
  tell('');
  tell('Pay out as an operator with the company’s wallet would:');
  tell('');
  tell('  npm run demo:chains -- sign <file of a Bitcoin payout sheet>');
  tell(`  ${payout}`);
  tell('');
}

async function run(): Promise<void> {
  // Told to end before the server listens for it.
  const leave = () => process.exit(1);
  for (const signal of endingSignals) process.on(signal, leave);
  const dir = mkdtempSync(path.join(tmpdir(), 'tallystick-chains-'));
  const dataDir = path.join(dir, 'data');
  process.on('exit', () => {
    closeDesk(dir);
    // The database is elsewhere where its user could not come here.
    for (const folder of [effectiveDataDir(dataDir), dir]) rmSync(folder, { recursive: true, force: true });
  });
  // PostgreSQL runs as a user of its own where we are root, and must be able to pass.
  chmodSync(dir, 0o711);
  // What the nodes keep is in there, too.
  process.env.TMPDIR = path.join(dir, 'nodes');
  mkdirSync(process.env.TMPDIR);
  tell('Starting the test chains.');
  const chains = await startChains();
  await openDesk(dir, chains);
  const settings = networkIds.map((id) => chains[id].settings);
  const port = process.env.PORT || '3000';
  Object.assign(process.env, ownServer, { PORT: port, DATA_DIR: dataDir }, ...settings);
  for (const signal of endingSignals) process.off(signal, leave);
  await import('../../server/main.ts');
  await isReady(port);
  explain(chains);
  for (const id of networkIds) void grow(chains[id]);
}

const typed = process.argv.slice(2);
try {
  if (typed.length === 0) await run();
  else tell(`Sent in ${await order(typed)}. It is in the next block.`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
