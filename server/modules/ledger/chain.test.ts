import { entries, investorAccounts, summary as summaryCall } from '@tallystick/contract/ledger';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Asking, call, send } from '../../testing/call.ts';
import { dayMs } from '../../testing/clock.ts';
import { type Tampering, tamperingWith } from '../../testing/ledger/tampering.ts';
import { brokenEntry, type WireChain } from '../../testing/ledger/wire-chain.ts';
import { correcting, deposit, goodAddress, type Offers, withOffers } from '../../testing/money.ts';
import { type Person, signIn, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let tampering: Tampering;
let ada: Person;
let wallet: string;

/** Six entries in Ada's wallet: deposit, investment, its return and profit, a withdrawal, a correction. */
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  ada = await verified(test);
  const { investment, withdrawal, ledger } = test.context;
  const common = { userId: ada.userid, idempotencyKey: null };
  await deposit(test, ada.userid, 1000.1);
  test.clock.advance(dayMs);
  const planId = offers.plans.Starter;
  await investment.makeInvestment({ ...common, planId, amountCents: 15_031n });
  test.clock.advance(30 * dayMs);
  await vi.waitFor(async () => {
    await investment.settleDue();
    expect((await ledger.summary(common)).investedCents).toBe(0n);
  }, 45_000);
  const methodId = offers.withdrawalMethods.Bitcoin;
  await withdrawal.askForWithdrawal({
    ...common,
    methodId,
    amountCents: 2_999n,
    address: goodAddress.Bitcoin,
  });
  await correcting({ ledger })({ ...common, amountCents: -7n, reason: 'Counted twice.' });
  const { accountId } = await ledger.summary(common);
  wallet = accountId ?? '';
  tampering = await tamperingWith(test.database.adminUrl);
});
afterAll(async () => {
  await tampering.end();
  await test.close();
});
afterEach(() => tampering.undo());

const chainOf = async (person: Person, query: Asking<typeof entries>['query'] = {}): Promise<WireChain> =>
  call(test, entries, { query, as: await signIn(test, person) });

describe('an investor who recomputes the chain from their own list', () => {
  it('comes to the same hashes and to the head of the account', async () => {
    const chain = await chainOf(ada);
    expect(chain.entries.map(({ fundingtype, amount }) => [fundingtype, amount])).toEqual([
      ['Bitcoin', 1000.1],
      ['Investment', -150.31],
      ['Investment Return', 150.31],
      ['Profit', 1.2],
      ['Withdrawal', -29.99],
      ['Correction', -0.07],
    ]);
    expect(await brokenEntry(chain)).toBe(0);
    expect(chain.head.account).toBe(wallet);
  });

  it('can fetch it in parts', async () => {
    const whole = await chainOf(ada);
    const parts = [await chainOf(ada, { limit: 4 }), await chainOf(ada, { after: 4, limit: 4 })];
    expect(parts.flatMap(({ entries }) => entries)).toEqual(whole.entries);
    expect((await chainOf(ada, { after: 6 })).entries).toEqual([]);
  });

  it('comes to them for each of their accounts, which together are what the summary says', async () => {
    const summary = await call(test, summaryCall, { as: await signIn(test, ada) });
    const chains = await Promise.all(investorAccounts.map((account) => chainOf(ada, { account })));
    expect(await Promise.all(chains.map(brokenEntry))).toEqual([0, 0, 0]);
    expect(chains.map(({ entries }) => entries.map(({ amount }) => amount))).toEqual([
      [1000.1, -150.31, 150.31, 1.2, -29.99, -0.07],
      [150.31, -150.31],
      [29.99],
    ]);
    const ends = chains.map(({ entries }) => entries.at(-1)?.balanceafter);
    expect(ends).toEqual([summary.available, summary.invested, summary.withdrawing]);
    expect(new Set(chains.map(({ head }) => head.account)).size).toBe(3);
  });

  it('is never shown an account of someone else’s, or of the house', async () => {
    const bob = await verified(test);
    for (const account of investorAccounts) {
      const { entries: seen, head } = await chainOf(bob, { account });
      expect({ seen, head }).toEqual({ seen: [], head: { account: null, seq: 0, hash: '0'.repeat(64) } });
    }
    const as = await signIn(test, bob);
    for (const account of ['payouts', 'clearing', wallet, ada.userid, '']) {
      const url = `/api/ledger/entries?account=${account}`;
      const { statusCode } = await send(test, 'GET', url, undefined, { token: as.token });
      expect(statusCode, account).toBe(400);
    }
    await deposit(test, bob.userid, 20);
    const own = await chainOf(bob);
    expect(own.entries.map(({ amount }) => amount)).toEqual([20]);
    expect(own.head.account).not.toBe(wallet);
  });

  it('finds what the check of the books cannot: a history that was rewritten as a whole', async () => {
    const kept = (await chainOf(ada)).head;
    await tampering.relabel(wallet, 2, 'Fee');
    expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
    const told = await chainOf(ada);
    expect(await brokenEntry(told)).toBe(0);
    expect(told.head.hash).not.toBe(kept.hash);
  });
});

const secondEntry = 'where account_id = $1 and seq = 2';
const name = () => `wallet of ${ada.userid}`;

