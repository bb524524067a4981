import { setTimeout as delay } from 'node:timers/promises';
import { register, signin, verifylink } from '@tallystick/contract/users';
import { answerOf, createAsker } from '../ask.ts';
import { createField, takeTheField } from '../field.ts';
import type { MailServer } from '../mail-server.ts';
import { chanceOf } from '../seed.ts';
import type { Credentials } from './requests.ts';

const password = 'notched hazel 1826';
const letterMsMax = 120_000;
const roundsEach = 5;

/** An operator who stays, and an investor who is another one every few rounds: sessions end and people are frozen on the way. */
export async function createPeople(port: number, mail: MailServer): Promise<() => Promise<Credentials>> {
  const field = createField(() => port, mail);
  await takeTheField(field, chanceOf(0));
  let token = '';
  let round = 0;
  return async () => {
    if (round % roundsEach === 0) token = await signUp(port, mail, round / roundsEach);
    round += 1;
    return {
      anyone: {},
      investor: { authorization: `Bearer ${token}` },
      operator: { cookie: field.operators[0] ?? '', 'sec-fetch-site': 'same-origin' },
      forged: { authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAA', cookie: 'operator-session=; session=%00' },
    };
  };
}

async function signUp(port: number, mail: MailServer, number: number): Promise<string> {
  // Each in a neighbourhood of their own, for neighbours share their limits.
  const asker = createAsker(() => port, `100.64.${number % 250}.1`);
  const email = `fuzz-${number}@example.com`;
  const registered = await asker.ask(register, {
    body: { fullname: 'Amara Okonkwo', email, password, isAdmin: false },
  });
  const token = () => mail.lettersTo(email)[0]?.linkToken;
  for (const until = performance.now() + letterMsMax; !token(); await delay(20)) {
    if (performance.now() > until)
      throw new Error(`the letter with the link did not come: ${JSON.stringify(registered)}`);
  }
  await asker.ask(verifylink, { body: { token: token() ?? '' } });
  const outcome = await asker.ask(signin, { body: { email, password } });
  asker.close();
  const session = answerOf(signin, outcome);
  if (!session) throw new Error(`nobody could sign in: ${JSON.stringify(outcome)}`);
  return session.token;
}
