import * as calls from '@tallystick/contract/factors';
import { exitinvestment } from '@tallystick/contract/investment';
import * as users from '@tallystick/contract/users';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, refusal, tryCall } from '../../../testing/call.ts';
import { minuteMs } from '../../../testing/clock.ts';
import * as people from '../../../testing/factors/people.ts';
import { deposit, type Offers, withdrawalForm, withOffers } from '../../../testing/money.ts';
import { newAddress, resetPassword, type SignedIn, signedIn, signIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { totpAt } from './authenticator.ts';

let test: TestApp;
let offers: Offers;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());

const stepUpByMail = (as: SignedIn) => people.stepUpByMail(test, as);
const withPhone = () => people.withPhone(test);
const nextCode = () => people.nextCode(test);
const codeOf = (person: people.WithPhone) => people.codeOf(test, person);
const passwordShown = (person: SignedIn, password?: string) => people.passwordShown(test, person, password);
const show = (
  cookies: Record<string, string>,
  body: { code?: string; recoverycode?: string },
  from?: string,
) => people.show(test, cookies, body, from);
const trails = (userid: string) => people.trails(test, userid);

const wrongFor = (person: people.WithPhone) =>
  String((Number(codeOf(person)) + 1) % 1_000_000).padStart(6, '0');

describe('the second step', () => {
  it('belongs to the browser that showed the password', async () => {
    const [person, other] = [await withPhone(), await withPhone()];
    const { cookies } = await passwordShown(other);
    const code = codeOf(person);
    expect((await show({}, { code })).code).toBe('flow_over');
    expect((await show({ 'factor-flow': 'forged' }, { code })).code).toBe('flow_over');
    // The flow of another is about the other.
    expect((await show(cookies, { code })).code).toBe('factor_wrong');
  });

  it('takes five minutes at most, and five tries', async () => {
    const person = await withPhone();
    const late = await passwordShown(person);
    test.clock.advance(5 * minuteMs);
    expect((await show(late.cookies, { code: codeOf(person) })).code).toBe('flow_over');
    const { cookies } = await passwordShown(person);
    for (let n = 0; n < 5; n += 1) {
      expect((await show(cookies, { code: wrongFor(person) })).code).toBe('factor_wrong');
    }
    expect((await show(cookies, { code: codeOf(person) })).code).toBe('flow_over');
  });

  it('is over when the password changes meanwhile', async () => {
    const person = await withPhone();
    const { cookies } = await passwordShown(person);
    await resetPassword(test, person, { password: 'a newer notch 1827', how: 'code' });
    expect((await show(cookies, { code: codeOf(person) })).code).toBe('flow_over');
  });

  it('is not told to whoever has a wrong password', async () => {
    const person = await withPhone();
    const body = { email: person.email, password: 'not the password' };
    const reply = await refusal(test, users.signin, { body, from: newAddress() });
    expect([reply.status, reply.code, reply.ways]).toEqual([401, 'wrong_credentials', undefined]);
    expect(reply.cookies).toEqual({});
  });

  it('names no other browser to whoever guesses at a step-up: he is signed in with this one', async () => {
    const person = await withPhone();
    const guess = () => refusal(test, calls.stepup, { as: person, body: { code: wrongFor(person) } });
    let told = await guess();
    for (let n = 0; n < 10 && told.code === 'factor_wrong'; n += 1) told = await guess();
    expect(told.message).toMatch(/^Too many failed tries\. Try again in \d+ s\. You stay signed in\.$/);
  });

  it('slows down who guesses, from one address and from many, and lets a known browser pass', async () => {
    const person = await withPhone();
    const from = newAddress();
    const guess = async (address: string) => {
      const { cookies } = await passwordShown(person);
      return (await show(cookies, { code: wrongFor(person) }, address)).code;
    };
    const said: string[] = [];
    for (let n = 0; n < 7; n += 1) said.push(await guess(from));
    expect(said).toEqual([...Array(5).fill('factor_wrong'), 'too_many_requests', 'too_many_requests']);
    // Each address counts five times at most: after 25 of many the account itself waits, for strangers.
    const many: string[] = [];
    for (let n = 0; n < 21; n += 1) many.push(await guess(newAddress()));
    expect(many.filter((code) => code === 'factor_wrong')).toHaveLength(20);
    expect(many.at(-1)).toBe('too_many_requests');
    const { cookies } = await passwordShown(person);
    const known = { ...cookies, device: person.cookies.device ?? '' };
    expect((await show(known, { code: codeOf(person) })).code).toBe('done');
    const refused = (await trails(person.userid)).filter(({ action }) => action === 'factor.refused');
    expect(refused.length).toBeGreaterThan(5);
  });
});

