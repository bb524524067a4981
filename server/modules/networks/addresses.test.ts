import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../platform/postgres/db.ts';
import { newInvestors } from '../../testing/ledger/investors.ts';
import { bitcoinKey } from '../../testing/outside/chain-server.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { createAddresses } from './addresses.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

it('an account that is entered again, in another spelling, goes on where it stood', async () => {
  const { db } = test.context;
  const addresses = createAddresses({ db, clock: test.clock, bitcoinNetwork: 'regtest' });
  const use = { methodId: randomUUID(), network: 'bitcoin', oldKeyId: null, now: test.clock.now() } as const;
  const keep = async (key: string) =>
    (await inTransaction(db, (tx) => addresses.useKey(tx, { ...use, key }))) ?? '';
  const [plain, withOrigin] = [await keep(bitcoinKey), await keep(`[d34db33f/84'/1'/0']${bitcoinKey}`)];
  expect(plain).not.toBe(withOrigin);
  const given = async (userId: string, keyId: string) =>
    (await addresses.payTo({ userId, network: 'bitcoin', source: { source: 'derived', keyId } })).address;
  const many = await newInvestors(test, 40);
  for (const userId of many) await given(userId, plain);
  const [one = '', two = '', three = ''] = await newInvestors(test, 3);
  await given(one, withOrigin);
  await given(two, plain);
  await given(three, withOrigin);
  const { rows } = await test.context.owner.query(
    'select index, key_id as key from network_addresses order by id offset 40',
  );
  expect(rows).toEqual([
    { index: 40, key: withOrigin },
    { index: 41, key: plain },
    { index: 42, key: withOrigin },
  ]);
});
