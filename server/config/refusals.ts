import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { isLoopbackUrl } from '../platform/http/origin.ts';
import { type Env, ofNetwork } from './env.ts';
import { likelyTypos } from './typos.ts';

const neededInProduction = [
  'DATABASE_URL',
  'SMTP_URL',
  'SITE_URL',
  'SECRET_FILE',
  'LOG_KEY_FILE',
  'MAIL_FROM',
  'TRUST_PROXY',
] as const;

/** Said where something is missing: its name may only be misspelt. */
function mistyped(missing: readonly string[], variables: NodeJS.ProcessEnv): string {
  const found = likelyTypos(variables).filter(({ meant }) => missing.includes(meant));
  return found.map(({ name, meant }) => ` ${name} is not read: is ${meant} meant?`).join('');
}

/** All of them at once: nobody wants to start seven times. */
export function refuseMissing(env: Env, variables: NodeJS.ProcessEnv): void {
  if (env.MODE !== 'production') return;
  const missing = neededInProduction.filter((name) => env[name] === undefined);
  if (missing.length === 0) return;
  throw new Error(
    `MODE=production needs ${missing.join(', ')}: see .env.example.${mistyped(missing, variables)}`,
  );
}

/**
 * Of several processes that are one site. Each would start an embedded database of its own, and the name of the log and
 * all links follow from the address, which would be another for each port. Secret and log key are looked at when the
 * database is there.
 */
export function refuseRole(env: Env): void {
  if (env.ROLE === 'all') return;
  const missing = (['DATABASE_URL', 'SITE_URL'] as const).filter((name) => env[name] === undefined);
  if (missing.length === 0) return;
  throw new Error(
    `ROLE=${env.ROLE} needs ${missing.join(' and ')}: all processes of a site share one database and one address.`,
  );
}

/** Links are made by putting a path behind it, and cookies and the log's name belong to the whole host. */
export function refuseSiteUrl(siteUrl: string, { MODE }: Env): void {
  const { protocol, host, pathname, search, hash, username, password } = new URL(siteUrl);
  if (pathname !== '/' || search || hash || username || password) {
    throw new Error(`SITE_URL must be an address without anything behind its name: ${protocol}//${host}`);
  }
  if (MODE === 'demo' && !isLoopbackUrl(siteUrl)) {
    throw new Error(
      'Demo mode is for this machine alone, and SITE_URL is not. For real, set MODE=production.',
    );
  }
  // On this machine alone nobody stands in between.
  if (MODE === 'production' && protocol === 'http:' && !isLoopbackUrl(siteUrl)) {
    throw new Error(
      `SITE_URL must begin with https:// in production, as in https://${host}: passwords would cross the network in clear.`,
    );
  }
}

/** The demo prints its passwords and shows everyone's mail: it is for this machine alone. */
export function refuseHost(host: string, { MODE }: Env): void {
  if (MODE === 'demo' && !['127.0.0.1', 'localhost', '::1'].includes(host)) {
    throw new Error(`Demo mode listens on 127.0.0.1 only, and HOST is ${host}.`);
  }
}

/** What is not there yet is made later: then the folder above it must be one that can be written. */
export function refuseDataDir(dataDir: string): void {
  let folder = dataDir;
  let isFolder = false;
  try {
    while (!statSync(folder, { throwIfNoEntry: false }) && dirname(folder) !== folder) {
      folder = dirname(folder);
    }
    isFolder = statSync(folder).isDirectory();
    if (isFolder) accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `DATA_DIR ${dataDir} cannot be written by the user of this process (${code} at ${folder}): chown it, or choose another.`,
    );
  }
  if (!isFolder) throw new Error(`DATA_DIR ${dataDir} must be a folder, and ${folder} is a file.`);
}

const loginOf = (url: string) => {
  const { username, searchParams } = new URL(url);
  return searchParams.get('user') ?? decodeURIComponent(username);
};

export function refuseSameLogin({ DATABASE_URL, DATABASE_APP_URL }: Env): void {
  if (!DATABASE_APP_URL) return;
  if (!DATABASE_URL) throw new Error('DATABASE_APP_URL needs DATABASE_URL, that of the owner of the tables.');
  const login = loginOf(DATABASE_APP_URL);
  if (login !== '' && login === loginOf(DATABASE_URL)) {
    throw new Error(
      `DATABASE_APP_URL must name another login than DATABASE_URL, and both name "${login}": leave it out, or make one as .env.example says.`,
    );
  }
}

/** The embedded database has no replicas. */
export function refuseReplicaAlone({ DATABASE_URL, DATABASE_READ_URL }: Env): void {
  if (DATABASE_READ_URL && !DATABASE_URL) {
    throw new Error('DATABASE_READ_URL needs DATABASE_URL, that of the primary.');
  }
}

export function refuseSessions({
  SESSION_IDLE_MINUTES: idle,
  SESSION_ABSOLUTE_MINUTES: absolute,
}: Env): void {
  if (idle <= absolute) return;
  throw new Error(
    `SESSION_IDLE_MINUTES must not be more than SESSION_ABSOLUTE_MINUTES, and ${idle} is more than ${absolute}.`,
  );
}

/** An investor has one address on all EVM networks: on one chain under two names every payment would count twice. */
export function refuseSameChain(env: Env, chainIds: Partial<Record<Network, number>>): void {
  const read = networkIds.filter(
    (network) => networks[network].family === 'evm' && env[ofNetwork(network, 'RPC_URL')],
  );
  const second = read.find((network, at) =>
    read.slice(0, at).some((other) => chainIds[other] === chainIds[network]),
  );
  if (second) throw new Error(`${ofNetwork(second, 'CHAIN_ID')} is that of another network, too.`);
}
