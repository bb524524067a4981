import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/postgres/db.ts';
import { fundedInvestor } from '../../testing/ledger/investors.ts';
import { tamperingWith } from '../../testing/ledger/tampering.ts';
import { correcting, goodAddress, operator, setBounds, withOffers } from '../../testing/money.ts';
import { bitcoinKey, setWayIn } from '../../testing/outside/chain-server.ts';
import { bitcoinWallet, evmWallet, xrpWallet } from '../../testing/proof/signing-wallets.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let userId: string;
beforeAll(async () => {
  test = await startTestApp({ BITCOIN_NETWORK: 'regtest' });
  seeded = await told(() => withOffers(test));
  userId = await fundedInvestor(test, 500);
});
afterAll(() => test.close());

/** What is another one each time: ids, and the time of the test. */
const plainly = (entry: string) =>
  entry
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/TS-[0-9A-Z-]+/g, 'TS')
    .replace(/^time \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/gm, 'time T')
    .replace(/^(origin|message .* belongs to) .*$/gm, '$1 ORIGIN')
    .replace(/^signature .*$/gm, 'signature S');

/** Everything that was ever told here, as the document shows it. */
const all = new Set<string>();
let seeded: string[] = [];

/** The entries that an act leaves. */
async function told(act: () => Promise<unknown>): Promise<string[]> {
  const { owner } = test.context;
  const { rows: before } = await owner.query('select coalesce(max(id), 0) as id from log_entries');
  await act();
  const { rows } = await owner.query('select kind, entry from log_entries where id > $1 order by id', [
    before[0].id,
  ]);
  for (const { kind, entry } of rows) expect(entry.startsWith(`${kind}\n`)).toBe(true);
  const entries = rows.map(({ entry }) => plainly(entry));
  for (const entry of entries) all.add(entry);
  return entries;
}

const lines = (...of: string[]) => `${of.join('\n')}\n`;
const ada = operator('ada');
const ben = operator('ben');

describe('a plan', () => {
  const starter = (version: number, points: number, state: 'on' | 'off') =>
    lines(
      'plan/v1',
      'time T',
      'plan ID',
      `version ${version}`,
      'name Starter',
      'from 10000',
      'to 199900',
      'days 30',
      `points ${points}`,
      `state ${state}`,
    );
  const plan = {
    planname: 'Starter',
    fromCents: 10_000n,
    toCents: 199_900n,
    durationDays: 30,
    roiPoints: 90,
  };
  const current = async () =>
    (await test.context.investment.plans()).find(({ planname }) => planname === 'Starter')?.id ?? '';

  it('is told when it is offered, with every version and every switch', async () => {
    const { investment } = test.context;
    expect(seeded[0]).toBe(starter(1, 80, 'on'));
    expect(seeded[1]).toMatch(
      /^plan\/v2\n.*\npoints 190\nreinvest yes\nleave 15\nkeeps 5000\nfee 50\nstate on\n$/s,
    );
    const planId = await current();
    expect(await told(() => investment.replacePlan({ planId, plan, actor: ada }))).toEqual([
      starter(2, 90, 'on'),
    ]);
    const second = { planId: await current(), actor: ada };
    const switching = (active: boolean) => told(() => investment.switchPlan({ ...second, active }));
    expect(await switching(false)).toEqual([starter(2, 90, 'off')]);
    expect(await switching(true)).toEqual([starter(2, 90, 'on')]);
  });

  it('beyond the bounds is told when a second operator has agreed, and not when it is dropped', async () => {
    const { investment } = test.context;
    const greedy = { ...plan, roiPoints: 9_000 };
    const propose = async () => investment.replacePlan({ planId: await current(), plan: greedy, actor: ada });
    const waiting = async () => (await investment.waitingPlans())[0]?.id ?? '';
    expect(await told(propose)).toEqual([]);
    expect(await told(async () => investment.discardPlan({ id: await waiting(), actor: ben }))).toEqual([]);
    await propose();
    expect(await told(async () => investment.agreePlan({ id: await waiting(), actor: ben }))).toEqual([
      starter(3, 9_000, 'on'),
    ]);
  });

  it('that is refused leaves nothing, and putting plans into another order changes none', async () => {
    const { investment } = test.context;
    const refused = () => investment.addPlan({ plan, actor: ada }).catch(({ code }) => code);
    expect(await told(refused)).toEqual([]);
    const ids = (await investment.plans()).map(({ id }) => id);
    expect(await told(() => investment.orderPlans({ ids, actor: ada }))).toEqual([]);
  });
});

