import { setTimeout as delay } from 'node:timers/promises';
import { signin } from '@tallystick/contract/users';
import { createAsker } from '../ask.ts';
import { type Field, hear } from '../field.ts';
import type { Chance } from '../seed.ts';

const tickMs = 50;
const mayHear = [0, 401, 429, 503];

/** Wrong passwords of people who are known, and of people who are not, from everywhere, until the flood is over. */
export async function guessPasswords(
  field: Field,
  emails: readonly string[],
  { chance, perSecond, isOver }: { chance: Chance; perSecond: number; isOver(): boolean },
): Promise<Map<number, number>> {
  const heard = new Map<number, number>();
  const guesses: Promise<void>[] = [];
  async function guess(): Promise<void> {
    const isKnown = chance.below(2) === 0;
    const email = isKnown
      ? (emails[chance.below(emails.length)] ?? '')
      : `nobody-${chance.below(1_000_000)}@example.com`;
    const asker = createAsker(field.port, `10.105.${chance.below(16)}.${chance.below(250) + 1}`, field.msMax);
    const body = { email, password: `guess ${chance.below(1_000_000)}`, isAdmin: false };
    const outcome = await asker.ask(signin, { body });
    asker.close();
    hear(field, signin, outcome);
    heard.set(outcome.status, (heard.get(outcome.status) ?? 0) + 1);
    if (!mayHear.includes(outcome.status))
      field.findings.add(`a wrong password was answered with ${outcome.status}`);
  }
  const began = performance.now();
  while (!isOver()) {
    const due = ((performance.now() - began) / 1_000) * perSecond;
    while (guesses.length < due) guesses.push(guess());
    await delay(tickMs);
  }
  await Promise.all(guesses);
  return heard;
}
