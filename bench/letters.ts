import { setTimeout as delay } from 'node:timers/promises';
import type { MailServer } from '../server/testing/outside/mail-server.ts';
import type { Bank } from './bank.ts';
import type { Done } from './server/loop.ts';

const lookMs = 50;
const firstMsMax = 30_000;
/** So long without a letter, and there is none left. */
const noneMs = 1_000;

/** Sends what is owed to a mail server on loopback, from the first letter on, until none is left or the time is up. */
export async function deliverLetters(
  { server }: Bank,
  { received }: MailServer,
  seconds: number,
): Promise<Done> {
  const before = received.length;
  const asked = performance.now();
  await server.ask('startWork');
  while (received.length === before && performance.now() - asked < firstMsMax) await delay(lookMs);
  const begun = performance.now();
  const first = received.length;
  let last = { count: first, at: begun };
  for (let now = begun; now - begun < seconds * 1000 && now - last.at < noneMs; now = performance.now()) {
    await delay(lookMs);
    if (received.length > last.count) last = { count: received.length, at: performance.now() };
  }
  await server.ask('stopWork');
  return { done: last.count - first, seconds: (last.at - begun) / 1000 };
}