/** What is done behind the server's back, which entry the investor finds, and what the check says of the wallet. */
const tricks: [string, () => Promise<void>, number, string][] = [
  [
    'an amount was changed',
    () =>
      tampering.sql(
        `update ledger_entries set amount_cents = amount_cents - 100,
      balance_after_cents = balance_after_cents - 100 ${secondEntry}`,
        [wallet],
      ),
    2,
    'entry 2 is not as it was written',
  ],
  [
    'a balance was changed',
    () =>
      tampering.sql(
        `update ledger_entries set balance_before_cents = balance_before_cents + 100,
      balance_after_cents = balance_after_cents + 100 ${secondEntry}`,
        [wallet],
      ),
    2,
    'entry 2 is not as it was written',
  ],
  [
    'a label was changed',
    () => tampering.sql(`update ledger_entries set label = 'Fee' ${secondEntry}`, [wallet]),
    2,
    'entry 2 is not as it was written',
  ],
  [
    'a time was changed',
    () => tampering.sql(`update ledger_entries set at = at - interval '1 day' ${secondEntry}`, [wallet]),
    2,
    'entry 2 is not as it was written',
  ],
  [
    'a transaction id was changed',
    () =>
      tampering.sql(
        `update ledger_movements set transactionid = 'TS-AAAA-AAAA' where id =
      (select movement_id from ledger_entries ${secondEntry})`,
        [wallet],
      ),
    2,
    'entry 2 is not as it was written',
  ],
  [
    'an entry was removed',
    () => tampering.sql(`delete from ledger_entries ${secondEntry}`, [wallet]),
    2,
    'entry 2 is missing',
  ],
  [
    'the newest entry was removed',
    () => tampering.sql('delete from ledger_entries where account_id = $1 and seq = 6', [wallet]),
    5,
    'entry 6 is missing',
  ],
  [
    'two entries changed places',
    async () => {
      for (const [from, to] of [
        [2, 102],
        [5, 2],
        [102, 5],
      ]) {
        const move = 'update ledger_entries set seq = $3 where account_id = $1 and seq = $2';
        await tampering.sql(move, [wallet, from, to]);
      }
    },
    2,
    'entry 2 is not as it was written',
  ],
  // The investor is shown nothing beyond the head.
  ['an entry was appended', () => tampering.append(wallet, 500), 0, 'entry 7 was not written by the ledger'],
  [
    'the head was changed',
    () => tampering.sql(`update ledger_accounts set head = sha256('other') where id = $1`, [wallet]),
    6,
    'its head is not that of entry 6',
  ],
  [
    'the balance of the account was changed',
    () =>
      tampering.sql('update ledger_accounts set balance_cents = balance_cents + 1 where id = $1', [wallet]),
    0,
    'its entries do not add up to its balance',
  ],
  [
    'the account was said to be of another time, which later entries would take over',
    () =>
      tampering.sql(
        `update ledger_accounts set last_entry_at = last_entry_at + interval '1 year'
      where id = $1`,
        [wallet],
      ),
    0,
    'its head is not that of entry 6',
  ],
];

describe('when', () => {
  it.each(tricks)('%s, the check says where', async (_case, trick, found, finding) => {
    await trick();
    expect(await brokenEntry(await chainOf(ada))).toBe(found);
    const { findings } = await test.context.ledger.checkBooks();
    expect(findings).toContain(`${name()}: ${finding}`);
    await tampering.undo();
    expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  });
});

/** The movement of Ada's investment: a posting in her wallet and one in what she has invested. */
const investmentId = `(select movement_id from ledger_entries ${secondEntry})`;
const removed = ['ledger_entries where movement_id', 'ledger_movements where id'];

describe('the check of the books', () => {
  const findings = async () => (await test.context.ledger.checkBooks()).findings;

  it('finds a whole movement that was removed, in every account it touched', async () => {
    await tampering.sql(
      `create temp table gone as select movement_id as id from ledger_entries ${secondEntry}`,
      [wallet],
    );
    for (const rows of removed) await tampering.sql(`delete from ${rows} in (table gone)`);
    expect(await findings()).toEqual(
      expect.arrayContaining([
        `${name()}: entry 2 is missing`,
        `invested of ${ada.userid}: entry 1 is missing`,
      ]),
    );
  });

  it('finds a movement whose entries are gone, and entries whose movement is gone', async () => {
    await tampering.sql(`insert into ledger_movements (id, transactionid, kind, at)
      values ('00000000-0000-4000-8000-00000000000a', 'TS-FFFF-FFFF', 'deposit', now())`);
    expect(await findings()).toEqual([
      'movement 00000000-0000-4000-8000-00000000000a is not as it was written',
    ]);
    await tampering.undo();
    await tampering.sql(`delete from ledger_movements where id = ${investmentId}`, [wallet]);
    expect(await findings()).toContain(`${name()}: entry 2 is missing`);
  });

  it('finds entries whose account is gone, even when it held nothing', async () => {
    const empty = `(select id from ledger_accounts where kind = 'invested' and owner_id = $1)`;
    await tampering.sql(`delete from ledger_accounts where id = ${empty}`, [ada.userid]);
    expect(await findings()).toEqual([
      expect.stringMatching(/^movement .* is not as it was written$/),
      expect.stringMatching(/^movement .* is not as it was written$/),
    ]);
  });

  it('finds a time that was changed by less than the chain can see', async () => {
    await tampering.sql(`update ledger_entries set at = at + interval '400 microseconds' ${secondEntry}`, [
      wallet,
    ]);
    expect(await findings()).toEqual([expect.stringMatching(/^movement .* is not as it was written$/)]);
  });

  it('finds money that was made out of nothing', async () => {
    await tampering.sql('update ledger_accounts set balance_cents = balance_cents + 100000 where id = $1', [
      wallet,
    ]);
    expect(await findings()).toContain('all accounts together are 100000 cents instead of zero');
  });
});