describe('a way in', () => {
  const bitcoin = ['name Bitcoin', 'network bitcoin'];
  const way = (source: string, address: string, state: 'on' | 'off', named = bitcoin) =>
    lines(
      'method/v1',
      'time T',
      'method ID',
      'side in',
      ...named,
      `source ${source}`,
      `address ${address}`,
      `state ${state}`,
    );
  const key = (state: 'on' | 'off') =>
    lines(
      'key/v1',
      'time T',
      'method ID',
      'network bitcoin',
      'sha256 e4042da7eb3e91eb5ac80e8b0a0edaa9af739cae9ad45ae88c63e83aa0b45e5a',
      "path m/84'/1'/0'",
      `state ${state}`,
    );
  const method = async () =>
    (await test.context.funding.allPaymentMethods()).find(({ paymentname }) => paymentname === 'Bitcoin');

  it('is told with its address, and with its key by hash when it gets one and when it loses it', async () => {
    const { funding } = test.context;
    expect(seeded).toContain(way('fixed', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'on'));
    expect(await told(() => setWayIn(test.context, 'Bitcoin', { key: bitcoinKey }))).toEqual([
      key('on'),
      way('derived', '-', 'on'),
    ]);
    const methodId = (await method())?.id ?? '';
    expect(await told(() => funding.switchPaymentMethod({ methodId, active: false, actor: ada }))).toEqual([
      way('derived', '-', 'off'),
    ]);
    await funding.switchPaymentMethod({ methodId, active: true, actor: ada });
    const fixed = { source: 'fixed', paymentaddress: goodAddress.Bitcoin, key: null } as const;
    expect(await told(() => setWayIn(test.context, 'Bitcoin', fixed))).toEqual([
      key('off'),
      way('fixed', goodAddress.Bitcoin, 'on'),
    ]);
    const set = { methodId, confirmations: 9, dustCents: 1n, actor: ada };
    expect(await told(() => funding.setPaymentMethod(set))).toEqual([]);
  });

  it('that is new is told when a second operator has agreed to it', async () => {
    const { funding } = test.context;
    const paymentaddress = goodAddress.Ripple;
    const coin = { paymentname: 'XRP', network: 'xrp' } as const;
    const wanted = { ...coin, source: 'tagged', paymentaddress, key: null } as const;
    expect(await told(() => funding.proposePaymentMethod({ method: wanted, actor: ada }))).toEqual([]);
    const id = (await funding.waitingAddresses())[0]?.id ?? '';
    expect(await told(() => funding.agreeAddress({ id, actor: ben }))).toEqual([
      way('tagged', paymentaddress, 'on', ['name XRP', 'network xrp']),
    ]);
  });

  it('that the environment names is told, once', async () => {
    const { funding } = test.context;
    const named = { network: 'ethereum', payTo: null, confirmations: 30 } as const;
    expect(await told(() => funding.installMethods([named]))).toEqual([]);
  });
});

it('a way out is told when it is added and when it is switched', async () => {
  const { withdrawal } = test.context;
  const out = (state: 'on' | 'off') =>
    lines(
      'method/v1',
      'time T',
      'method ID',
      'side out',
      'name Bitcoin',
      'network bitcoin',
      `state ${state}`,
    );
  expect(seeded).toContain(out('on'));
  const methods = await withdrawal.allWithdrawalMethods();
  const methodId = methods.find(({ methodname }) => methodname === 'Bitcoin')?.id ?? '';
  for (const active of [false, true]) {
    const switching = () => withdrawal.switchWithdrawalMethod({ methodId, active, actor: ada });
    expect(await told(switching)).toEqual([out(active ? 'on' : 'off')]);
    expect(await told(() => switching().catch(({ code }) => code))).toEqual([]);
  }
});

it('a correction is told when it is posted, with its amount and without its person', async () => {
  const { ledger } = test.context;
  const correct = (amountCents: bigint) => () =>
    correcting(test.context)({ userId, amountCents, reason: 'Credited twice.' });
  const entry = (amount: string) => lines('correction/v1', 'time T', 'transactionid TS', `amount ${amount}`);
  expect(await told(correct(-2_500n))).toEqual([entry('-2500')]);
  expect(await told(correct(1n))).toEqual([entry('1')]);
  expect(await told(() => correct(-9_999_999n)().catch(({ code }) => code))).toEqual([]);
  for (const { id } of await ledger.waitingCorrections()) {
    expect(await told(() => ledger.discardCorrection({ id, actor: ben }))).toEqual([]);
  }
});

