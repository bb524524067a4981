import { afterAll, beforeAll, expect, it } from 'vitest';
import { newInvestors } from '../../testing/ledger/investors.ts';
import { withOffers } from '../../testing/money.ts';
import { dealings, evmKey, setWayIn } from '../../testing/outside/chain-server.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
const { payTo } = dealings(() => test.context);

beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
});
afterAll(() => test.close());

it('the same account in another spelling goes on where the first one stood, however far that was', async () => {
  await setWayIn(test.context, 'Ethereum', { key: evmKey });
  const [first = '', ...others] = await newInvestors(test, 130);
  const given = new Set([(await payTo(first, 'Ethereum')).address]);
  for (const userId of others) given.add((await payTo(userId, 'Ethereum')).address);
  await setWayIn(test.context, 'Ethereum', { key: `[d34db33f/44h/60h/0h]${evmKey}` });
  for (const userId of [first, ...others.slice(0, 2)]) given.add((await payTo(userId, 'Ethereum')).address);
  expect(given.size).toBe(133);
  const { rows } = await test.context.owner.query(
    `select next_receiving as next from network_keys order by made_at`,
  );
  expect(rows).toEqual([{ next: 130 }, { next: 133 }]);
  // And back.
  await setWayIn(test.context, 'Ethereum', { key: evmKey });
  expect((await payTo(others[5] ?? '', 'Ethereum')).address).toMatch(/^0x/);
}, 60_000);
