/**
 * Ends sessions. It acts as the owner of the database; a running server knows of it with the next request.
 *   npm run signout -- --email a@example.com   (an investor, whose browsers are forgotten, too)
 *   npm run signout -- --everyone              (investors and operators, for example after a restore)
 */
import { parseArgs } from 'node:util';
import { createSignOuts } from '../modules/users/sessions/sign-outs.ts';
import { systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { openOwner, ownersDb } from '../platform/postgres/db.ts';
import { openDatabase } from './open-database.ts';

const usage = 'Usage: npm run signout -- --email E | --everyone';
const say = (line: string) => process.stdout.write(`${line}\n`);

async function obey({ signOutInvestor, signOutEveryone }: ReturnType<typeof createSignOuts>): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: 'string' }, everyone: { type: 'boolean' } } });
  const { email, everyone } = values;
  if (email && !everyone) {
    await signOutInvestor({ email });
    say(`${email} is signed out everywhere.`);
  } else if (everyone && !email) {
    await signOutEveryone();
    say('Everyone is signed out.');
  } else throw new Error(usage);
}

async function main(): Promise<void> {
  const logger = createLogger('silent');
  const { url, stop } = await openDatabase(logger);
  const owner = openOwner(url, logger);
  try {
    await obey(createSignOuts({ owner: ownersDb(owner), clock: systemClock }));
  } finally {
    await owner.end();
    await stop();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