describe('an address that has signed', () => {
  const wallets = [
    { name: 'Bitcoin', network: 'bitcoin', wallet: { ...bitcoinWallet, publicKey: null } },
    { name: 'Ethereum', network: 'ethereum', wallet: { ...evmWallet, publicKey: null } },
    { name: 'Ripple', network: 'xrp', wallet: xrpWallet },
  ] as const;

  it.each(wallets)('is told once, with what it has signed: $name', async ({ name, network, wallet }) => {
    const { signing, log, funding } = test.context;
    const { address, publicKey } = wallet;
    const method = (await funding.allPaymentMethods()).find(({ paymentname }) => paymentname === name);
    const way = { source: 'fixed', paymentaddress: address, key: null } as const;
    if (method?.paymentaddress !== address) await setWayIn(test.context, name, way);
    const signature = wallet.sign(`tallystick address/v1: ${network} ${address} belongs to ${log.origin}`);
    const enter = () => signing.signAddress({ network, address, signature, publicKey, actor: ada });
    expect(await told(enter)).toEqual([expect.stringMatching(/^address\/v1\ntime T\norigin ORIGIN\n/)]);
    expect(await told(enter)).toEqual([]);
  });
});

describe('a freeze', () => {
  const freeze = (scope: string, state: 'on' | 'off') =>
    lines('freeze/v1', 'time T', `scope ${scope}`, `state ${state}`);

  it('of an investor is told without the investor', async () => {
    const { withdrawal, db } = test.context;
    const of = { userId, reason: 'A call from the bank.', actor: ada };
    expect(await told(() => withdrawal.freezeInvestor(of))).toEqual([freeze('investor', 'on')]);
    expect(await told(() => withdrawal.freezeInvestor(of).catch(({ code }) => code))).toEqual([]);
    expect(await told(() => withdrawal.unfreezeInvestor(of))).toEqual([freeze('investor', 'off')]);
    const lost = [{ userId, transactionid: 'TS-1' }];
    const lose = () => inTransaction(db, (tx) => withdrawal.freezeAfterLoss(tx, lost));
    expect(await told(lose)).toEqual([freeze('investor', 'on')]);
    expect(await told(lose)).toEqual([]);
    expect(await told(() => withdrawal.unfreezeInvestor(of))).toEqual([]);
    expect(await told(() => withdrawal.unfreezeInvestor({ ...of, actor: ben }))).toEqual([
      freeze('investor', 'off'),
    ]);
  });

  it('of the books is told once, and when they agree again', async () => {
    const { ledger } = test.context;
    const tampering = await tamperingWith(test.database.adminUrl);
    const shift = (cents: number) =>
      tampering.sql(
        `update ledger_accounts set balance_cents = balance_cents + $2 where owner_id = $1 and kind = 'wallet'`,
        [userId, cents],
      );
    await shift(1);
    expect(await told(() => ledger.checkBooks())).toEqual([freeze('books', 'on')]);
    expect(await told(() => ledger.checkBooks())).toEqual([]);
    await shift(-1);
    await tampering.end();
    await ledger.checkBooks();
    const open = () => ledger.unfreeze({ actor: ada, reason: 'Restored.' });
    expect(await told(open)).toEqual([freeze('books', 'off')]);
    expect(await told(open)).toEqual([]);
  });
});

it('an act that is undone tells nothing', async () => {
  const { withdrawal, db } = test.context;
  const undone = inTransaction(db, async (tx) => {
    await withdrawal.freezeAfterLoss(tx, [{ userId, transactionid: 'TS-1' }]);
    throw new Error('undone');
  });
  expect(await told(() => undone.catch(() => {}))).toEqual([]);
});

it('bounds are of the console and not of the log', async () => {
  expect(await told(() => setBounds(test.context, { planCentsMax: 1_000_000n }))).toEqual([]);
});

it('every example of the document is an entry that the server has written here', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/trust.md'), 'utf8');
  const section = /^## Entries\n(.*?)^## /ms.exec(document)?.[1] ?? '';
  const examples = [...section.matchAll(/^```entry\n([^`]*)^```$/gm)].map(([, entry = '']) => entry);
  const kinds = examples.map((entry) => entry.split('\n')[0]);
  expect(new Set(kinds)).toEqual(
    new Set(['plan/v1', 'plan/v2', 'method/v1', 'key/v1', 'address/v1', 'correction/v1', 'freeze/v1']),
  );
  for (const example of examples) expect([...all]).toContain(plainly(example));
});
