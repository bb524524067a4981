import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { z } from 'zod';

const Minutes = z.coerce.number().int().min(1).max(100_000);

/** As rippled calls it: its main network is 0. */
const NetworkId = z.coerce.number().int().min(0).max(0xffff_ffff).optional();
const ChainId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional();
/** May carry a name and a password. */
const NodeUrl = z.url({ protocol: /^https?$/ }).optional();

const blocks = 'must be a whole number from 1 to 1000';
const Confirmations = z.coerce.number(blocks).int(blocks).min(1, blocks).max(1_000, blocks).optional();
const Key = z.string().trim().max(250).optional();

/** What a variable of a network is called, such as `BNB_RPC_URL`. */
export const ofNetwork = <Suffix extends string>(network: Network, suffix: Suffix) =>
  `${network.toUpperCase() as Uppercase<Network>}_${suffix}` as const;
export const confirmationsOf = (network: Network) =>
  `CONFIRMATIONS_${network.toUpperCase() as Uppercase<Network>}` as const;

/** The same of each network, or of those of some families. */
function each<Name extends string, Shape>(
  name: (network: Network) => Name,
  shape: Shape,
  families = anyFamily,
) {
  const ids = networkIds.filter((id) => families.includes(networks[id].family));
  return Object.fromEntries(ids.map((id) => [name(id), shape])) as Record<Name, Shape>;
}
const anyFamily = ['bitcoin', 'evm', 'xrp'];
const Postgres = z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://');

/** Every variable the server reads, declared once. `.env.example` explains them. */
const Env = z.object({
  MODE: z.enum(['demo', 'production']).default('demo'),
  HOST: z.string().optional(),
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  SITE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: Postgres.optional(),
  DATABASE_APP_URL: Postgres.optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().optional(),
  PRICE_API_BASE: z.url({ protocol: /^https?$/ }).default('https://api.coingecko.com/api/v3'),
  ...each((id) => ofNetwork(id, 'RPC_URL'), NodeUrl),
  ...each((id) => ofNetwork(id, 'CHAIN_ID'), ChainId, ['evm']),
  ...each((id) => ofNetwork(id, 'NETWORK_ID'), NetworkId, ['xrp']),
  ...each((id) => ofNetwork(id, 'XPUB'), Key, ['bitcoin', 'evm']),
  ...each((id) => ofNetwork(id, 'ADDRESS'), Key, ['xrp']),
  ...each(confirmationsOf, Confirmations),
  BITCOIN_NETWORK: z.enum(['mainnet', 'testnet', 'regtest']).default('mainnet'),
  SECRET_FILE: z.string().optional(),
  LOG_KEY_FILE: z.string().optional(),
  LOG_WITNESSES_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  TRUST_PROXY: z.string().optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9._~+/-]{16,200}=*$/, 'must be 16 or more letters and digits')
    .optional(),
  METRICS_FROM: z.string().optional(),
  SESSION_IDLE_MINUTES: Minutes.default(60),
  SESSION_ABSOLUTE_MINUTES: Minutes.default(24 * 60),
});
export type Env = z.infer<typeof Env>;

/** An empty variable counts as not set: that is what `NAME=` in a file means to the person who wrote it. */
export function readEnv(variables: NodeJS.ProcessEnv): Env {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = Env.safeParse(set);
  if (result.success) return result.data;
  const wrong = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The configuration is wrong:\n${wrong.join('\n')}`);
}
