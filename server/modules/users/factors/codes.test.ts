import * as calls from '@tallystick/contract/factors';
import * as users from '@tallystick/contract/users';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, call, refusal, tryCall } from '../../../testing/call.ts';
import { minuteMs, secondMs } from '../../../testing/clock.ts';
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

const nextCode = () => test.clock.advance(30 * secondMs);

/** The token of the last link that was mailed. */
async function linkTo(email: string): Promise<string> {
  for (const { text } of await test.mailbox.letters(email)) {
    const token = /#stepup=([\w-]{22})/.exec(text)?.[1];
    if (token) return token;
  }
  throw new Error(`no link was mailed to ${email}`);
}

/** With the mailed link, which is how it is done where no factor is on. */
async function stepUpByMail(as: SignedIn): Promise<void> {
  await call(test, calls.stepupmail, { as, from: newAddress() });
  await call(test, calls.stepuplink, { as, body: { token: await linkTo(as.email) } });
}

interface WithPhone extends SignedIn {
  secret: string;
  recoverycodes: string[];
}

/** Signed in, with an authenticator on and a code at hand that was not used yet. */
async function withPhone(): Promise<WithPhone> {
  const person = await signedIn(test);
  await stepUpByMail(person);
  const { secret } = await call(test, calls.newauthenticator, { as: person });
  const body = { code: totpAt(secret, test.clock.now()) };
  const { recoverycodes } = await call(test, calls.confirmauthenticator, { as: person, body });
  nextCode();
  return { ...person, secret, recoverycodes: recoverycodes ?? [] };
}

const codeOf = ({ secret }: WithPhone) => totpAt(secret, test.clock.now());
const wrongFor = (person: WithPhone) => String((Number(codeOf(person)) + 1) % 1_000_000).padStart(6, '0');

/** The right password, in a new browser. */
async function passwordShown(person: SignedIn, password = person.password) {
  const body = { email: person.email, password };
  const reply = await refusal(test, users.signin, { body, from: newAddress() });
  expect([reply.status, reply.code]).toEqual([403, 'second_factor_required']);
  return reply;
}

const show = (
  cookies: Record<string, string>,
  body: { code?: string; recoverycode?: string },
  from = newAddress(),
) => tryCall(test, calls.secondfactor, { body, cookies, from });

const trails = async (userid: string) => {
  const { rows } = await test.context.owner.query(
    'select action, details from audit_log where subject_id = $1 order by id',
    [userid],
  );
  return rows as { action: string; details: Record<string, unknown> }[];
};

describe('who has no factor', () => {
  it('signs in as ever, and adds the first one only with the mailed link', async () => {
    const person = await signedIn(test);
    const none = { authenticator: null, passkey: [], recoverycodesleft: 0, stepupabove: 0, ways: ['mail'] };
    expect(await call(test, calls.factors, { as: person })).toEqual({ ...none, steppedupuntil: null });
    const asked = await refusal(test, calls.newauthenticator, { as: person });
    expect(asked).toMatchObject({ status: 403, code: 'step_up_required', ways: ['mail'] });
    // A link opens the session that asked for it and no other, once.
    await call(test, calls.stepupmail, { as: person, from: newAddress() });
    const token = await linkTo(person.email);
    const elsewhere = await signIn(test, { ...person, cookies: {} });
    const open = (as: SignedIn) => tryCall(test, calls.stepuplink, { as, body: { token } });
    expect((await open(elsewhere)).code).toBe('link_wrong');
    expect((await open(person)).code).toBe('done');
    expect((await open(person)).code).toBe('link_wrong');
    expect((await refusal(test, calls.newauthenticator, { as: elsewhere })).code).toBe('step_up_required');
    await call(test, calls.newauthenticator, { as: person });
    test.clock.advance(10 * minuteMs);
    expect((await refusal(test, calls.newauthenticator, { as: person })).code).toBe('step_up_required');
  });

  it('has a link that is good for ten minutes', async () => {
    const person = await signedIn(test);
    await call(test, calls.stepupmail, { as: person, from: newAddress() });
    const token = await linkTo(person.email);
    test.clock.advance(10 * minuteMs);
    expect((await refusal(test, calls.stepuplink, { as: person, body: { token } })).code).toBe('link_wrong');
  });

  it('changes the password and has no sum to set, no codes to make and nothing to remove', async () => {
    const person = await signedIn(test);
    const body = { password: person.password, passwordnew: 'a newer notch 1827' };
    await call(test, users.changepassword, { as: person, body });
    await stepUpByMail(person);
    expect((await refusal(test, calls.newrecoverycodes, { as: person })).code).toBe('not_found');
    expect((await refusal(test, calls.removeauthenticator, { as: person })).code).toBe('not_found');
    const sum = await refusal(test, calls.stepupabove, { as: person, body: { amount: 5 } });
    expect(sum.code).toBe('not_found');
    expect((await refusal(test, calls.stepup, { as: person, body: { code: '123456' } })).code).toBe(
      'factor_wrong',
    );
  });
});

