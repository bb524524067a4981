import { hash, randomUUID } from 'node:crypto';
import * as calls from '@tallystick/contract/addresses';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as acts from '../../../testing/addresses/book.ts';
import { call, refusal, tryCall } from '../../../testing/call.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../testing/clock.ts';
import { steppedUp, stepUpByMail, trails, withPhone } from '../../../testing/factors/people.ts';
import { deposit, goodAddress, type Offers, withOffers } from '../../../testing/money.ts';
import { resetPassword, type SignedIn, signedIn, signIn } from '../../../testing/people.ts';
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
const book = (as = person) => acts.bookOf(test, as);
const withdrawTo = (address: string, { as = person, key }: { as?: SignedIn; key?: string } = {}) =>
  acts.withdrawTo({ test, offers, as }, address, key);
const codeTo = async (address: string, as = person) => (await withdrawTo(address, { as })).code;
const stop = (what: 'address' | 'protection', token: string) => acts.stop(test, what, token);
const linkIn = (who: SignedIn, what: 'address' | 'protection') => acts.linkIn(test, who, what);

async function lettersOf({ email }: SignedIn, subject: RegExp): Promise<string[]> {
  const found = (await test.mailbox.letters(email)).filter((letter) => subject.test(letter.subject));
  return found.map(({ text }) => text.replace(/\s+/g, ' '));
}
/** Sessions end sooner than a day. */
async function later(ms: number): Promise<void> {
  test.clock.advance(ms);
  person = await signIn(test, person);
}
const traces = async () =>
  (await trails(test, person.userid)).map(({ action }) => action).filter((act) => act.startsWith('address'));

it('protected addresses: withdrawals go to those that were saved before, at once, and to no other', async () => {
  await save(known);
  expect(await protect()).toEqual({
    protection: { state: 'on', since: test.clock.now().toISOString(), offfrom: null },
  });
  expect(await codeTo(known.toLowerCase())).toBe('done');
  const refused = await withdrawTo(fresh);
  expect([refused.status, refused.code]).toEqual([422, 'address_not_saved']);
  expect((await refusal(test, calls.protectaddresses, { as: person })).code).toBe('already_decided');
  expect(await lettersOf(person, /are protected/)).toHaveLength(1);
  expect(await codeTo('0xnothing')).toBe('address_wrong');
  expect(await traces()).toEqual(['address.saved', 'address-protection.on']);
});

