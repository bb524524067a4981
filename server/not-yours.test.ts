import { nameaddress, saveaddress } from '@tallystick/contract/addresses';
import { namepasskey } from '@tallystick/contract/factors';
import { addbalance } from '@tallystick/contract/funding';
import { choosematurity, exitinvestment, makeinvestment } from '@tallystick/contract/investment';
import { notices, readnotices } from '@tallystick/contract/notices';
import { devices } from '@tallystick/contract/users';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, send } from './testing/call.ts';
import { dayMs } from './testing/clock.ts';
import { steppedUp } from './testing/factors/people.ts';
import { deposit, goodAddress, type Offers, withdrawalForm, withOffers } from './testing/money.ts';
import { type SignedIn, signIn, verified } from './testing/people.ts';
import { startTestApp, type TestApp } from './testing/start-app.ts';

/** What belongs to one person. */
interface Things {
  userid: string;
  deviceid: string;
  investment: string;
  /** One whose plan leaves a choice at its end. */
  reinvestable: string;
  toLeave: [string, string];
  withdrawal: string;
  request: string;
  passkey: string;
  address: string;
  notice: string;
}

let test: TestApp;
let offers: Offers;
let investor: SignedIn;
let mine: Things;
let theirs: Things;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  const [me, somebody] = [await verified(test), await verified(test)];
  const [own, others] = [await toLeave(me.userid), await toLeave(somebody.userid)];
  // Then they may be left.
  test.clock.advance(15 * dayMs);
  investor = await signIn(test, me);
  mine = { ...(await thingsOf(investor)), toLeave: own };
  theirs = { ...(await thingsOf(await signIn(test, somebody))), toLeave: others };
  // What has moved would be told meanwhile.
  await test.jobs.stop();
});
afterAll(() => test.close());

const investmentForm = (userid: string) => ({
  userid,
  planid: offers.plans.Starter,
  investinvestmemntamount: 100,
});

const addressForm = { label: 'Mine', network: 'xrp', address: goodAddress.Ripple } as const;

async function toLeave(userId: string): Promise<[string, string]> {
  const wish = { userId, planId: offers.plans.Standard, amountCents: 200_000n, idempotencyKey: null };
  await deposit(test, userId, 4_000);
  const made = [await test.context.investment.makeInvestment(wish)];
  made.push(await test.context.investment.makeInvestment(wish));
  return [made[0]?.id ?? '', made[1]?.id ?? ''];
}

async function thingsOf(who: SignedIn): Promise<Omit<Things, 'toLeave'>> {
  await deposit(test, who.userid, 3_000);
  await signIn(test, { ...who, cookies: {} });
  const elsewhere = (await call(test, devices, { as: who })).device.find(({ current }) => !current);
  const invested = await call(test, makeinvestment, { body: investmentForm(who.userid), as: who });
  const standard = {
    ...investmentForm(who.userid),
    planid: offers.plans.Standard,
    investinvestmemntamount: 2000,
  };
  const asked = await call(test, makenewwithdrawal, { body: withdrawalForm({ offers, who }), as: who });
  const body = { fundingtypename: 'Bitcoin', amount: 100 };
  return {
    userid: who.userid,
    deviceid: elsewhere?._id ?? '',
    investment: invested.investment._id,
    reinvestable: (await call(test, makeinvestment, { body: standard, as: who })).investment._id,
    withdrawal: asked.withdrawal._id,
    request: (await call(test, addbalance, { body, as: who })).request._id,
    passkey: await passkeyOf(who),
    address: (await call(test, saveaddress, { body: addressForm, as: who })).savedaddress._id,
    notice: (await call(test, notices, { as: who })).notices[0]?._id ?? '',
  };
}

/** With one on, what follows asks for step-up, which this session has shown. */
async function passkeyOf(who: SignedIn): Promise<string> {
  const { rows } = await test.context.owner.query(
    `insert into passkeys (user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
     values ($1, gen_random_uuid()::text, '', 0, '{}', false, 'Mine', now()) returning id`,
    [who.userid],
  );
  await steppedUp(test, who);
  return rows[0].id;
}

