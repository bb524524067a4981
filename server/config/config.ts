import type { KeyObject } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Network, type NetworkFacts, networkIds, networks } from '@tallystick/contract/networks';
import type { BitcoinNetwork } from '../platform/chains/bitcoin/params.ts';
import { dayMs, minuteMs } from '../platform/clock.ts';
import {
  type AddressList,
  ofProxies,
  readScrapers,
  readTrustedProxies,
} from '../platform/http/client-address.ts';
import type { Mode } from '../platform/postgres/installation.ts';
import { type Env, ofNetwork } from './env.ts';
import { type FirstMethod, firstMethodsOf } from './first-methods.ts';
import { readLogKeys, readWitnesses } from './log-files.ts';
import {
  refuseDataDir,
  refuseHost,
  refuseMissing,
  refuseReplicaAlone,
  refuseRole,
  refuseSameChain,
  refuseSameLogin,
  refuseSessions,
  refuseSiteUrl,
} from './refusals.ts';
import { deriveSecrets, readMaster, type Secrets } from './secrets.ts';
import { likelyTypos } from './typos.ts';

export interface Config {
  mode: Mode;
  /** What this process does: everything, or only answer, or only what happens without a request. */
  role: Env['ROLE'];
  host: string;
  port: number;
  /** Where people reach the site, without a slash at the end. */
  siteUrl: string;
  dataDir: string;
  /** Undefined means the embedded database. */
  databaseUrl: string | undefined;
  /** Undefined means a login that the server makes for itself. */
  databaseAppUrl: string | undefined;
  /** A replica, for reads that may be a moment old; undefined means that the primary answers all. */
  databaseReadUrl: string | undefined;
  /** Undefined means the development inbox. */
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /** Which of Bitcoin's networks addresses are on. */
  bitcoinNetwork: BitcoinNetwork;
  /** What the networks call their chains, other than Bitcoin. */
  chainIds: Partial<Record<Network, number>>;
  /** Where each network's node is; one that has none is not read. */
  nodeUrls: Partial<Record<Network, string>>;
  /** How networks are paid on until an operator says otherwise. */
  firstMethods: FirstMethod[];
  /** The price service's address, without a slash at the end. */
  priceApiBase: string;
  secrets: Secrets;
  /** The secret was given, not made by itself. */
  hasOwnSecret: boolean;
  /** The public log's own: the first is told to verifiers, each signs. */
  logKeys: KeyObject[];
  /** Who is asked to sign the log, too. */
  logWitnesses: { vkey: string; url: string }[];
  logLevel: string;
  /** Whose X-Forwarded-For is believed. */
  trustedProxies: AddressList;
  /** Who brings it may read /metrics. */
  metricsToken: string | undefined;
  /** Who may read /metrics without it. */
  metricsFrom: AddressList;
  /** However many ask for figures, each is looked up once in this while. */
  metricsKeptMs: number;
  session: { idleMs: number; absoluteMs: number };
  /** For how long the e-mail address of a closed account is kept. */
  closedKeptMs: number;
  /** The built web app. */
  webDir: string;
  /** Beyond it the server says that it is busy instead of getting slower and slower; 0 switches that off. */
  eventLoopDelayMsMax: number;
  /** How many requests a client address may make in a minute. */
  requestsPerMinute: number;
  /** Said at the start. */
  warnings: string[];
}

type OfNetworks<Value> = Partial<Record<Network, Value>>;

/** What there is of each network. */
function ofNetworks<Value>(read: (network: Network) => Value | undefined): OfNetworks<Value> {
  const all = networkIds.map((network) => [network, read(network)] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as OfNetworks<Value>;
}

function chainIdsOf(env: Env): OfNetworks<number> {
  return ofNetworks((network) => {
    const facts: NetworkFacts = networks[network];
    if (facts.family === 'bitcoin') return undefined;
    const name = ofNetwork(network, facts.family === 'xrp' ? 'NETWORK_ID' : 'CHAIN_ID');
    const chainId = env[name] ?? facts.chainId;
    if (chainId === undefined && env[ofNetwork(network, 'RPC_URL')]) throw new Error(`${name} is needed.`);
    return chainId;
  });
}

/** What is worth saying although nothing has to be refused. */
function warningsOf(env: Env, variables: NodeJS.ProcessEnv): string[] {
  const typos = likelyTypos(variables).map(({ name, meant }) => `${name} is not read: is ${meant} meant?`);
  const file = statSync('.env', { throwIfNoEntry: false });
  const isOpen = env.MODE === 'production' && file !== undefined && (file.mode & 0o077) !== 0;
  const proxies = ofProxies(env.METRICS_FROM ?? '', readTrustedProxies(env.TRUST_PROXY ?? 'none'));
  return [
    ...typos,
    ...(isOpen ? ['.env can be read by others: chmod 600 it.'] : []),
    ...proxies.map(
      (entry) =>
        `METRICS_FROM has ${entry}, which TRUST_PROXY says is a proxy's: who comes from there is not shown the figures without METRICS_TOKEN.`,
    ),
  ];
}

/** The variables as they were given are asked only for names that are nearly ours. */
export function createConfig(env: Env, variables: NodeJS.ProcessEnv = {}): Config {
  const production = env.MODE === 'production';
  refuseMissing(env, variables);
  refuseRole(env);
  refuseSameLogin(env);
  refuseReplicaAlone(env);
  refuseSessions(env);
  const host = env.HOST ?? '127.0.0.1';
  refuseHost(host, env);
  const siteUrl = (env.SITE_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${env.PORT}`).replace(
    /\/+$/,
    '',
  );
  refuseSiteUrl(siteUrl, env);
  const chainIds = chainIdsOf(env);
  refuseSameChain(env, chainIds);
  const dataDir = resolve(env.DATA_DIR);
  refuseDataDir(dataDir);
  return {
    mode: env.MODE,
    role: env.ROLE,
    host,
    port: env.PORT,
    siteUrl,
    dataDir,
    databaseUrl: env.DATABASE_URL,
    databaseAppUrl: env.DATABASE_APP_URL,
    databaseReadUrl: env.DATABASE_READ_URL,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    bitcoinNetwork: env.BITCOIN_NETWORK,
    chainIds,
    nodeUrls: ofNetworks((network) => env[ofNetwork(network, 'RPC_URL')]),
    firstMethods: firstMethodsOf(env),
    priceApiBase: env.PRICE_API_BASE.replace(/\/+$/, ''),
    secrets: deriveSecrets(readMaster(env)),
    hasOwnSecret: env.SECRET_FILE !== undefined,
    logKeys: readLogKeys(env),
    logWitnesses: readWitnesses(env.LOG_WITNESSES_FILE),
    logLevel: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    trustedProxies: readTrustedProxies(env.TRUST_PROXY ?? 'none'),
    metricsToken: env.METRICS_TOKEN,
    metricsFrom: readScrapers(env.METRICS_FROM ?? 'none'),
    metricsKeptMs: 5_000,
    session: {
      idleMs: env.SESSION_IDLE_MINUTES * minuteMs,
      absoluteMs: env.SESSION_ABSOLUTE_MINUTES * minuteMs,
    },
    closedKeptMs: env.CLOSED_ACCOUNT_DAYS * dayMs,
    webDir: fileURLToPath(new URL('../../web/build/client', import.meta.url)),
    eventLoopDelayMsMax: 2_000,
    requestsPerMinute: 1_200,
    warnings: warningsOf(env, variables),
  };
}