describe('no way around it', () => {
  it('a reset keeps the factor, and sign-in asks for it with the new password', async () => {
    const person = await withPhone();
    for (const how of ['code', 'link'] as const) {
      const password = `a newer notch by ${how}`;
      await resetPassword(test, person, { password, how });
      const { cookies } = await passwordShown(person, password);
      expect((await show(cookies, { code: codeOf(person) })).code).toBe('done');
      nextCode();
      test.clock.advance(minuteMs);
    }
    expect((await trails(person.userid)).filter(({ action }) => action === 'factor.removed')).toEqual([]);
  });

  it('the database itself begins no session without it, whatever a server does', async () => {
    const person = await withPhone();
    const insert = (factor: string | null) =>
      test.context.owner.query(
        `insert into sessions (user_id, bearer_hash, cookie_hash, client_address, user_agent, created_at, seen_at,
           expires_at, factor) values ($1, sha256(gen_random_uuid()::text::bytea),
           sha256(gen_random_uuid()::text::bytea), '', '', now(), now(), now(), $2)`,
        [person.userid, factor],
      );
    await expect(insert(null)).rejects.toThrow('this account has a second factor');
    await insert('code');
  });

  it('a stolen session without the factor changes nothing that matters and moves no money', async () => {
    const person = await withPhone();
    await deposit(test, person.userid, 1_000);
    test.clock.advance(10 * minuteMs);
    const thief = { token: person.token };
    const password = { password: person.password, passwordnew: 'the attacker 1828' };
    const form = withdrawalForm({ offers, who: person });
    const leaving = { userid: person.userid, investmentid: offers.plans.Standard, payout: 1 };
    const tried = [
      await refusal(test, users.changepassword, { as: thief, body: password }),
      await refusal(test, makenewwithdrawal, { as: thief, body: form, key: 'the-one-key' }),
      await refusal(test, exitinvestment, { as: thief, body: leaving }),
      await refusal(test, calls.newauthenticator, { as: thief }),
      await refusal(test, calls.confirmauthenticator, { as: thief, body: { code: '123456' } }),
      await refusal(test, calls.removeauthenticator, { as: thief }),
      await refusal(test, calls.newpasskey, { as: thief }),
      await refusal(test, calls.newrecoverycodes, { as: thief }),
      await refusal(test, calls.stepupabove, { as: thief, body: { amount: 10_000 } }),
      await refusal(test, calls.stepupmail, { as: thief, from: newAddress() }),
    ];
    for (const reply of tried) {
      expect(reply).toMatchObject({ status: 403, code: 'step_up_required', ways: ['code', 'recovery'] });
    }
    // With the factor it goes, under the same key, for ten minutes and in this session.
    const elsewhere = await signInWithCode(person);
    await call(test, calls.stepup, { as: person, body: { code: codeOf(person) } });
    const again = { as: person, body: form, key: 'the-one-key' };
    const first = await tryCall(test, makenewwithdrawal, again);
    expect(first.code).toBe('done');
    expect((await refusal(test, makenewwithdrawal, { as: elsewhere, body: form })).code).toBe(
      'step_up_required',
    );
    // What was answered is answered again without it, a refusal, too; what is new is not.
    const tooMuch = { ...again, body: { ...form, withdrawalamount: 5_000 }, key: 'another-key' };
    const refused = await refusal(test, makenewwithdrawal, tooMuch);
    test.clock.advance(10 * minuteMs);
    expect((await tryCall(test, makenewwithdrawal, again)).text).toBe(first.text);
    expect(await refusal(test, makenewwithdrawal, tooMuch)).toMatchObject({ code: 'insufficient_funds' });
    expect((await refusal(test, makenewwithdrawal, tooMuch)).text).toBe(refused.text);
    expect((await refusal(test, makenewwithdrawal, { ...tooMuch, key: again.key })).code).toBe('key_reused');
    expect((await refusal(test, makenewwithdrawal, { ...again, key: 'a-third-key' })).code).toBe(
      'step_up_required',
    );
  });

  /** In another browser, with a code of a later step. */
  async function signInWithCode(person: people.WithPhone): Promise<{ token: string }> {
    const { cookies } = await passwordShown(person);
    const { token } = answerOf(await show(cookies, { code: codeOf(person) }));
    nextCode();
    return { token };
  }

  it('what other sessions confirmed by mail counts no more once a factor is on', async () => {
    const person = await signedIn(test);
    const elsewhere = await signIn(test, { ...person, cookies: {} });
    await stepUpByMail(elsewhere);
    await call(test, calls.stepupmail, { as: elsewhere, from: newAddress() });
    const token = await people.linkTo(test, person.email);
    await stepUpByMail(person);
    const { secret } = await call(test, calls.newauthenticator, { as: person });
    const body = { code: totpAt(secret, test.clock.now()) };
    await call(test, calls.confirmauthenticator, { as: person, body });
    expect((await refusal(test, calls.removeauthenticator, { as: elsewhere })).code).toBe('step_up_required');
    // Nor does a link that was mailed before it.
    const late = await refusal(test, calls.stepuplink, { as: elsewhere, body: { token } });
    expect(late.code).toBe('link_wrong');
    await call(test, calls.removeauthenticator, { as: person });
  });

  it('what other sessions have shown counts no more once a factor or the recovery codes change', async () => {
    const person = await withPhone();
    const thief = await signInWithCode(person);
    const isRefused = async () => {
      const body = withdrawalForm({ offers, who: person });
      return (await tryCall(test, makenewwithdrawal, { as: thief, body })).code === 'step_up_required';
    };
    const [lost = ''] = person.recoverycodes;
    await call(test, calls.stepup, { as: thief, body: { recoverycode: lost } });
    expect(await isRefused()).toBe(false);
    await call(test, calls.stepup, { as: person, body: { code: codeOf(person) } });
    const { recoverycodes } = await call(test, calls.newrecoverycodes, { as: person });
    expect(await isRefused()).toBe(true);
    const [another = ''] = recoverycodes;
    await call(test, calls.stepup, { as: thief, body: { recoverycode: another } });
    const { secret } = await call(test, calls.newauthenticator, { as: person });
    const body = { code: totpAt(secret, test.clock.now()) };
    await call(test, calls.confirmauthenticator, { as: person, body });
    expect(await isRefused()).toBe(true);
    const [, third = ''] = recoverycodes;
    await call(test, calls.stepup, { as: thief, body: { recoverycode: third } });
    await call(test, calls.removeauthenticator, { as: person });
    // None is on now: a new one takes the mailed link, and what the thief has shown is none.
    expect((await refusal(test, calls.newpasskey, { as: thief })).code).toBe('step_up_required');
  });

  it('a sign-in and the first factor that come at once leave no session that has not shown it', async () => {
    const person = await people.steppedUpPerson(test);
    const { secret } = await call(test, calls.newauthenticator, { as: person });
    const body = { code: totpAt(secret, test.clock.now()) };
    const signing = { body: { email: person.email, password: person.password } };
    const [added, ...tries] = await Promise.all([
      tryCall(test, calls.confirmauthenticator, { as: person, body }),
      ...Array.from({ length: 4 }, () => tryCall(test, users.signin, { ...signing, from: newAddress() })),
    ]);
    expect(added.code).toBe('done');
    for (const { code } of tries) expect(['done', 'second_factor_required']).toContain(code);
    await passwordShown(person);
  });
});

