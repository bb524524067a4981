import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../people.ts';
import type { TestApp } from '../start-app.ts';

/** Loading all the code at once on a busy machine looks like overload to the server: it says 503 until that is over. */
export async function whenCalm(test: TestApp): Promise<TestApp> {
  while ((await send(test, 'GET', '/api/investment/fetchallinvestmentmethod')).statusCode === 503)
    await delay(100);
  return test;
}
