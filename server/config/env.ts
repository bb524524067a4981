import { z } from 'zod';

const Minutes = z.coerce.number().int().min(1).max(100_000);

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