describe('an authenticator', () => {
  it('counts once its first code was shown, and tells of itself by letter, in the list and in the log', async () => {
    const person = await signedIn(test);
    await stepUpByMail(person);
    const { secret, uri } = await call(test, calls.newauthenticator, { as: person });
    expect(uri).toContain(secret);
    const wrong = totpAt(secret, new Date(test.clock.now().getTime() + 5 * minuteMs));
    const confirm = (code: string) =>
      tryCall(test, calls.confirmauthenticator, { as: person, body: { code } });
    expect((await confirm(wrong)).code).toBe('factor_wrong');
    // It is not on yet: signing in asks for nothing.
    await signIn(test, person);
    const done = answerOf(await confirm(totpAt(secret, test.clock.now())));
    expect(done.recoverycodes).toHaveLength(10);
    expect((await confirm(totpAt(secret, test.clock.now()))).code).toBe('flow_over');
    const listed = await call(test, calls.factors, { as: person });
    expect(listed).toMatchObject({
      authenticator: { createdat: test.clock.now().toISOString() },
      recoverycodesleft: 10,
      ways: ['code', 'recovery'],
    });
    const [letter] = await test.mailbox.letters(person.email);
    expect(letter?.subject).toBe('An authenticator was added to your Tallystick account');
    expect((await trails(person.userid)).at(-1)).toMatchObject({
      action: 'factor.added',
      details: { factor: 'authenticator' },
    });
    // Neither the secret nor a recovery code is anywhere to be read.
    const { rows } = await test.context.owner.query(
      `select a.sealed || encode(c.code_hash, 'escape') as kept from authenticators a
       join user_recovery_codes c using (user_id) where user_id = $1`,
      [person.userid],
    );
    for (const { kept } of rows) {
      expect(kept).not.toContain(secret);
      for (const code of done.recoverycodes ?? []) expect(kept).not.toContain(code);
    }
  });

  it('is asked for after the password, and then signs in as signing in does', async () => {
    const person = await withPhone();
    const asked = await passwordShown(person);
    expect(asked.ways).toEqual(['code', 'recovery']);
    expect(Object.keys(asked.cookies)).toEqual(['factor-flow']);
    const reply = await show(asked.cookies, { code: codeOf(person) });
    const { token, ...who } = answerOf(reply);
    expect(who).toEqual({ _id: person.userid, fullname: 'Amara Okonkwo', email: person.email });
    expect(reply.cookies).toMatchObject({ session: expect.any(String), device: expect.any(String) });
    expect(reply.cookies['factor-flow']).toBe('');
    await call(test, users.viewprofile, { as: { token } });
    expect((await trails(person.userid)).at(-1)).toEqual({
      action: 'session.begun',
      details: { factor: 'code' },
    });
    // What was typed may have been typed into a false page: it signs in, and does no more.
    const removing = await refusal(test, calls.removeauthenticator, { as: { token } });
    expect(removing).toMatchObject({ code: 'step_up_required', ways: ['code', 'recovery'] });
  });

  it('has codes that work once, in whatever flow, and for step-up as well', async () => {
    const person = await withPhone();
    const [one, two] = [await passwordShown(person), await passwordShown(person)];
    const code = codeOf(person);
    expect((await show(one.cookies, { code })).code).toBe('done');
    expect((await show(one.cookies, { code })).code).toBe('flow_over');
    expect((await show(two.cookies, { code })).code).toBe('factor_wrong');
    expect((await refusal(test, calls.stepup, { as: person, body: { code } })).code).toBe('factor_wrong');
    nextCode();
    expect((await show(two.cookies, { code: codeOf(person) })).code).toBe('done');
  });

  it('has codes of which one of two that come at once counts, and so have recovery codes', async () => {
    const person = await withPhone();
    const [recoverycode = ''] = person.recoverycodes;
    for (const body of [{ code: codeOf(person) }, { recoverycode }]) {
      const flows = [await passwordShown(person), await passwordShown(person), await passwordShown(person)];
      const codes = (await Promise.all(flows.map(({ cookies }) => show(cookies, body)))).map(
        ({ code }) => code,
      );
      expect(codes.toSorted()).toEqual(['done', 'factor_wrong', 'factor_wrong']);
    }
    // One flow that is finished twice at once begins one session.
    nextCode();
    const { cookies } = await passwordShown(person);
    const body = { code: codeOf(person) };
    const twice = await Promise.all([show(cookies, body), show(cookies, body)]);
    expect(twice.map(({ code }) => code).toSorted()).toEqual(['done', 'flow_over']);
  });

  it('is replaced by another without a moment between', async () => {
    const person = await withPhone();
    await call(test, calls.stepup, { as: person, body: { code: codeOf(person) } });
    const { secret } = await call(test, calls.newauthenticator, { as: person });
    nextCode();
    const { cookies } = await passwordShown(person);
    expect((await show(cookies, { code: codeOf(person) })).code).toBe('done');
    const body = { code: totpAt(secret, test.clock.now()) };
    expect(await call(test, calls.confirmauthenticator, { as: person, body })).toEqual({
      recoverycodes: null,
    });
    nextCode();
    const again = await passwordShown(person);
    expect((await show(again.cookies, { code: codeOf(person) })).code).toBe('factor_wrong');
    expect((await show(again.cookies, { code: totpAt(secret, test.clock.now()) })).code).toBe('done');
  });
});

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

