/**
 * Makes a statement of the books now, of how things stood a minute ago: what the clock does every night, whenever someone
 * wants it. It works beside a running server, which puts it into the public log. Exit code 0: it is made; 2: it is not.
 */
import { createConfig } from '../config/config.ts';
import { readSamplePrices } from '../config/content.ts';
import { readOwnEnv } from '../config/env.ts';
import { logOriginOf } from '../modules/log/service.ts';
import { createNetworks } from '../modules/networks/service.ts';
import { createPrices } from '../modules/prices/service.ts';
import { createProof } from '../modules/proof/service.ts';
import { openChains } from '../platform/chains/open-chains.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { logTime } from '../platform/log/outbox.ts';
import { createLogger } from '../platform/logger.ts';
import { openApp } from '../platform/postgres/db.ts';
import { createSealer } from '../platform/sealing.ts';
import { openDatabase } from './open-database.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
// What there is to say is said below, in plain words.
const logger = createLogger('silent');

async function prove(): Promise<void> {
  const { url, stop } = await openDatabase(logger);
  const db = openApp(url, logger);
  try {
    const config = createConfig(readOwnEnv(), process.env);
    const base = { db, clock, logger };
    const sample = config.mode === 'demo' ? readSamplePrices() : null;
    const prices = createPrices({ clock, logger, apiBase: config.priceApiBase, sample });
    const { bitcoinNetwork } = config;
    const networks = createNetworks({
      ...base,
      prices,
      bitcoinNetwork,
      sampleHeight: null,
      chains: openChains(config),
    });
    const sealer = createSealer(config.secrets.proof);
    const proof = createProof({ ...base, networks, sealer, origin: logOriginOf(config.siteUrl) });
    const { number, at, investors, owed } = await proof.prove();
    const cents = owed.reduce((sum, each) => sum + each, 0n);
    say(`Statement ${number} of ${logTime(at)}: ${investors} investors are owed ${cents} cents together.`);
  } finally {
    await db.destroy();
    await stop();
  }
}

try {
  await prove();
} catch (error) {
  const { message, errors } = error as Error & { errors?: Error[] };
  process.stderr.write(`No statement was made. ${message || (errors?.[0]?.message ?? error)}\n`);
  process.exitCode = 2;
}
