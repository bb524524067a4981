import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hourMs } from '../../testing/clock.ts';
import { deposit, goodAddress, type Offers, operator, withOffers } from '../../testing/money.ts';
import { enrolled, type Operator, press, signedInOperator, signIn } from '../../testing/operators.ts';
import { newAddress, registered, type SignedIn, send, signedIn, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let investor: SignedIn;
let clerk: Operator;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  investor = await signedIn(test);
  clerk = await signedInOperator(test);
  await deposit(test, investor.userid, 500);
});
afterAll(() => test.close());

let from: string;
beforeEach(() => {
  from = newAddress();
});

interface Trace {
  actor_kind: string;
  actor_id: string | null;
  action: string;
  subject_id: string | null;
  client_address: string;
  details: Record<string, string>;
}

/** The traces that something leaves. */
async function traces(act: () => Promise<unknown>): Promise<Trace[]> {
  const { rows: before } = await test.context.owner.query('select coalesce(max(id), 0) as id from audit_log');
  await act();
  const { rows } = await test.context.owner.query('select * from audit_log where id > $1 order by id', [
    before[0].id,
  ]);
  return rows.filter(({ action }) => action.endsWith('refused'));
}

const withdraw = (withdrawaladdress: string) =>
  send(
    test,
    'POST',
    '/api/withdrawal/makenewwithdrawal',
    {
      userid: investor.userid,
      withdrawalid: offers.withdrawalMethods.Ethereum,
      withdrawalamount: 10,
      withdrawaladdress,
    },
    { token: investor.token, from },
  );

describe('a refusal that tells something leaves a trace', () => {
  it('of a stranger: who, when, where and why', async () => {
    const route = '/api/users/signin';
    const crossSite = () =>
      send(test, 'POST', route, {}, { from, headers: { origin: 'https://evil.example' } });
    expect(await traces(crossSite)).toMatchObject([
      { actor_kind: 'nobody', client_address: from, details: { code: 'cross_site', route } },
    ]);
  });

  it('of a sign-in that comes too often, and of one before the address is proven', async () => {
    const { email, password, userid } = await registered(test);
    const unproven = await traces(() =>
      send(test, 'POST', '/api/users/signin', { email, password }, { from }),
    );
    expect(unproven).toMatchObject([{ subject_id: userid, details: { code: 'email_unverified' } }]);
    const often = await traces(async () => {
      const body = { email: 'nobody@example.com', password: 'wrong guess' };
      for (let n = 0; n < 6; n += 1) await send(test, 'POST', '/api/users/signin', body, { from });
    });
    expect(often.map(({ action, details }) => details.code ?? action)).toEqual([
      ...Array(5).fill('session.refused'),
      'too_many_requests',
    ]);
  });

  it('of codes that are asked for too often, or guessed at', async () => {
    const { userid } = await registered(test);
    const resend = () => send(test, 'POST', `/api/users/resend/${userid}`, {}, { from });
    expect(await traces(resend)).toMatchObject([{ details: { code: 'too_many_requests' } }]);
    const guess = () => send(test, 'POST', `/api/users/verifycode/${userid}`, { code: '0000' }, { from });
    await test.context.owner.query("update codes set code_hmac = 'x' where user_id = $1", [userid]);
    expect((await traces(guess)).map(({ action }) => action)).toEqual(['code.refused']);
  });

  it('of an investor: what is another’s, our own address, a freeze', async () => {
    const other = await verified(test);
    const reach = () =>
      send(test, 'GET', `/api/investment/fetchsingleinvestment/${other.userid}`, undefined, {
        token: investor.token,
      });
    const ours = '0x000000000000000000000000000000000000dEaD';
    const freeze = { userId: investor.userid, reason: 'Looked into.', actor: operator() };
    const found = await traces(async () => {
      await reach();
      await withdraw(ours);
      await test.context.withdrawal.freezeInvestor(freeze);
      await withdraw(goodAddress.Ethereum);
      await test.context.withdrawal.unfreezeInvestor(freeze);
    });
    expect(found.map(({ actor_id, details }) => [actor_id, details.code])).toEqual([
      [investor.userid, 'not_yours'],
      [investor.userid, 'address_wrong'],
      [investor.userid, 'withdrawals_frozen'],
    ]);
  });

  it('of an operator: a second one that is missing, a wrong code', async () => {
    const reason = 'A deposit was counted twice.';
    const body = { direction: 'take', amount: 1.25, reason };
    await press(test, clerk, 'POST', `investors/${investor.userid}/correction`, body);
    const [waiting] = (await press(test, clerk, 'GET', 'queue')).json().corrections;
    const alone = await traces(() => press(test, clerk, 'POST', `corrections/${waiting._id}/confirm`));
    expect(alone).toMatchObject([{ actor_id: clerk.id, details: { code: 'second_operator_needed' } }]);
    const person = await enrolled(test);
    const wrong = await traces(() => signIn(test, person, { code: '000000' }, from));
    expect(wrong).toMatchObject([{ action: 'operator.code-refused', subject_id: person.id }]);
  });
});

describe('being refused fills nothing', () => {
  const refused = (address = from) =>
    send(
      test,
      'POST',
      '/api/users/signin',
      {},
      { from: address, headers: { origin: 'https://evil.example' } },
    );

  it('of one address, ten an hour of a kind are written, and the last one says so', async () => {
    const found = await traces(() => Promise.all(Array.from({ length: 40 }, () => refused())));
    expect(found.length).toBe(10);
    expect(found.filter(({ details }) => details.further).length).toBe(1);
    test.clock.advance(hourMs);
    expect(await traces(() => refused())).toHaveLength(1);
  });

  it('of all strangers together, a thousand an hour are; people who are signed in are still told of', async () => {
    await test.context.owner.query(
      "update throttles set hits = 999 where subject = 'all' and scope = 'refusal-audit'",
    );
    const found = await traces(() => Promise.all(Array.from({ length: 5 }, () => refused(newAddress()))));
    expect(found).toMatchObject([{ details: { further: 'not written within the hour' } }]);
    // The hour has ended the older session.
    investor = await signedIn(test);
    expect(await traces(() => withdraw('nowhere'))).toHaveLength(1);
  });
});
