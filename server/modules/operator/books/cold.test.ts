import { audit } from '@tallystick/contract/operator/audit';
import { books, coldchanges, enterheld, listcold, removecold } from '@tallystick/contract/operator/books';
import { queue } from '@tallystick/contract/operator/queue';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, send, tryCall } from '../../../testing/call.ts';
import { minuteMs } from '../../../testing/clock.ts';
import { withOffers } from '../../../testing/money.ts';
import { type Operator, signedInOperator } from '../../../testing/operators.ts';
import { startXrpServer, type XrpServer } from '../../../testing/outside/xrp-server.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import { watchersOf } from '../../../work.ts';
import { coldAddressesMax } from '../../networks/rules.ts';

const vault = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
let node: XrpServer;
let test: TestApp;
let ada: Operator;
let ben: Operator;

beforeAll(async () => {
  node = await startXrpServer();
  test = await startTestApp({ XRP_RPC_URL: node.url });
  await withOffers(test);
  [ada, ben] = [await signedInOperator(test), await signedInOperator(test)];
  await read();
});
afterAll(async () => {
  await test.close();
  await node.close();
});

async function read(): Promise<void> {
  test.clock.advance(minuteMs);
  for (const readChain of test.context.networks.readers(watchersOf(test.context))) await readChain();
}
const held = async (as = ada) => (await call(test, books, { as })).held;

it('a cold address is listed by two, counted, and left out by two; each step is in the audit log', async () => {
  node.accounts.set(vault, { units: 2_000_000_000n, flags: 0 });
  const body = { network: 'xrp' as const, address: vault, label: 'Vault in the bank' };
  await call(test, listcold, { body, as: ada });
  const [change] = (await held()).coldchanges;
  expect(change).toMatchObject({ ...body, removes: false, coins: [], askedby: ada.name, askedbyid: ada.id });
  const params = { id: change?._id ?? '' };
  expect((await tryCall(test, coldchanges.confirm, { params, as: ada })).code).toBe('second_operator_needed');
  expect((await held()).networks).toMatchObject([{ network: 'xrp', coins: '0' }]);
  await call(test, coldchanges.confirm, { params, as: ben });
  expect((await tryCall(test, coldchanges.confirm, { params, as: ben })).code).toBe('already_decided');
  expect((await held()).cold).toMatchObject([{ coins: null, amount: null }]);
  expect((await held()).networks).toMatchObject([{ unlooked: 1 }]);

  await expect.poll(() => read().then(async () => (await held()).networks[0]?.coins)).toBe('2000');
  const [network] = (await held()).networks;
  expect(network).toMatchObject({ coldcoins: '2000', unlooked: 0, state: 'following', height: 1000 });
  const [listed] = (await held()).cold;
  expect(listed).toMatchObject({
    ...body,
    coins: '2000',
    amount: network?.amount,
    listedby: ada.name,
    agreedby: ben.name,
    coinsnamed: 0,
  });
  const { coverage } = await call(test, queue, { as: ada });
  expect(coverage.typed).toBeNull();

  await call(test, removecold, { params: { id: listed?._id ?? '' }, as: ada });
  const [removal] = (await held()).coldchanges;
  expect(removal).toMatchObject({ removes: true, label: body.label });
  await call(test, coldchanges.confirm, { params: { id: removal?._id ?? '' }, as: ben });
  expect(await held()).toMatchObject({ cold: [], coldchanges: [], networks: [{ coins: '0', amount: 0 }] });
  const { entries } = await call(test, audit, { query: { action: 'cold-address.' }, as: ada });
  expect(entries.map(({ action }) => action).toReversed()).toEqual([
    'cold-address.asked',
    'cold-address.listed',
    'cold-address.removal-asked',
    'cold-address.removed',
  ]);
});

it('what is typed stands beside what is read, marked in the file too, and nowhere else', async () => {
  const { methods, networks } = await held();
  expect(methods.map(({ paymentname }) => paymentname)).toEqual(['Bitcoin', 'Ethereum', 'BnB']);
  expect(networks.map(({ network }) => network)).toEqual(['xrp']);
  const id = methods[0]?.methodid ?? '';
  await call(test, enterheld, { params: { id }, body: { amount: 500 }, as: ada });
  expect(await held()).toMatchObject({ typed: 500, together: 500 });
  const ripple = (await test.context.funding.allPaymentMethods()).find(({ coin }) => coin === 'ripple');
  const refused = await tryCall(test, enterheld, {
    params: { id: ripple?.id ?? '' },
    body: { amount: 1_000_000 },
    as: ada,
  });
  expect(refused).toMatchObject({ code: 'already_decided', message: expect.stringContaining('XRP Ledger') });
  expect((await held()).together).toBe(500);
  const file = await send(test, 'GET', `${books.path}/export.csv`, undefined, { cookies: ada.cookies });
  expect(file.body).toContain('Held,XRP Ledger,0.00,,0,read,1000,');
  expect(file.body).toContain('Held,Bitcoin,500.00,,,typed,,');
});

it('a label, a network and coins are read strictly', async () => {
  const body = { network: 'xrp' as const, address: vault, label: 'Vault' };
  const wrong = [
    { ...body, label: '' },
    { ...body, network: 'dogecoin' as 'xrp' },
    { ...body, coins: ['nothing:0'] },
    { ...body, coins: Array.from({ length: 51 }, () => `${'ab'.repeat(32)}:0`) },
  ];
  for (const each of wrong) {
    expect((await tryCall(test, listcold, { body: each, as: ada })).code).toBe('invalid_request');
  }
});

it('no more are listed than a statement of the books has room for, neither by the first operator nor by the second', async () => {
  const body = { network: 'xrp' as const, address: vault, label: 'Vault' };
  await call(test, listcold, { body, as: ada });
  const [waiting] = (await held()).coldchanges;
  const admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
  await admin.query('set session_replication_role = replica');
  await admin.query(
    `with changes as (
       insert into cold_address_changes
         (network, address, match, label, removes, asked_by, asked_at, decided_by, decided_at, agreed)
       select 'xrp', 'r' || n, 'r' || n, 'Many', false, 'one', now(), 'two', now(), true
       from generate_series(1, $1::int) as n returning id, match),
     made as (
       insert into network_addresses (family, match, address, purpose, made_at)
       select 'xrp', match, match, 'cold', now() from changes returning id, match)
     insert into cold_addresses (network, address_id, label, height_from, change_id, listed_at)
     select 'xrp', made.id, 'Many', 1, changes.id, now() from made join changes using (match)`,
    [coldAddressesMax],
  );
  await admin.end();
  const refused = { code: 'outside_range', message: expect.stringContaining('Leave one out first.') };
  const params = { id: waiting?._id ?? '' };
  expect(await tryCall(test, coldchanges.confirm, { params, as: ben })).toMatchObject(refused);
  const another = { ...body, address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' };
  expect(await tryCall(test, listcold, { body: another, as: ada })).toMatchObject(refused);
});