interface Case {
  theirs: () => string;
  mine: () => string;
  refusal: [number, string];
}
const noAccess: [number, string] = [403, 'not_yours'];
/** Whether it is there at all is nobody else's business. */
const notThere: [number, string] = [404, 'not_found'];
const hidden = (thing: (whose: Things) => string): Case => ({
  theirs: () => thing(theirs),
  mine: () => thing(mine),
  refusal: notThere,
});
const person = { theirs: () => theirs.userid, mine: () => mine.userid, refusal: noAccess };

/** Every field by which an investor's call names one thing, and what it answers to someone else's. */
const cases: Record<string, Case> = {
  'POST /api/users/signoutdevice/:deviceid path.deviceid': hidden((whose) => whose.deviceid),
  'POST /api/users/namepasskey/:passkeyid path.passkeyid': hidden((whose) => whose.passkey),
  'POST /api/users/removepasskey/:passkeyid path.passkeyid': hidden((whose) => whose.passkey),
  'GET /api/notices query.before': hidden((whose) => whose.notice),
  'POST /api/notices/read body.olderthan': hidden((whose) => whose.notice),
  'POST /api/investment/makeinvestment body.userid': person,
  'POST /api/investment/makeinvestment body.planid': {
    theirs: () => theirs.investment,
    mine: () => offers.plans.Starter,
    refusal: notThere,
  },
  'GET /api/investment/exitquote/:investmentid path.investmentid': hidden((whose) => whose.toLeave[0]),
  'POST /api/investment/exitinvestment body.userid': person,
  'POST /api/investment/exitinvestment body.investmentid': hidden((whose) => whose.toLeave[1]),
  'GET /api/investment/fetchsingleinvestment/:userid path.userid': person,
  'GET /api/investment/maturityterms/:investmentid path.investmentid': hidden((whose) => whose.reinvestable),
  'POST /api/investment/choosematurity body.userid': person,
  'POST /api/investment/choosematurity body.investmentid': hidden((whose) => whose.reinvestable),
  'POST /api/investment/choosematurity body.planid': {
    theirs: () => theirs.investment,
    mine: () => offers.plans.Standard,
    refusal: [409, 'terms_changed'],
  },
  'GET /api/investment/fetchsingleinvestment/:userid/export.csv path.userid': person,
  'POST /api/withdrawal/nameaddress/:addressid path.addressid': hidden((whose) => whose.address),
  'POST /api/withdrawal/removeaddress/:addressid path.addressid': hidden((whose) => whose.address),
  'POST /api/withdrawal/makenewwithdrawal body.userid': person,
  'POST /api/withdrawal/makenewwithdrawal body.withdrawalid': {
    theirs: () => theirs.withdrawal,
    mine: () => offers.withdrawalMethods.Bitcoin,
    refusal: notThere,
  },
  'POST /api/withdrawal/cancelwithdrawal/:withdrawalid path.withdrawalid': hidden(
    (whose) => whose.withdrawal,
  ),
  'POST /api/demo/deposits/:id/samplepayment path.id': hidden((whose) => whose.request),
};

interface ListCase extends Pick<Case, 'theirs' | 'mine'> {
  /** Whether the call has done to a thing what it does. */
  isDone: (id: string) => Promise<boolean>;
}

/** Every field by which such a call names several things. Of these it takes one's own. */
const listCases: Record<string, ListCase> = {
  'POST /api/notices/read body.ids': {
    theirs: () => theirs.notice,
    mine: () => mine.notice,
    isDone: isRead,
  },
};

async function isRead(noticeId: string): Promise<boolean> {
  const found = await test.context.owner.query('select read_at from notices where id = $1', [noticeId]);
  return found.rows[0].read_at !== null;
}

