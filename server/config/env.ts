import { existsSync } from 'node:fs';
import {
  isReadable,
  type Network,
  type NetworkFacts,
  networkIds,
  networks,
} from '@tallystick/contract/networks';
import { z } from 'zod';

/** Digits alone: neither `1e3` nor `0x50` is what somebody means who writes a port. */
function whole(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  const isWithin = (value: number) => value >= min && value <= max;
  return z.string().regex(/^\d+$/, rule).transform(Number).refine(isWithin, rule);
}
const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`);

/** Null for what is no address, also where its name or password is not spelt as one has to be in an address. */
function partsOf(text: string): URL | null {
  try {
    const url = new URL(text);
    decodeURIComponent(url.username + url.password);
    return url;
  } catch {
    return null;
  }
}
const WebAddress = (rule: string) =>
  z.string().refine((text) => /^https?:$/.test(partsOf(text)?.protocol ?? ''), rule);

/** As rippled calls it: its main network is 0. */
const NetworkId = whole(0, 0xffff_ffff).optional();
const ChainId = whole(1, Number.MAX_SAFE_INTEGER).optional();
/** May carry a name and a password. */
const NodeUrl = WebAddress(
  'must be the address of a node, such as http://user:password@127.0.0.1:8332',
).optional();
const Key = z.string().trim().max(250, 'must have 250 characters at most').optional();

/** What a variable of a network is called, such as `BNB_RPC_URL`. */
export const ofNetwork = <Suffix extends string>(network: Network, suffix: Suffix) =>
  `${network.toUpperCase() as Uppercase<Network>}_${suffix}` as const;
export const confirmationsOf = (network: Network) =>
  `CONFIRMATIONS_${network.toUpperCase() as Uppercase<Network>}` as const;

/** The same of each network whose chain can be read, or of those of some families. */
function each<Name extends string, Shape>(
  name: (network: Network) => Name,
  shape: Shape,
  families?: readonly NetworkFacts['family'][],
) {
  const isMeant = (id: Network) => !families || families.includes(networks[id].family);
  const ids = networkIds.filter((id) => isReadable(id) && isMeant(id));
  return Object.fromEntries(ids.map((id) => [name(id), shape])) as Record<Name, Shape>;
}

const Postgres = z
  .string()
  .refine(
    (text) => /^postgres(ql)?:\/\//.test(text) && partsOf(text) !== null,
    'must be an address such as postgres://user:password@host:5432/database, in which a password has %2F for / and %40 for @',
  );
/** An address, or a name and an address in angle brackets. */
const sender = /^([^<>\r\n]*<[^<>@\s,]+@[^<>@\s,]+>|[^<>@\s,]+@[^<>@\s,]+)$/;

/** Every variable the server reads, declared once. `.env.example` and docs/operations.md explain them. */
const Env = z.object({
  MODE: oneOf('demo', 'production').default('demo'),
  ROLE: oneOf('all', 'web', 'worker').default('all'),
  HOST: z
    .string()
    .regex(
      /^[A-Za-z0-9.:-]+$/,
      'must be an address or a name of this machine, such as 127.0.0.1, 0.0.0.0 or ::',
    )
    .optional(),
  PORT: whole(1, 65_535).default(3000),
  SITE_URL: WebAddress('must be the address of the site, such as https://www.example.com').optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: Postgres.optional(),
  DATABASE_APP_URL: Postgres.optional(),
  DATABASE_READ_URL: Postgres.optional(),
  SMTP_URL: z
    .string()
    .refine(
      (text) => /^smtps?:$/.test(partsOf(text)?.protocol ?? '') && partsOf(text)?.hostname !== '',
      'must be an address such as smtps://user:password@mail.example.com, in which a password has %2F for / and %40 for @',
    )
    .optional(),
  MAIL_FROM: z.string().regex(sender, 'must be one address, such as Name <name@example.com>').optional(),
  PRICE_API_BASE: WebAddress('must be the address of the price service').default(
    'https://api.coingecko.com/api/v3',
  ),
  ...each((id) => ofNetwork(id, 'RPC_URL'), NodeUrl),
  ...each((id) => ofNetwork(id, 'CHAIN_ID'), ChainId, ['evm']),
  ...each((id) => ofNetwork(id, 'NETWORK_ID'), NetworkId, ['xrp']),
  ...each((id) => ofNetwork(id, 'XPUB'), Key, ['bitcoin', 'evm']),
  ...each((id) => ofNetwork(id, 'ADDRESS'), Key, ['xrp']),
  ...each(confirmationsOf, whole(1, 1_000).optional()),
  BITCOIN_NETWORK: oneOf('mainnet', 'testnet', 'regtest').default('mainnet'),
  SECRET_FILE: z.string().optional(),
  LOG_KEY_FILE: z.string().optional(),
  LOG_WITNESSES_FILE: z.string().optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
  TRUST_PROXY: z.string().optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9._~+/-]{16,200}=*$/, 'must be 16 or more letters and digits')
    .optional(),
  METRICS_FROM: z.string().optional(),
  SESSION_IDLE_MINUTES: whole(1, 100_000).default(60),
  SESSION_ABSOLUTE_MINUTES: whole(1, 100_000).default(24 * 60),
  CLOSED_ACCOUNT_DAYS: whole(1, 3_650).default(30),
});
export type Env = z.infer<typeof Env>;

/** What is read by a command and not by the server. */
const commandsOwn = ['OPERATOR_PASSWORD'];
export const variableNames: readonly string[] = [...Object.keys(Env.shape), ...commandsOwn];

/** Of these a wrong value is shown. The others may carry a password, or be one. */
const shown =
  /^(MODE|ROLE|HOST|PORT|LOG_LEVEL|BITCOIN_NETWORK|SESSION_\w+|CLOSED_ACCOUNT_DAYS|CONFIRMATIONS_\w+|\w+_(CHAIN|NETWORK)_ID)$/;

/** An empty variable counts as not set: that is what `NAME=` in a file means to the person who wrote it. */
export function readEnv(variables: NodeJS.ProcessEnv): Env {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = Env.safeParse(set);
  if (result.success) return result.data;
  const rules = new Map(result.error.issues.map(({ path, message }) => [String(path[0]), message]));
  const wrong = [...rules].map(([name, rule]) => {
    const value = shown.test(name) ? `, and is "${String(set[name]).slice(0, 40)}"` : '';
    return `${name} ${rule}${value}.`;
  });
  throw new Error(wrong.join(' '));
}

/** The environment of this process, and of the file `.env` what that does not say. */
export function readOwnEnv(): Env {
  if (existsSync('.env')) {
    try {
      process.loadEnvFile('.env');
    } catch (error) {
      throw new Error(`.env cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    }
  }
  return readEnv(process.env);
}
