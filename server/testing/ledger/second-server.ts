import { pino } from 'pino';
import { type Context, createContext } from '../../context.ts';
import type { Clock } from '../../platform/clock.ts';
import { lightHashing, type TestApp } from '../start-app.ts';

/** Another server's verbs on the same database, with its own connections, batches and clock. It runs no jobs. */
export function startSecondServer(test: TestApp, clock: Clock = test.clock): Promise<Context> {
  const { config, inbox } = test.context;
  const logger = pino({ level: 'silent' });
  const overrides = { clock, logger, durabilityUnchecked: true, hashingCost: lightHashing };
  return createContext({ ...config, smtpUrl: inbox?.smtpUrl }, overrides);
}