const bodyOf = (url: string) =>
  ({
    [makeinvestment.path]: investmentForm(investor.userid),
    [choosematurity.path]: { userid: investor.userid, investmentid: mine.reinvestable, choice: 'principal' },
    [exitinvestment.path]: { userid: investor.userid, investmentid: mine.toLeave[0], payout: 1_994.75 },
    [makenewwithdrawal.path]: withdrawalForm({ offers, who: investor }),
    [namepasskey.path]: { name: 'Desk' },
    [nameaddress.path]: { label: 'Desk' },
    [readnotices.path]: { ids: [theirs.notice] },
  })[url];

/** Sends what the investor may send, but for one field. */
function sendWith(name: string, value: string | string[]) {
  const [method, url = '', field = ''] = name.split(' ');
  const [place, word = ''] = field.split('.');
  const body = bodyOf(url);
  return send(
    test,
    method as 'GET' | 'POST',
    url.replace(`:${word}`, String(value)) + (place === 'query' ? `?${word}=${value}` : ''),
    place === 'body' ? { ...body, [word]: value } : body,
    { token: investor.token },
  );
}

interface Field {
  in: string;
  name: string;
  schema: { format?: string; items?: { format?: string } };
}
interface Operation {
  parameters?: Field[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, Field['schema']> } }> };
}

/** From Fastify's table and the schemas that the API reference has of it. */
async function fieldsThatNameThings(): Promise<string[]> {
  const { paths } = (await test.app.inject('/api/docs/openapi.json')).json();
  const routes = test.app
    .routeTable()
    .filter(({ scope, method }) => scope === 'investor' && method !== 'HEAD');
  return routes.flatMap(({ method, url }) => {
    const call: Operation = paths[url.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
    const inBody = call.requestBody?.content['application/json']?.schema.properties ?? {};
    return [
      ...(call.parameters ?? []),
      ...Object.entries(inBody).map(([name, schema]) => ({ in: 'body', name, schema })),
    ]
      .filter(({ name, schema }) => /ids?$/i.test(name) || (schema.items ?? schema).format === 'uuid')
      .map((field) => `${method} ${url} ${field.in}.${field.name}`);
  });
}

/** All that people own, to the last column. */
async function belongings(): Promise<unknown[]> {
  const tables = ['users', 'sessions', 'devices', 'passkeys', 'investments', 'investment_exits'];
  tables.push('maturity_choices', 'withdrawals', 'funding_requests', 'saved_addresses');
  tables.push('notices', 'letters_off');
  // The house's accounts are opened when they are first looked at, whatever comes of it.
  const ledger = ['ledger_accounts where owner_id is not null', 'ledger_movements', 'ledger_entries'];
  const read = (table: string) => test.context.owner.query(`select * from ${table} order by 1, 2`);
  return Promise.all([...tables, ...ledger].map(async (table) => (await read(table)).rows));
}

describe('a thing of someone else', () => {
  it('can be named in these fields and in no other', async () => {
    const fields = await fieldsThatNameThings();
    expect(fields.toSorted()).toEqual(Object.keys({ ...cases, ...listCases }).toSorted());
    expect(fields).toHaveLength(23);
  });

  it.each(Object.entries(cases))('is refused and left as it was: %s', async (name, { theirs, refusal }) => {
    const before = await belongings();
    const answer = await sendWith(name, theirs());
    expect([answer.statusCode, answer.json().code]).toEqual(refusal);
    expect(await belongings()).toEqual(before);
  });

  it.each(Object.entries(listCases))(
    'in a list is passed over and left as it was, also beside one’s own: %s',
    async (name, { theirs, mine, isDone }) => {
      const areDone = () => Promise.all([theirs(), mine()].map(isDone));
      expect(await areDone()).toEqual([false, false]);
      const before = await belongings();
      expect((await sendWith(name, [theirs()])).statusCode).toBe(200);
      expect(await belongings()).toEqual(before);
      expect((await sendWith(name, [theirs(), mine()])).statusCode).toBe(200);
      expect(await areDone()).toEqual([false, true]);
    },
  );

  it.each(Object.entries(cases))(
    'is what the refusal was about: one’s own works in %s',
    async (name, { mine }) => {
      expect((await sendWith(name, mine())).statusCode).toBe(200);
    },
  );
});