it('a key that was refused for an address is good for another try once it is saved', async () => {
  await protect();
  const key = randomUUID();
  expect((await withdrawTo(fresh, { key })).code).toBe('address_not_saved');
  const { id } = await test.context.db
    .insertInto('saved_addresses')
    .values({
      user_id: person.userid,
      label: 'x',
      network: 'ethereum',
      address: fresh.toUpperCase(),
      created_at: test.clock.now(),
      usable_from: test.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(id).toBeTruthy();
  expect((await withdrawTo(fresh, { key })).code).toBe('done');
});

it('what was withdrawn before is answered as it was under its key, and nothing else is under it', async () => {
  const key = randomUUID();
  const first = await withdrawTo(fresh, { key });
  expect(first.code).toBe('done');
  await protect();
  expect((await withdrawTo(fresh, { key })).text).toBe(first.text);
  expect((await withdrawTo(known, { key })).code).toBe('key_reused');
  expect(await codeTo(fresh)).toBe('address_not_saved');
});

describe('a new address where addresses are protected', () => {
  beforeEach(() => protect());

  it('takes the mailed link without a factor, is told, and waits 24 hours to the instant', async () => {
    expect(await save(fresh)).toMatchObject({ code: 'step_up_required', ways: ['mail'] });
    await stepUpByMail(test, person);
    const usablefrom = new Date(test.clock.now().getTime() + dayMs).toISOString();
    expect(await save(fresh)).toMatchObject({ answer: { savedaddress: { usablefrom } } });
    const [letter] = await lettersOf(person, /new address was saved/);
    expect(letter).toContain(fresh);
    expect(letter).toContain('Withdrawals can go there from 1');
    expect((await withdrawTo(fresh)).status).toBe(423);
    await later(dayMs - 1);
    expect(await codeTo(fresh)).toBe('address_waits');
    test.clock.advance(1);
    expect(await codeTo(fresh)).toBe('done');
    expect((await book()).savedaddress[0]?.usablefrom).toBeNull();
  });

  it('needs nobody’s word but one’s own to go, and comes back as a new one', async () => {
    await steppedUp(test, person);
    await save(fresh);
    await later(dayMs);
    const addressid = (await book()).savedaddress[0]?._id ?? '';
    await call(test, calls.removeaddress, { as: person, params: { addressid } });
    expect(await codeTo(fresh)).toBe('address_not_saved');
    await steppedUp(test, person);
    await save(fresh);
    expect(await codeTo(fresh)).toBe('address_waits');
  });

  it('waits with a factor that was added since: whoever has the mailbox could have', async () => {
    await test.context.owner.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
       values ($1, gen_random_uuid()::text, '', 0, '{}', false, 'x', $2)`,
      [person.userid, new Date(test.clock.now().getTime() + 1)],
    );
    expect(await save(fresh)).toMatchObject({ code: 'step_up_required', ways: ['passkey'] });
    await steppedUp(test, person);
    await save(fresh);
    expect(await codeTo(fresh)).toBe('address_waits');
  });
});

it('with a factor that was on before, a new address takes that and can be used at once', async () => {
  const phone = await withPhone(test);
  await deposit(test, phone.userid, 100);
  await protect(phone);
  test.clock.advance(11 * minuteMs);
  expect((await save(fresh, phone)).code).toBe('step_up_required');
  await steppedUp(test, phone);
  expect(await save(fresh, phone)).toMatchObject({ answer: { savedaddress: { usablefrom: null } } });
  expect(await codeTo(fresh, phone)).toBe('done');
  const [letter] = await lettersOf(phone, /new address was saved/);
  expect(letter).toContain('can go there at once');
  // What a thief has asked for before is under way: nobody is told otherwise.
  const stopped = await stop('address', await linkIn(phone, 'address'));
  const underWay = 'A withdrawal of $10.00 that was asked for before is still under way';
  expect(stopped).toMatchObject({
    answer: { message: expect.stringMatching(/^A withdrawal of \$10\.00 .* is still under way/) },
  });
  expect((await lettersOf(phone, /was taken away/))[0]).toContain(underWay);
  expect(await codeTo(fresh, phone)).toBe('address_not_saved');
});

describe('the link of the letter', () => {
  async function savedWaiting(): Promise<string> {
    await protect();
    await steppedUp(test, person);
    await save(fresh);
    return linkIn(person, 'address');
  }

  it('takes the address away without a session, once, and the owner is told', async () => {
    const token = await savedWaiting();
    expect((await stop('protection', token)).code).toBe('link_wrong');
    expect((await stop('address', 'x'.repeat(22))).code).toBe('link_wrong');
    const both = (await Promise.all([stop('address', token), stop('address', token)])).map(
      ({ code }) => code,
    );
    expect(both.toSorted()).toEqual(['done', 'link_wrong']);
    expect((await stop('address', token)).code).toBe('link_wrong');
    expect((await book()).savedaddress).toEqual([]);
    expect(await lettersOf(person, /was taken away/)).toHaveLength(1);
    expect(await traces()).toEqual(['address-protection.on', 'address.saved', 'address.stopped']);
  });

  it('is kept as a hash, and works until 24 hours are over', async () => {
    const token = await savedWaiting();
    const { rows } = await test.context.owner.query('select * from saved_addresses where user_id = $1', [
      person.userid,
    ]);
    // Bytes are not to be read in JSON: those have to be the hash, and what is text is looked at.
    expect(rows.map((row) => row.stop_hash)).toEqual([hash('sha256', token, 'buffer')]);
    expect(JSON.stringify(rows)).not.toContain(token);
    test.clock.advance(dayMs);
    expect((await stop('address', token)).code).toBe('link_wrong');
    test.clock.advance(-1);
    expect((await stop('address', token)).code).toBe('done');
  });

  it('of what was saved without protection there is none', async () => {
    await save(fresh);
    expect(await lettersOf(person, /new address was saved/)).toEqual([]);
  });
});

describe('switching protection off', () => {
  const unprotect = () => tryCall(test, calls.unprotectaddresses, { as: person });
  async function ending(): Promise<string> {
    await protect();
    await steppedUp(test, person);
    expect((await unprotect()).code).toBe('done');
    return linkIn(person, 'protection');
  }

  it('takes step-up and 24 hours, to the instant; then any address works, and the owner is told', async () => {
    await protect();
    expect(await unprotect()).toMatchObject({ code: 'step_up_required', ways: ['mail'] });
    await steppedUp(test, person);
    const offfrom = new Date(test.clock.now().getTime() + dayMs).toISOString();
    expect(await unprotect()).toMatchObject({ answer: { protection: { state: 'ending', offfrom } } });
    expect((await unprotect()).code).toBe('already_decided');
    await later(dayMs - 1);
    expect([await codeTo(fresh), (await book()).protection.state]).toEqual(['address_not_saved', 'ending']);
    test.clock.advance(1);
    expect([await codeTo(fresh), (await book()).protection.state]).toEqual(['done', 'off']);
    expect((await unprotect()).code).toBe('already_decided');

    await Promise.all([1, 2].map(() => test.context.withdrawal.endProtections()));
    expect(await lettersOf(person, /no longer protected/)).toHaveLength(1);
    expect(await traces()).toEqual([
      'address-protection.on',
      'address-protection.ending',
      'address-protection.off',
    ]);
    expect((await protect()).protection).toMatchObject({ state: 'on', offfrom: null });
  });

  it('is taken back by whoever is signed in, without being asked who that is', async () => {
    await ending();
    await later(hourMs);
    const { since } = (await book()).protection;
    expect((await protect()).protection).toEqual({ state: 'on', since, offfrom: null });
    test.clock.advance(dayMs);
    await test.context.withdrawal.endProtections();
    person = await signIn(test, person);
    expect(await codeTo(fresh)).toBe('address_not_saved');
    expect(await lettersOf(person, /stay protected/)).toHaveLength(1);
  });

  it('is stopped by the letter’s link, once, as long as it has not ended', async () => {
    const token = await ending();
    expect((await stop('address', token)).code).toBe('link_wrong');
    expect((await stop('protection', token)).code).toBe('done');
    expect((await stop('protection', token)).code).toBe('link_wrong');
    expect((await book()).protection.state).toBe('on');
    expect(await lettersOf(person, /stay protected/)).toHaveLength(1);
    await steppedUp(test, person);
    await unprotect();
    const another = await linkIn(person, 'protection');
    expect(another).not.toBe(token);
    test.clock.advance(dayMs);
    expect((await stop('protection', another)).code).toBe('link_wrong');
  });
});

it('after a password reset whichever is stricter counts: a saved address that was never paid to waits', async () => {
  await save(known);
  await protect();
  const password = 'another notch 1827';
  await resetPassword(test, person, { password, how: 'code' });
  person = await signIn(test, { ...person, password });
  expect(await codeTo(known)).toBe('address_waits');
  await later(dayMs + secondMs);
  expect([await codeTo(known), await codeTo(fresh)]).toEqual(['done', 'address_not_saved']);
});
