import { setTimeout as delay } from 'node:timers/promises';
import type { MailServer } from '../server/testing/outside/mail-server.ts';
import type { Bank } from './bank.ts';
import type { Done } from './server/loop.ts';

const lookMs = 50;

/** Sends what is owed by then to a mail server on loopback, until nothing comes any more or the time is up. */
export async function deliverLetters(
  { server }: Bank,
  { received }: MailServer,
  seconds: number,
): Promise<Done> {
  const before = received.length;
  const begun = performance.now();
  await server.ask('startWork');
  let last = { count: before, at: begun };
  for (let now = begun; now - begun < seconds * 1000 && now - last.at < 1000; now = performance.now()) {
    await delay(lookMs);
    if (received.length > last.count) last = { count: received.length, at: performance.now() };
  }
  await server.ask('stopWork');
  return { done: last.count - before, seconds: (last.at - begun) / 1000 };
}
