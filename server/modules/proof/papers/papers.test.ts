import { makeinvestment } from '@tallystick/contract/investment';
import { entries as entriesCall } from '@tallystick/contract/ledger';
import { audit } from '@tallystick/contract/operator/audit';
import { investorpaper, investorpapers } from '@tallystick/contract/operator/investors';
import * as calls from '@tallystick/contract/papers';
import { editprofile } from '@tallystick/contract/users';
import { cancelwithdrawal, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPaper } from '../../../../verify/paper.ts';
import { isWrong } from '../../../../verify/plain.ts';
import { testKey } from '../../../../verify/testing/signing.ts';
import { call, send, tryCall } from '../../../testing/call.ts';
import { dayMs, hourMs, minuteMs } from '../../../testing/clock.ts';
import { correcting, deposit, type Offers, withdrawalForm, withOffers } from '../../../testing/money.ts';
import { type Operator, signedInOperator } from '../../../testing/operators.ts';
import { type SignedIn, signedIn, signIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { createPapers, type Papers } from './service.ts';

const log = testKey('books.example/log');
const kinds = calls.paperKinds;

let test: TestApp;
let offers: Offers;
let papers: Papers;
let ada: SignedIn;
/** The paper of November as it was on its first day, in each kind. */
const first = new Map<string, Buffer>();

const november = { from: '2026-11-01', to: '2026-11-30' };
const reason = 'A deposit of the 15th was counted twice; this takes it back.';

async function fileOf(kind: calls.PaperKind, days = november, userId = ada.userid): Promise<Buffer> {
  const { body } = await papers.paper({ userId, kind, ...days });
  return Buffer.concat(await body.toArray());
}

/** Without the signature, which is checked elsewhere. */
async function jsonOf(days = november, userId?: string) {
  return JSON.parse((await fileOf('json', days, userId)).toString());
}

beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  const { db } = test.context;
  const sign = (text: string) => `${text}\n${log.signature(text)}`;
  const house = { sign, origin: log.name, brand: 'Tallystick', sample: true };
  papers = createPapers({ db, clock: test.clock, ...house });
  // The clock stands at the 15th of November.
  ada = await signedIn(test);
  await deposit(test, ada.userid, 1_000);
  const body = { userid: ada.userid, planid: offers.plans.Starter, investinvestmemntamount: 150.31 };
  await call(test, makeinvestment, { body, as: ada });
  await correcting(test.context)({ userId: ada.userid, amountCents: -89n, reason });
  test.clock.advance(dayMs);
  ada = await signIn(test, ada);
  const asked = await call(test, makenewwithdrawal, { body: withdrawalForm({ offers, who: ada }), as: ada });
  // To the 1st of December, a minute past midnight.
  test.clock.advance(14 * dayMs + 15 * hourMs + minuteMs);
  for (const kind of kinds) first.set(kind, await fileOf(kind));
  // The withdrawal is called off, the investment is paid back, and another month goes by.
  ada = await signIn(test, ada);
  await call(test, cancelwithdrawal, { params: { withdrawalid: asked.withdrawal._id }, as: ada });
  test.clock.advance(20 * dayMs);
  await test.context.investment.settleDue();
  test.clock.advance(20 * dayMs);
  ada = await signIn(test, ada);
});
afterAll(() => test.close());