describe('recovery codes', () => {
  it('sign in once each, and say so by letter', async () => {
    const person = await withPhone();
    const [recoverycode = '', another = ''] = person.recoverycodes;
    const { cookies } = await passwordShown(person);
    expect((await show(cookies, { recoverycode: 'abcd-efgh-jkmn-2345' })).code).toBe('factor_wrong');
    expect((await show(cookies, { recoverycode: recoverycode.toUpperCase() })).code).toBe('done');
    const [letter] = await test.mailbox.letters(person.email);
    expect(letter?.subject).toBe('A recovery code of your Tallystick account was used');
    expect(letter?.text).toContain('9 recovery codes are left.');
    const again = await passwordShown(person);
    expect((await show(again.cookies, { recoverycode })).code).toBe('factor_wrong');
    await call(test, calls.stepup, { as: person, body: { recoverycode: another } });
    const fresh = await call(test, calls.newrecoverycodes, { as: person });
    expect(fresh.recoverycodes).toHaveLength(10);
    const [, , older = ''] = person.recoverycodes;
    expect((await show(again.cookies, { recoverycode: older })).code).toBe('factor_wrong');
    expect((await show(again.cookies, { recoverycode: fresh.recoverycodes[0] ?? '' })).code).toBe('done');
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
    const tried = [
      await refusal(test, users.changepassword, { as: thief, body: password }),
      await refusal(test, makenewwithdrawal, { as: thief, body: form, key: 'the one key' }),
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
    await call(test, makenewwithdrawal, { as: person, body: form, key: 'the one key' });
    expect((await refusal(test, makenewwithdrawal, { as: elsewhere, body: form })).code).toBe(
      'step_up_required',
    );
  });

  /** In another browser, with a code of a later step. */
  async function signInWithCode(person: WithPhone): Promise<{ token: string }> {
    const { cookies } = await passwordShown(person);
    const { token } = answerOf(await show(cookies, { code: codeOf(person) }));
    nextCode();
    return { token };
  }

  it('what other sessions confirmed by mail counts no more once a factor is on', async () => {
    const person = await signedIn(test);
    const elsewhere = await signIn(test, { ...person, cookies: {} });
    await stepUpByMail(elsewhere);
    await stepUpByMail(person);
    const { secret } = await call(test, calls.newauthenticator, { as: person });
    const body = { code: totpAt(secret, test.clock.now()) };
    await call(test, calls.confirmauthenticator, { as: person, body });
    expect((await refusal(test, calls.removeauthenticator, { as: elsewhere })).code).toBe('step_up_required');
    // Nor does a link that was mailed before it.
    await call(test, calls.removeauthenticator, { as: person });
  });

  it('a sign-in and the first factor that come at once leave no session that has not shown it', async () => {
    const person = await signedIn(test);
    await stepUpByMail(person);
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
  it('is set with step-up, lowered without, and counts from the next withdrawal on', async () => {
    const person = await withPhone();
    await deposit(test, person.userid, 1_000);
    await call(test, calls.stepup, { as: person, body: { code: codeOf(person) } });
    expect(await call(test, calls.stepupabove, { as: person, body: { amount: 100 } })).toEqual({
      stepupabove: 100,
    });
    test.clock.advance(10 * minuteMs);
    const ask = (withdrawalamount: number) =>
      tryCall(test, makenewwithdrawal, {
        as: person,
        body: { ...withdrawalForm({ offers, who: person }), withdrawalamount },
      });
    expect((await ask(100)).code).toBe('done');
    expect((await ask(100.01)).code).toBe('step_up_required');
    const set = (amount: number) => tryCall(test, calls.stepupabove, { as: person, body: { amount } });
    expect((await set(100.01)).code).toBe('step_up_required');
    expect((await set(50)).code).toBe('done');
    expect((await ask(60)).code).toBe('step_up_required');
    expect((await call(test, calls.factors, { as: person })).stepupabove).toBe(50);
  });
});

it('the last factor takes the recovery codes and the sum along, and the password alone signs in again', async () => {
  const person = await withPhone();
  await call(test, calls.stepup, { as: person, body: { code: codeOf(person) } });
  await call(test, calls.stepupabove, { as: person, body: { amount: 100 } });
  await call(test, calls.removeauthenticator, { as: person });
  expect(await call(test, calls.factors, { as: person })).toMatchObject({
    authenticator: null,
    recoverycodesleft: 0,
    stepupabove: 0,
    ways: ['mail'],
  });
  const [letter] = await test.mailbox.letters(person.email);
  expect(letter?.text).toContain('your password alone opens your account');
  await signIn(test, person);
});

it('what was begun and not finished is forgotten a day later, and nothing else', async () => {
  const [person, begun] = [await withPhone(), await signedIn(test)];
  await stepUpByMail(begun);
  await call(test, calls.newauthenticator, { as: begun });
  await passwordShown(person);
  const count = async (of: string, userid: string) => {
    const { rows } = await test.context.owner.query(
      `select count(*)::int as n from ${of} where user_id = $1`,
      [userid],
    );
    return rows[0].n;
  };
  test.clock.advance(24 * 60 * minuteMs);
  await test.context.users.forgetExpired();
  expect(await count('authenticators', begun.userid)).toBe(1);
  test.clock.advance(10 * minuteMs);
  await test.context.users.forgetExpired();
  expect(await count('authenticators', begun.userid)).toBe(0);
  expect(await count('authenticators', person.userid)).toBe(1);
  expect(await count('user_recovery_codes', person.userid)).toBe(10);
  expect(await count('factor_flows', person.userid)).toBe(0);
});
