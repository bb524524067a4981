import { type Logger, pino } from 'pino';

export type { Logger };

/** What may never reach a log, wherever it turns up in a logged object. */
const secretPaths = [
  'req.headers.authorization',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
  '*.password',
  '*.passwordnew',
  '*.cpassword',
  '*.token',
];

export function createLogger(level: string): Logger {
  return pino({ level, redact: { paths: secretPaths, censor: '[redacted]' } });
}