describe('a paper', () => {
  it('has the balances, every entry with its code, the terms and what is owed', async () => {
    const paper = await jsonOf();
    expect(paper).toMatchObject({
      format: 'tallystick paper/v1',
      sample: true,
      holder: { email: ada.email },
      ...november,
      asof: '2026-11-30T23:59:59.999Z',
      investments: [
        { planname: 'Starter', amount: 150.31, roi: 0.8, duration: 30, profit: 1.2, settledat: null },
      ],
      withdrawals: [{ amount: 100, methodname: 'Bitcoin' }],
      // 15 days and 15 hours of 30 days.
      owed: { wallet: 748.8, invested: 150.31, profit: 0.62, withdrawing: 100, together: 999.73 },
    });
    const { wallet, invested, withdrawing } = paper.accounts;
    expect(wallet.opening).toEqual({ seq: 0, hash: '0'.repeat(64), balance: 0 });
    expect(wallet.closing.balance).toBe(748.8);
    expect(wallet.entries.map(({ fundingtype, amount }: never) => [fundingtype, amount])).toEqual([
      ['Bitcoin', 1000],
      ['Investment', -150.31],
      ['Correction', -0.89],
      ['Withdrawal', -100],
    ]);
    expect(wallet.entries[2].reason).toBe(reason);
    expect([invested.entries.length, withdrawing.entries.length]).toEqual([1, 1]);
    const chain = await call(test, entriesCall, { query: { limit: 4 }, as: ada });
    expect(wallet.entries.map(({ reason: _, ...entry }: { reason: unknown }) => entry)).toEqual(
      chain.entries,
    );
    expect(wallet.closing.hash).toBe(chain.entries.at(-1)?.hash);
  });

  it.each(kinds)('is the same file whenever it is asked for, as %s', async (kind) => {
    expect((await fileOf(kind)).equals(first.get(kind) as Buffer)).toBe(true);
  });

  it.each(kinds)('is signed over every byte, with where the accounts stood, as %s', async (kind) => {
    const file = first.get(kind) as Buffer;
    const checked = checkPaper(file, log.vkey);
    if (isWrong(checked)) throw new Error(checked.wrong);
    const { accounts } = await jsonOf();
    expect(checked).toMatchObject({ kind, ...november, owed: [74_880n, 15_031n, 62n, 10_000n] });
    expect(checked.wallet).toEqual({
      account: accounts.wallet.account,
      seq: 4,
      hash: accounts.wallet.closing.hash,
    });
    for (const at of [
      10,
      Math.floor(file.length / 2),
      checked.bytes - 2,
      checked.bytes + 30,
      file.length - 10,
    ]) {
      const bad = Buffer.from(file);
      bad[at] = (bad[at] ?? 0) ^ 1;
      expect(checkPaper(bad, log.vkey), `byte ${at}`).toHaveProperty('wrong');
    }
  });

  it('goes on where the one before it ended', async () => {
    const [before, after] = [await jsonOf(), await jsonOf({ from: '2026-12-01', to: '2026-12-31' })];
    for (const kind of ['wallet', 'invested', 'withdrawing']) {
      expect(after.accounts[kind].opening).toEqual(before.accounts[kind].closing);
    }
    expect(after.owed).toEqual({
      wallet: 1000.31,
      invested: 0,
      profit: 0,
      withdrawing: 0,
      together: 1000.31,
    });
    expect(after.investments).toMatchObject([
      { profitsofar: null, settledat: expect.stringContaining('2026-12-') },
    ]);
    expect(after.withdrawals).toEqual([]);
  });

  it('of days without an entry says what was there, and of days before everything that nothing was', async () => {
    const quiet = await jsonOf({ from: '2026-11-20', to: '2026-11-21' });
    expect(quiet.accounts.wallet).toMatchObject({
      entries: [],
      opening: { balance: 748.8 },
      closing: { balance: 748.8 },
    });
    expect(quiet.investments).toHaveLength(1);
    const early = await fileOf('pdf', { from: '2026-01-01', to: '2026-01-31' });
    const none = { account: null, seq: 0, hash: '0'.repeat(64) };
    expect(checkPaper(early, log.vkey)).toMatchObject({
      wallet: none,
      invested: none,
      owed: [0n, 0n, 0n, 0n],
    });
  });

  it('counts what lies a moment before midnight, and not what lies at midnight', async () => {
    const person = await signedIn(test);
    const now = test.clock.now().getTime();
    test.clock.advance(dayMs - (now % dayMs) - 1);
    await deposit(test, person.userid, 10);
    test.clock.advance(1);
    await deposit(test, person.userid, 20);
    const day = (offset: number) => new Date(test.clock.now().getTime() + offset).toISOString().slice(0, 10);
    const [yesterday, today] = [day(-dayMs), day(0)];
    test.clock.advance(dayMs + minuteMs);
    const ofDay = async (date: string) =>
      (await jsonOf({ from: date, to: date }, person.userid)).accounts.wallet;
    expect((await ofDay(yesterday)).closing.balance).toBe(10);
    expect(await ofDay(today)).toMatchObject({ opening: { balance: 10 }, closing: { balance: 30 } });
    ada = await signIn(test, ada);
  });

  it('keeps a program that opens the table from running what stands in it', async () => {
    const person = await signedIn(test);
    const formula = '=HYPERLINK("http://x.example")';
    await correcting(test.context)({ userId: person.userid, amountCents: 100n, reason: formula });
    const today = test.clock.now().toISOString().slice(0, 10);
    test.clock.advance(dayMs + minuteMs);
    const table = (await fileOf('csv', { from: today, to: today }, person.userid)).toString();
    expect(table).toContain(`"'=HYPERLINK(`);
    ada = await signIn(test, ada);
  });

  it('sets names in any letters', async () => {
    const person = await signedIn(test);
    const fullname = 'Łukasz Ελένη Александр 王小明 Nguyễn';
    await call(test, editprofile, { body: { fullname, email: person.email }, as: person });
    expect(checkPaper(await fileOf('pdf', november, person.userid), log.vkey)).toMatchObject({ kind: 'pdf' });
    expect((await jsonOf(november, person.userid)).holder.fullname).toBe(fullname);
  });
});

