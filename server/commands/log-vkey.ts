/** Prints what a verifier of the public log is given: its name and its public key, and those that sign beside it. */
import { createConfig } from '../config/config.ts';
import { readOwnEnv } from '../config/env.ts';
import { logVkey } from '../modules/log/service.ts';

try {
  const { siteUrl, logKeys } = createConfig(readOwnEnv(), process.env);
  for (const key of logKeys) process.stdout.write(`${logVkey(siteUrl, [key])}\n`);
} catch (error) {
  process.stderr.write(`The log's key cannot be read. ${(error as Error).message}\n`);
  process.exitCode = 1;
}
