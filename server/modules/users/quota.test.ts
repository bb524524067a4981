import { forgotpassword, register, resend } from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal, tryCall } from '../../testing/call.ts';
import { hourMs } from '../../testing/clock.ts';
import { goodPassword, newAddress, registered, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { codeRules } from './rules.ts';

let test: TestApp;
beforeAll(async () => {
  // With passwords that take their time to hash: see below.
  test = await startTestApp({}, {});
});
afterAll(() => test.close());

const { limit } = codeRules.issuesPerAddress;

/** One call from a client address that has used up its quota, but for so many. */
async function askedTooOften(from: string, left: number): Promise<void> {
  const row = { scope: 'code-issue-address', subject: from, hits: limit - left };
  const window_ends_at = new Date(test.clock.now().getTime() + hourMs);
  await test.context.db
    .insertInto('throttles')
    .values({ ...row, window_ends_at })
    .execute();
}

const calls = {
  register: (email: string, from: string) => {
    const body = { fullname: 'Amara Okonkwo', email, password: goodPassword, isAdmin: false };
    return tryCall(test, register, { body, from });
  },
  forgotpassword: (email: string, from: string) => tryCall(test, forgotpassword, { body: { email }, from }),
};

describe.each(['register', 'forgotpassword'] as const)('past its quota an address that calls %s', (call) => {
  it('learns nothing of who has an account: 429 for known and unknown alike', async () => {
    const known = (await verified(test)).email;
    const from = newAddress();
    await askedTooOften(from, 0);
    const answers = [await calls[call](known, from), await calls[call]('unknown@example.com', from)];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [429, answers[0]?.text],
      [429, answers[0]?.text],
    ]);
    expect(Number(answers[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('is there after twenty calls, whatever they were answered', async () => {
    const known = (await registered(test)).email;
    const from = newAddress();
    const address = call === 'register' ? known : 'nobody@example.com';
    const statuses: number[] = [];
    for (let n = 0; n <= limit; n += 1) statuses.push((await calls[call](address, from)).status);
    expect(statuses).toEqual([...Array(limit).fill(422), 429]);
  });
});

it('no password is hashed past the quota', async () => {
  const from = newAddress();
  await askedTooOften(from, 0);
  // More at once than hashing has room for: whoever got as far would be told that it is busy.
  const emails = Array.from({ length: 60 }, (_, n) => `eager-${n}@example.com`);
  const answers = await Promise.all(emails.map((email) => calls.register(email, from)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
});

it('Resend Code tells nothing of an account past the quota', async () => {
  const [waiting, active] = [await registered(test), await verified(test)];
  const from = newAddress();
  await askedTooOften(from, 0);
  for (const userid of [waiting.userid, active.userid, '00000000-0000-4000-8000-000000000000']) {
    for (const purpose of ['verify', 'reset'] as const) {
      const refused = await refusal(test, resend, { params: { userid }, body: { purpose }, from });
      expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' });
    }
  }
});

it('twenty calls at once take twenty places, not more', async () => {
  const from = newAddress();
  await askedTooOften(from, 3);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => calls.forgotpassword(`nobody-${n}@example.com`, from)),
  );
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(3);
});