describe('a PDF', () => {
  it('is found by readers that look at the end of a file, and says the end of the period as its date', () => {
    const pdf = first.get('pdf')?.toString('latin1') ?? '';
    expect(pdf.slice(-1024)).toContain('startxref');
    expect(pdf).toContain('(D:20261130235959Z)');
  });
});

describe('asking for a paper', () => {
  const url = (query: object, path: string = calls.paper.path) =>
    `${path}?${new URLSearchParams({ ...november, ...query })}`;
  const get = (query: object) => send(test, 'GET', url(query), undefined, { token: ada.token });

  it('gives a file with a name', async () => {
    const types = {
      pdf: 'application/pdf',
      csv: 'text/csv; charset=utf-8',
      json: 'application/json; charset=utf-8',
    };
    for (const format of kinds) {
      const answer = await get({ format });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe(types[format]);
      expect(answer.headers['content-disposition']).toBe(
        `attachment; filename="statement-2026-11-01-to-2026-11-30.${format}"`,
      );
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('is refused for a day that is not over, for days in disorder and for what is no day', async () => {
    const today = test.clock.now().toISOString().slice(0, 10);
    const refused = await get({ to: today });
    expect([refused.statusCode, refused.json().message]).toEqual([
      422,
      expect.stringContaining('is not over yet'),
    ]);
    expect((await get({ from: '2026-12-01' })).statusCode).toBe(422);
    for (const bad of ['2026-02-30', '2026-11', '', '0000-00-00', "'"]) {
      expect((await get({ from: bad })).statusCode, bad).toBe(400);
    }
    expect((await get({ format: 'xml' })).statusCode).toBe(400);
  });

  it('begins with the days there may be papers about', async () => {
    const span = await call(test, calls.papers, { as: ada });
    const yesterday = new Date(test.clock.now().getTime() - dayMs).toISOString().slice(0, 10);
    expect(span).toEqual({ since: '2026-11-15', until: yesterday, entries: 11 });
    expect(await call(test, calls.papers, { query: november, as: ada })).toMatchObject({ entries: 6 });
    const early = { from: '2026-10-01', to: '2026-10-31' };
    expect(await call(test, calls.papers, { query: early, as: ada })).toMatchObject({ entries: 0 });
  });

  describe('as an operator', () => {
    let operator: Operator;
    beforeAll(async () => {
      operator = await signedInOperator(test);
    });

    it('gives what the investor gets, and leaves a trace', async () => {
      const path = investorpaper.path.replace(':id', ada.userid);
      const theirs = await send(test, 'GET', url({ format: 'csv' }, path), undefined, operator);
      const own = await get({ format: 'csv' });
      expect(theirs.statusCode).toBe(200);
      expect(theirs.body).toBe(own.body);
      const traces = await call(test, audit, { query: { action: 'investor.statement-taken' }, as: operator });
      expect(traces.entries).toMatchObject([
        { subjectid: ada.userid, details: { format: 'csv', ...november } },
      ]);
      const span = await call(test, investorpapers, { params: { id: ada.userid }, as: operator });
      expect(span.since).toBe('2026-11-15');
    });

    it('is refused for nobody', async () => {
      const params = { id: '00000000-0000-4000-8000-000000000000' };
      expect((await tryCall(test, investorpapers, { params, as: operator })).code).toBe('not_found');
      const answer = await send(
        test,
        'GET',
        url({}, investorpaper.path.replace(':id', params.id)),
        undefined,
        operator,
      );
      expect(answer.statusCode).toBe(404);
    });
  });
});
