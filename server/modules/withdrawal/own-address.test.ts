import { addbalance } from '@tallystick/contract/funding';
import { makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, tryCall } from '../../testing/call.ts';
import { deposit, type Offers, operator, withdrawalForm, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let person: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  person = await signedIn(test);
  await deposit(test, person.userid, 500);
});
afterAll(() => test.close());

async function withdrawTo(method: 'Ethereum' | 'Ripple', withdrawaladdress: string) {
  const to = { withdrawalid: offers.withdrawalMethods[method], withdrawaladdress, withdrawalamount: 50 };
  const body = withdrawalForm({ offers, who: person }, to);
  const reply = await tryCall(test, makenewwithdrawal, { body, as: person });
  return reply.code === 'done' ? 'taken' : reply.message;
}

const ours = 'This is the address that deposits are sent to. Enter the address of your own wallet.';

it.each(['0x000000000000000000000000000000000000dEaD', '0x000000000000000000000000000000000000dead'])(
  'a withdrawal to an address that deposits go to is refused, however it is written: %s',
  async (address) => expect(await withdrawTo('Ethereum', address)).toBe(ours),
);

it('an address is refused from when two operators agreed to it until nobody may still send there', async () => {
  const [old, next] = ['rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B'];
  const both = async () => [await withdrawTo('Ripple', old), await withdrawTo('Ripple', next)];
  const { funding } = test.context;
  const wish = { fundingtypename: 'Ripple', amount: 50 };
  const shown = await call(test, addbalance, { body: wish, as: person });
  const method = (await funding.allPaymentMethods()).find(({ paymentname }) => paymentname === 'Ripple');
  const change = { methodId: method?.id ?? '', source: 'fixed', paymentaddress: next, key: null } as const;
  await funding.proposeAddress({ ...change, actor: operator('one') });
  expect(await both()).toEqual([ours, 'taken']);

  const [waiting] = await funding.waitingAddresses();
  await funding.agreeAddress({ id: waiting?.id ?? '', actor: operator('two') });
  expect(await both()).toEqual([ours, ours]);

  const { _id: requestId } = shown.request;
  const reason = 'Nothing arrived.';
  await funding.rejectFunding({ requestId, reason, actor: operator(), idempotencyKey: null });
  expect(await both()).toEqual(['taken', ours]);
});
