import { confirmauthenticator, newauthenticator, stepup } from '@tallystick/contract/factors';
import { investor, proposefactorremoval } from '@tallystick/contract/operator/investors';
import { factorremovals, queue } from '@tallystick/contract/operator/queue';
import { stopremoval } from '@tallystick/contract/removals';
import { viewprofile } from '@tallystick/contract/users';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerOf, call, refusal, tryCall } from '../../../testing/call.ts';
import { dayMs, hourMs, minuteMs } from '../../../testing/clock.ts';
import * as people from '../../../testing/factors/people.ts';
import { accountsOf, type Operator, signedInAgain, signedInOperator } from '../../../testing/operators.ts';
import { newAddress, resetPassword, signedIn, signIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { totpAt } from '../factors/authenticator.ts';

let test: TestApp;
let first: Operator;
let second: Operator;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());
// A session of the console is over long before a removal is due.
beforeEach(async () => {
  first = first ? await signedInAgain(test, first) : await signedInOperator(test);
  second = second ? await signedInAgain(test, second) : await signedInOperator(test);
});

const reason = 'Passport and a call back on the number that we had';
const waitMs = 7 * dayMs;
const withPhone = () => people.withPhone(test);
const carryOut = () => test.context.users.carryOutRemovals();

const propose = (userid: string, as = first) =>
  tryCall(test, proposefactorremoval, { as, params: { id: userid }, body: { reason } });

async function removalOf(userid: string) {
  return (await call(test, investor, { as: first, params: { id: userid } })).factorremoval;
}

async function proposed(userid: string): Promise<string> {
  answerOf(await propose(userid));
  return (await removalOf(userid))?._id ?? '';
}

const agree = (id: string, as = second) => tryCall(test, factorremovals.confirm, { as, params: { id } });
const discard = (id: string, as = second) => tryCall(test, factorremovals.discard, { as, params: { id } });
const stop = (token: string) => tryCall(test, stopremoval, { body: { token }, from: newAddress() });

async function agreed() {
  const person = await withPhone();
  const id = await proposed(person.userid);
  answerOf(await agree(id));
  return { person, id };
}

