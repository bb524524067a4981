import { summary } from '@tallystick/contract/ledger';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../../testing/call.ts';
import { deposit, withOffers } from '../../testing/money.ts';
import { signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { genesisHash } from './rules.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

it('gives each of many who ask at once their own figures, and nothing to whom nothing belongs', async () => {
  await withOffers(test);
  const [rich, poor, nobody] = [await signedIn(test), await signedIn(test), await signedIn(test)];
  await deposit(test, rich.userid, 500);
  await deposit(test, poor.userid, 70);
  const asked = [rich, nobody, poor, rich].map((as) => call(test, summary, { as }));
  const [first, none, second, again] = await Promise.all(asked);
  expect([first?.available, second?.available]).toEqual([500, 70]);
  expect(first?.head.account).not.toBe(second?.head.account);
  expect(again).toEqual(first);
  expect(none).toEqual({
    available: 0,
    invested: 0,
    withdrawing: 0,
    together: 0,
    entries: 0,
    head: { account: null, seq: 0, hash: genesisHash },
  });
});