describe('the sum above which a withdrawal asks', () => {
  const asking = (person: people.WithPhone) => (withdrawalamount: number) =>
    tryCall(test, makenewwithdrawal, {
      as: person,
      body: { ...withdrawalForm({ offers, who: person }), withdrawalamount },
    });

  /** Who may have 100 dollars on its way, and has shown nothing lately. */
  async function withSum() {
    const person = await withPhone();
    await deposit(test, person.userid, 1_000);
    await call(test, calls.stepup, { as: person, body: { code: codeOf(person) } });
    expect(await call(test, calls.stepupabove, { as: person, body: { amount: 100 } })).toEqual({
      stepupabove: 100,
    });
    test.clock.advance(10 * minuteMs);
    return person;
  }

  it('is set with step-up, lowered without, and counts from the next withdrawal on', async () => {
    const person = await withSum();
    const ask = asking(person);
    expect((await ask(100.01)).code).toBe('step_up_required');
    const set = (amount: number) => tryCall(test, calls.stepupabove, { as: person, body: { amount } });
    expect((await set(100.01)).code).toBe('step_up_required');
    expect((await ask(100)).code).toBe('done');
    expect((await set(50)).code).toBe('done');
    expect((await ask(60)).code).toBe('step_up_required');
    expect((await call(test, calls.factors, { as: person })).stepupabove).toBe(50);
  });

  it('is for all that is on its way out together, one after the other and at once', async () => {
    const person = await withSum();
    const ask = asking(person);
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => ask(40)));
    const codes = atOnce.map(({ code }) => code);
    expect(codes.filter((code) => code === 'done')).toHaveLength(2);
    for (const code of codes) expect(['done', 'step_up_required', 'too_many_requests']).toContain(code);
    expect((await ask(20.01)).code).toBe('step_up_required');
    expect((await ask(20)).code).toBe('done');
    await call(test, calls.stepup, { as: person, body: { code: codeOf(person) } });
    expect((await ask(500)).code).toBe('done');
  });
});
