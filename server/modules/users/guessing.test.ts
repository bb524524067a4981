import { createHmac, hash } from 'node:crypto';
import { resend, verifycode, verifyforgortpasscode, verifylink } from '@tallystick/contract/users';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, tryCall } from '../../testing/call.ts';
import { dayMs, minuteMs } from '../../testing/clock.ts';
import { queuedLetters } from '../../testing/outside/queued-letters.ts';
import { beginReset, newAddress, registered, verified } from '../../testing/people.ts';
import { proofRuns } from '../../testing/proof-size.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { codeRules } from './rules.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const guess = (userid: string, code: string) =>
  tryCall(test, verifycode, { params: { userid }, body: { code } });
const wrongOf = (right: string, count: number) =>
  Array.from({ length: 10_000 }, (_, n) => String(n).padStart(4, '0'))
    .filter((code) => code !== right)
    .slice(0, count);

/** How many guesses were really compared with a code: the table counts each before it is compared. */
async function comparisons(userid: string): Promise<number> {
  const rows = await test.context.db
    .selectFrom('codes')
    .select('tries')
    .where('user_id', '=', userid)
    .execute();
  return rows.reduce((sum, row) => sum + row.tries, 0);
}

describe('guessing a code', () => {
  const guesses = proofRuns(10_000, 500);
  it(`with a script of ${guesses} tries is compared five times and then no more, right or wrong`, async () => {
    const person = await registered(test);
    const { code } = await test.mailbox.code(person.email);
    const script = [...wrongOf(code, guesses - 1), code];
    const statuses = new Set<number>();
    while (script.length > 0) {
      const answers = await Promise.all(script.splice(0, 20).map((each) => guess(person.userid, each)));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([422]);
    expect(await comparisons(person.userid)).toBe(codeRules.triesPerCode);
  }, 240_000);

  it('over many codes stops at fifteen a day per account; then only the long link works, after a restart, too', async () => {
    const person = await registered(test);
    for (let letters = 1; letters <= 4; letters += 1) {
      const { code } = await test.mailbox.code(person.email);
      for (const wrong of wrongOf(code, 6)) await guess(person.userid, wrong);
      test.clock.advance(minuteMs);
      await call(test, resend, { params: person, from: newAddress() });
    }
    expect(await comparisons(person.userid)).toBe(codeRules.wrongTriesPerAccount.limit);
    await test.restart();
    const { code, linkToken: token } = await test.mailbox.code(person.email);
    expect(await guess(person.userid, code)).toMatchObject({
      status: 422,
      code: 'code_locked',
      message: expect.stringMatching(/link in the e-mail/),
    });
    expect((await tryCall(test, verifylink, { body: { token } })).status).toBe(200);
  });

  it.each(['activation', 'reset'])(
    'on at a used-up %s code waits for nobody and holds up nobody',
    async (purpose) => {
      const person = await (purpose === 'activation' ? registered(test) : verified(test));
      const { cookies } = await beginReset(test, person);
      const guessAgain = () =>
        purpose === 'activation'
          ? guess(person.userid, '0000')
          : tryCall(test, verifyforgortpasscode, { body: { code: '0000' }, cookies });
      await test.context.db
        .updateTable('codes')
        .set({ tries: codeRules.triesPerCode })
        .where('user_id', '=', person.userid)
        .execute();
      const somebody = await test.context.owner.connect();
      try {
        await somebody.query('begin');
        await somebody.query('select from users where id = $1 for update', [person.userid]);
        expect((await guessAgain()).code).toBe('code_wrong');
      } finally {
        await somebody.query('rollback');
        somebody.release();
      }
    },
  );

  it('does not use up the tries of a person who then types the right code', async () => {
    const person = await registered(test);
    const { code } = await test.mailbox.code(person.email);
    for (const wrong of wrongOf(code, 4)) expect((await guess(person.userid, wrong)).status).toBe(422);
    expect((await guess(person.userid, code)).status).toBe(200);
  });

  it('by everybody together has a daily budget; past it codes stop, an alert is left, links still work', async () => {
    const person = await registered(test);
    const { code, linkToken: token } = await test.mailbox.code(person.email);
    const { limit, windowMs } = codeRules.wrongTriesOfAll;
    await test.context.db
      .insertInto('throttles')
      .values({
        scope: 'code-wrong-all',
        subject: 'all',
        hits: limit - 1,
        window_ends_at: new Date(test.clock.now().getTime() + windowMs),
      })
      .onConflict((conflict) => conflict.columns(['scope', 'subject']).doUpdateSet({ hits: limit - 1 }))
      .execute();
    const [wrong = ''] = wrongOf(code, 1);
    expect((await guess(person.userid, wrong)).code).toBe('code_wrong');
    expect((await guess(person.userid, code)).code).toBe('code_locked');
    const alerts = await test.context.db
      .selectFrom('audit_log')
      .select('id')
      .where('action', '=', 'code.budget-used-up')
      .execute();
    expect(alerts).toHaveLength(1);
    expect((await tryCall(test, verifylink, { body: { token } })).status).toBe(200);
    test.clock.advance(dayMs);
  });

  it('never leaves a code in the database or in the queue in clear', async () => {
    // Nobody takes letters out of the queue until it was looked at.
    await test.jobs.stop();
    const { userid, email } = await registered(test);
    const mail = (await queuedLetters(test.context)).find(({ to }) => to.address === email);
    const { rows: queued } = await test.context.owner.query<{ payload: string }>(
      'select payload::text from graphile_worker._private_jobs where id = $1',
      [mail?.jobId],
    );
    await test.restart();
    const { code, linkToken } = await test.mailbox.code(email);
    const { db, config } = test.context;
    const rows = await db.selectFrom('codes').selectAll().where('user_id', '=', userid).execute();
    // Bytes are not to be read in JSON: they have to be what nobody turns back, and of the code not without the secret.
    const bound = [userid, 'verify', '', code].join('\n');
    const hmac = createHmac('sha256', config.secrets.codes).update(bound).digest();
    const kept = rows.map((row) => [row.code_hmac, row.link_hash]);
    expect(kept).toEqual([[hmac, hash('sha256', linkToken, 'buffer')]]);
    expect(queued).toHaveLength(1);
    // Four digits may stand in a date, in an id or in what is sealed: there they are part of something longer.
    const clear = new RegExp(`(?<![\\w-])${code}(?![\\w-])`);
    for (const text of [JSON.stringify(rows), queued[0]?.payload]) {
      expect(text).not.toMatch(clear);
      expect(text).not.toContain(linkToken);
    }
  });
});