/** The links of the letters, the last written first. */
async function links(email: string): Promise<string[]> {
  const letters = await test.mailbox.letters(email);
  return letters.flatMap(({ text }) => /\/stopchange#removal=([\w-]{22})/.exec(text)?.[1] ?? []);
}

const subjects = async (email: string) =>
  (await test.mailbox.letters(email)).map(({ subject }) => subject).filter((one) => /factors/.test(one));

const actions = async (userid: string) =>
  (await people.trails(test, userid))
    .map(({ action }) => action)
    .filter((action) => action.startsWith('factor.remov'));

describe('removing every factor', () => {
  it('takes two operators and seven days, and then the password alone signs in', async () => {
    const { person } = await agreed();
    const { userid, email } = person;
    const dueAt = new Date(test.clock.now().getTime() + waitMs).toISOString();
    const waits = await removalOf(userid);
    expect(waits).toMatchObject({ reason, askedby: first.name, agreedby: second.name });
    expect(Date.parse(dueAt) - Date.parse(waits?.dueat ?? '')).toBeLessThan(minuteMs);
    expect(await subjects(email)).toEqual(['Your second factors at Tallystick will be removed']);

    test.clock.advance(Date.parse(waits?.dueat ?? '') - test.clock.now().getTime() - 1);
    await carryOut();
    await people.passwordShown(test, person);
    test.clock.advance(1);
    await carryOut();
    expect(await actions(userid)).toEqual([
      'factor.removal-asked',
      'factor.removal-agreed',
      'factor.removed-by-operators',
    ]);
    // Whoever was signed in is not any more, and new addresses wait.
    expect((await refusal(test, viewprofile, { as: person })).status).toBe(401);
    const again = await signIn(test, { ...person, cookies: {} });
    expect((await call(test, viewprofile, { as: again })).newaddressesafter).not.toBeNull();
    first = await signedInAgain(test, first);
    const seen = await call(test, investor, { as: first, params: { id: userid } });
    expect(seen.factors).toEqual({ authenticator: false, passkeys: 0, recoverycodesleft: 0 });
    expect(seen.factorremoval).toBeNull();
    expect((await subjects(email))[0]).toBe('Your second factors at Tallystick were removed');
  });

  it('opens nothing for operators alone: without the password or the mailbox nobody is signed in', async () => {
    const { person } = await agreed();
    test.clock.advance(waitMs);
    await carryOut();
    const wrong = { ...person, password: 'what an operator may guess' };
    await expect(signIn(test, { ...wrong, cookies: {} })).rejects.toThrow('wrong_credentials');
    await resetPassword(test, person, { password: 'a new hazel stick 1', how: 'code' });
    const { token } = await signIn(test, { ...person, password: 'a new hazel stick 1', cookies: {} });
    expect(token).not.toBe('');
  });

  it('is asked for by one and agreed to by another, once, however many press', async () => {
    const person = await withPhone();
    const id = await proposed(person.userid);
    expect((await call(test, queue, { as: second })).factorremovals).toMatchObject([
      { _id: id, reason, askedby: first.name, investor: { _id: person.userid } },
    ]);
    expect((await propose(person.userid, second)).code).toBe('already_decided');
    expect((await agree(id, first)).code).toBe('second_operator_needed');
    const third = await signedInOperator(test);
    const both = await Promise.all([agree(id), agree(id, third)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await links(person.email)).length).toBe(1);
    expect((await call(test, queue, { as: second })).factorremovals).toEqual([]);
  });

  it('is nothing that somebody has asked for who is an operator no more', async () => {
    const person = await withPhone();
    const gone = await signedInOperator(test);
    answerOf(await propose(person.userid, gone));
    const id = (await removalOf(person.userid))?._id ?? '';
    await accountsOf(test).disableOperator({ email: gone.email });
    expect((await agree(id)).code).toBe('second_operator_needed');
    expect((await discard(id)).status).toBe(200);
    expect((await propose(person.userid)).status).toBe(200);
  });

  it('is only where a factor is on, and for who is there', async () => {
    const { userid } = await signedIn(test);
    expect((await propose(userid)).code).toBe('not_found');
    expect((await propose('00000000-0000-4000-8000-000000000000')).code).toBe('not_found');
    expect((await agree('00000000-0000-4000-8000-000000000000')).code).toBe('not_found');
  });

  it('is refused by the database itself when one person is both, or before it is due', async () => {
    const { person } = await agreed();
    const { owner } = test.context;
    const set = (what: string) =>
      owner.query(`update factor_removals set ${what} where user_id = $1`, [person.userid]);
    await expect(set('agreed_by = asked_by')).rejects.toThrow(/check/);
    const early = "ended_by = 'the clock', ended_how = 'done', ended_at = due_at - interval '1 second'";
    await expect(set(early)).rejects.toThrow(/check/);
  });
});

describe('the investor', () => {
  it('is told at once, in the middle and a day before, and after a standstill once', async () => {
    const { person } = await agreed();
    const told = async () => (await links(person.email)).length;
    const passing = async (ms: number) => {
      test.clock.advance(ms);
      await carryOut();
      await carryOut();
      return told();
    };
    expect(await told()).toBe(1);
    const middleMs = 3 * dayMs + 12 * hourMs;
    expect(await passing(middleMs - minuteMs)).toBe(1);
    expect(await passing(minuteMs)).toBe(2);
    expect(await passing(2 * dayMs)).toBe(2);
    expect(await passing(12 * hourMs)).toBe(3);
    expect((await subjects(person.email))[0]).toMatch(/^Reminder: /);
    first = await signedInAgain(test, first);
    second = await signedInAgain(test, second);
    const late = await agreed();
    test.clock.advance(waitMs - hourMs);
    await carryOut();
    expect((await links(late.person.email)).length).toBe(2);
  });

  it('stops it with the link of any letter, without signing in, and is told so', async () => {
    const { person } = await agreed();
    test.clock.advance(waitMs - hourMs);
    await carryOut();
    const [last = '', begun = ''] = await links(person.email);
    expect(last).not.toBe(begun);
    expect((await stop(begun)).status).toBe(200);
    expect((await stop(last)).status).toBe(200);
    test.clock.advance(dayMs);
    await carryOut();
    await people.passwordShown(test, person);
    expect((await subjects(person.email))[0]).toBe('Your second factors at Tallystick stay');
    expect((await actions(person.userid)).at(-1)).toBe('factor.removal-stopped');
    expect((await stop('AAAAAAAAAAAAAAAAAAAAAA')).code).toBe('link_wrong');
  });

  it('comes too late with the link when it was done', async () => {
    const { person } = await agreed();
    const [token = ''] = await links(person.email);
    test.clock.advance(waitMs);
    await carryOut();
    expect((await stop(token)).code).toBe('already_decided');
  });

  it.each(['sign-in', 'step-up'] as const)('stops it by showing a factor at %s', async (where) => {
    const { person, id } = await agreed();
    const code = people.codeOf(test, person);
    if (where === 'step-up') await call(test, stepup, { as: person, body: { code } });
    else {
      const { cookies } = await people.passwordShown(test, person);
      answerOf(await people.show(test, cookies, { code }));
    }
    expect(await removalOf(person.userid)).toBeNull();
    expect(await discard(id)).toMatchObject({
      code: 'already_decided',
      message: 'This removal was stopped already, by the investor.',
    });
    test.clock.advance(waitMs);
    await carryOut();
    await people.passwordShown(test, person);
  });

  it('stops it by changing a factor, also where the step-up was before', async () => {
    const person = await withPhone();
    await people.steppedUp(test, person);
    const { secret } = await call(test, newauthenticator, { as: person });
    const id = await proposed(person.userid);
    answerOf(await agree(id));
    await people.steppedUp(test, person);
    await call(test, confirmauthenticator, {
      as: person,
      body: { code: totpAt(secret, test.clock.now()) },
    });
    expect(await removalOf(person.userid)).toBeNull();
  });

  it('is not stopped by a wrong code, nor by the password', async () => {
    const { person } = await agreed();
    const { cookies } = await people.passwordShown(test, person);
    expect((await people.show(test, cookies, { code: '000000' })).code).toBe('factor_wrong');
    expect(await removalOf(person.userid)).not.toBeNull();
  });
});

describe('either operator', () => {
  it('discards it before it is agreed to, without a letter, and after, with one', async () => {
    const person = await withPhone();
    const asked = await proposed(person.userid);
    expect((await discard(asked, first)).status).toBe(200);
    expect(await subjects(person.email)).toEqual([]);
    const id = await proposed(person.userid);
    answerOf(await agree(id));
    expect((await discard(id, first)).status).toBe(200);
    expect((await subjects(person.email))[0]).toBe('Your second factors at Tallystick stay');
    expect(await agree(id)).toMatchObject({ code: 'already_decided' });
    test.clock.advance(waitMs);
    await carryOut();
    await people.passwordShown(test, person);
  });
});

it('has one effect when it is stopped in the moment in which it is due', async () => {
  const runs = [];
  for (let n = 0; n < 4; n += 1) {
    first = await signedInAgain(test, first);
    second = await signedInAgain(test, second);
    runs.push(await agreed());
  }
  const tokens = await Promise.all(runs.map(async ({ person }) => (await links(person.email)).at(-1) ?? ''));
  test.clock.advance(waitMs);
  const [, ...stops] = await Promise.all([carryOut(), ...tokens.map((token) => stop(token))]);
  for (const [n, { person }] of runs.entries()) {
    const ends = (await actions(person.userid)).slice(2);
    const wasStopped = stops[n]?.status === 200;
    expect(ends).toEqual([wasStopped ? 'factor.removal-stopped' : 'factor.removed-by-operators']);
    if (wasStopped) await people.passwordShown(test, person);
    else expect(stops[n]?.code).toBe('already_decided');
  }
});
