import { z } from 'zod';

const Minutes = z.coerce.number().int().min(1).max(100_000);

const ChainId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
/** May carry a name and a password. */
const NodeUrl = z.url({ protocol: /^https?$/ }).optional();

const Confirmations = z.coerce.number().int().min(1).max(1_000).optional();
const Key = z.string().trim().max(250).optional();

/** Every variable the server reads, declared once. `.env.example` explains them. */
const Env = z.object({
  MODE: z.enum(['demo', 'production']).default('demo'),
  HOST: z.string().optional(),
  PORT: z.coerce.number().int().min(1).max(65_535).default(3000),
  SITE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  DATABASE_APP_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().optional(),
  PRICE_API_BASE: z.url({ protocol: /^https?$/ }).default('https://api.coingecko.com/api/v3'),
  BITCOIN_RPC_URL: NodeUrl,
  ETHEREUM_RPC_URL: NodeUrl,
  BNB_RPC_URL: NodeUrl,
  XRP_RPC_URL: NodeUrl,
  ETHEREUM_CHAIN_ID: ChainId.default(1),
  BNB_CHAIN_ID: ChainId.default(56),
  BITCOIN_NETWORK: z.enum(['mainnet', 'testnet', 'regtest']).default('mainnet'),
  BITCOIN_XPUB: Key,
  ETHEREUM_XPUB: Key,
  BNB_XPUB: Key,
  XRP_ADDRESS: Key,
  CONFIRMATIONS_BITCOIN: Confirmations,
  CONFIRMATIONS_ETHEREUM: Confirmations,
  CONFIRMATIONS_BNB: Confirmations,
  CONFIRMATIONS_XRP: Confirmations,
  SECRET_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  TRUST_PROXY: z.string().optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9._~+/-]{16,200}=*$/, 'must be 16 or more letters and digits')
    .optional(),
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
