import {
  freezeinvestor,
  investor as investorCall,
  unfreezeinvestor,
} from '@tallystick/contract/operator/investors';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/postgres/db.ts';
import { call, tryCall } from '../../../testing/call.ts';
import { type Operator, signedInOperator } from '../../../testing/operators.ts';
import { signedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
let ada: Operator;
let ben: Operator;
beforeAll(async () => {
  test = await startTestApp();
  [ada, ben] = [await signedInOperator(test), await signedInOperator(test)];
});
afterAll(() => test.close());

const body = { reason: 'We have looked into it.' };
const frozen = async (id: string) => (await call(test, investorCall, { params: { id }, as: ada })).frozen;
const unfreeze = (as: Operator, id: string) => call(test, unfreezeinvestor, { params: { id }, body, as });

it('what an operator froze one operator unfreezes', async () => {
  const { userid: id } = await signedIn(test);
  await call(test, freezeinvestor, { params: { id }, body, as: ada });
  expect(await frozen(id)).toMatchObject({ by: ada.name, afterloss: false, unfrozenfirst: null });
  expect(await unfreeze(ada, id)).toMatchObject({ frozen: false });
  expect(await frozen(id)).toBeNull();
});

it('after a loss the network is named, the first of two is told that another must, and the second lets it go', async () => {
  const { userid: id } = await signedIn(test);
  const { db, withdrawal, owner } = test.context;
  await inTransaction(db, (tx) => withdrawal.freezeAfterLoss(tx, [{ userId: id, transactionid: 'TS-LOST' }]));
  expect(await frozen(id)).toMatchObject({ by: 'the network', afterloss: true, unfrozenfirst: null });
  expect(await unfreeze(ada, id)).toMatchObject({ frozen: true });
  expect(await frozen(id)).toMatchObject({ unfrozenfirst: { operator: ada.id, name: ada.name } });
  const twice = await tryCall(test, unfreezeinvestor, { params: { id }, body, as: ada });
  expect(twice.code).toBe('second_operator_needed');

  // What somebody said who is an operator no more does not count, and is not shown as if it did.
  const gone = await signedInOperator(test);
  await owner.query('update withdrawal_freezes set first_unfrozen_by = $1 where user_id = $2', [gone.id, id]);
  await owner.query('update operators set disabled_at = now() where id = $1', [gone.id]);
  expect(await frozen(id)).toMatchObject({ unfrozenfirst: null });
  expect(await unfreeze(ben, id)).toMatchObject({ frozen: true });
  expect(await unfreeze(ada, id)).toMatchObject({ frozen: false });
  expect(await frozen(id)).toBeNull();
});
