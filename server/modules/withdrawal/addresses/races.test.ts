import { randomUUID } from 'node:crypto';
import * as calls from '@tallystick/contract/addresses';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as acts from '../../../testing/addresses/book.ts';
import { blockedBackends } from '../../../testing/blocked.ts';
import { call } from '../../../testing/call.ts';
import { steppedUp, withPhone } from '../../../testing/factors/people.ts';
import { deposit, goodAddress, type Offers, withOffers } from '../../../testing/money.ts';
import { type SignedIn, signedIn } from '../../../testing/people.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';

let test: TestApp;
let offers: Offers;
let person: SignedIn;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
});
afterAll(() => test.close());
beforeEach(async () => {
  person = await signedIn(test);
  await deposit(test, person.userid, 5_000);
});

const known = goodAddress.Ethereum;
const { freshAddress: fresh } = acts;
const save = (address: string, as = person) => acts.save(test, as, address);
const protect = (as = person) => acts.protect(test, as);
const codeTo = async (address: string) => (await acts.withdrawTo({ test, offers, as: person }, address)).code;

describe('one or the other comes first', () => {
  /** Lets a withdrawal stand behind the lock while something else is asked for. */
  async function whileAsking(address: string, change: () => Promise<unknown>) {
    const { owner } = test.context;
    const slow = await owner.connect();
    try {
      await slow.query('begin');
      await slow.query("select from ledger_accounts where kind = 'wallet' and owner_id = $1 for update", [
        person.userid,
      ]);
      const changed = change();
      await blockedBackends(test);
      const asked = codeTo(address);
      await blockedBackends(test, 2);
      await slow.query('commit');
      await changed;
      return await asked;
    } finally {
      slow.release();
    }
  }

  it('an address that is being removed gets no withdrawal any more', async () => {
    await save(known);
    await protect();
    const addressid = (await acts.bookOf(test, person)).savedaddress[0]?._id ?? '';
    const remove = () => call(test, calls.removeaddress, { as: person, params: { addressid } });
    expect(await whileAsking(known, remove)).toBe('address_not_saved');
  });

  it('nor one that is being stopped by its link', async () => {
    const phone = await withPhone(test);
    await deposit(test, phone.userid, 100);
    await protect(phone);
    await steppedUp(test, phone);
    await save(fresh, phone);
    const token = await acts.linkIn(test, phone, 'address');
    person = phone;
    await steppedUp(test, phone);
    expect(await whileAsking(fresh, () => acts.stop(test, 'address', token))).toBe('address_not_saved');
  });

  it('nor any that is not saved, while protection is being switched on', async () => {
    expect(await whileAsking(fresh, () => protect())).toBe('address_not_saved');
  });

  it('many at once: every withdrawal came before the switch, or is refused', async () => {
    const asks = () => [codeTo(fresh), codeTo(fresh), codeTo(fresh)];
    const codes = await Promise.all([...asks(), protect().then(() => 'switched'), ...asks()]);
    const { rows } = await test.context.owner.query(
      `select count(*)::int as made from withdrawals where user_id = $1`,
      [person.userid],
    );
    expect(rows[0].made).toBe(codes.filter((code) => code === 'done').length);
    expect(new Set(codes)).toEqual(
      new Set(['switched', ...codes.filter((code) => ['done', 'address_not_saved'].includes(code))]),
    );
    expect(await codeTo(fresh)).toBe('address_not_saved');
  });
});

it('the table itself takes no withdrawal of an older server, which knows of no protection', async () => {
  await save(known);
  await protect();
  const insert = (address: string, at: Date) =>
    test.context.db
      .insertInto('withdrawals')
      .values({
        user_id: person.userid,
        method_id: offers.withdrawalMethods.Ethereum,
        methodname: 'Ethereum',
        network: 'ethereum',
        transactionid: `TS-${randomUUID()}`,
        address,
        amount_cents: 1_000n,
        id: randomUUID(),
        requested_at: at,
      })
      .execute();
  const now = test.clock.now();
  await expect(insert(fresh, now)).rejects.toThrow('are protected');
  await expect(insert(known, new Date(now.getTime() - 1))).rejects.toThrow('are protected');
  await test.context.owner.query(
    'update address_protections set off_from = $1, stop_hash = $2 where user_id = $3',
    [now, 'x', person.userid],
  );
  await insert(fresh, now);
});
