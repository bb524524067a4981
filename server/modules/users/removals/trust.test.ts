import { proposefactorremoval } from '@tallystick/contract/operator/investors';
import { factorremovals } from '@tallystick/contract/operator/queue';
import { stopremoval } from '@tallystick/contract/removals';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { call, tryCall } from '../../../testing/call.ts';
import { dayMs } from '../../../testing/clock.ts';
import { passwordShown, trails, withPhone } from '../../../testing/factors/people.ts';
import { accountsOf, type Operator, signedInAgain, signedInOperator } from '../../../testing/operators.ts';
import { newAddress, type SignedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { createRemovalEnding } from './ending.ts';
import { createRemoving } from './removing.ts';

let test: TestApp;
let first: Operator;
let second: Operator;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  first = first ? await signedInAgain(test, first) : await signedInOperator(test);
  second = second ? await signedInAgain(test, second) : await signedInOperator(test);
});

const reason = 'Passport and a call back on the number that we had';
const carryOut = () => test.context.users.carryOutRemovals();
const removalOf = ({ userid }: SignedIn) => test.context.users.removalOf({ userId: userid });
const stop = (token: string) => tryCall(test, stopremoval, { body: { token }, from: newAddress() });

/** Asked for by one and agreed to by the other; answers with its id. */
async function agreed(person: SignedIn, [one, other] = [first, second]): Promise<string> {
  await call(test, proposefactorremoval, { as: one, params: { id: person.userid }, body: { reason } });
  const id = (await removalOf(person))?.id ?? '';
  await call(test, factorremovals.confirm, { as: other, params: { id } });
  return id;
}

it('comes to nothing when one of the two is an operator no more, and the investor is told at once', async () => {
  const gone = await signedInOperator(test);
  const [asked, agreedTo] = [await withPhone(test), await withPhone(test)];
  await agreed(asked, [gone, second]);
  await agreed(agreedTo, [first, gone]);
  await accountsOf(test).disableOperator({ email: gone.email });
  await carryOut();
  for (const person of [asked, agreedTo]) {
    const [letter] = await test.mailbox.letters(person.email);
    expect(letter?.subject).toBe('Your second factors at Tallystick stay');
    expect((await trails(test, person.userid)).at(-1)?.action).toBe('factor.removal-discarded');
  }
  test.clock.advance(7 * dayMs);
  await carryOut();
  await passwordShown(test, asked);
});

it('is not told to be stopped by the link of an earlier one', async () => {
  const person = await withPhone(test);
  const id = await agreed(person);
  const [letter] = await test.mailbox.letters(person.email);
  const old = /\/stopchange#removal=([\w-]{22})/.exec(letter?.text ?? '')?.[1] ?? '';
  await call(test, factorremovals.discard, { as: first, params: { id } });
  expect((await stop(old)).status).toBe(200);
  await agreed(person);
  expect((await stop(old)).code).toBe('link_wrong');
  expect(await removalOf(person)).not.toBeNull();
});

it('is not carried out early by a server whose clock runs ahead', async () => {
  const person = await withPhone(test);
  await agreed(person);
  const { dueAt } = (await removalOf(person)) ?? {};
  const { db, notices } = test.context;
  const mail = notices.post;
  const clock = systemClock;
  const ahead = createRemoving({ db, clock, mail, ending: createRemovalEnding({ clock, mail }) });
  vi.useFakeTimers({ toFake: ['Date'], now: (dueAt?.getTime() ?? 0) + dayMs });
  await ahead.carryOutRemovals().finally(() => vi.useRealTimers());
  expect(await removalOf(person)).not.toBeNull();
  await passwordShown(test, person);
});
