import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../platform/app-error.ts';
import { hitsOf } from '../../platform/http/throttle.ts';
import { inTransaction } from '../../platform/postgres/db.ts';
import { createTestClock, hourMs, type TestClock } from '../../testing/clock.ts';
import { openDatabase } from '../../testing/postgres/opened.ts';
import { createTries, forgetTries } from './tries.ts';

const { db, close } = await openDatabase();
afterAll(close);
let clock: TestClock;
let n = 0;
/** Nobody's before. */
const fresh = () => {
  n += 1;
  return { accountKey: `person-${n}@example.com`, address: `198.51.${n}.1`, deviceId: `device ${n}` };
};
beforeEach(() => {
  clock = createTestClock();
});

/** A try that fails; what it was told when it was not looked at. */
async function failed(
  accountKey: string,
  clientAddress: string,
  { deviceId = null as string | null, scope = 'sign-in' as 'sign-in' | 'operator' } = {},
): Promise<string | null> {
  try {
    await createTries({ db, clock, scope })({ accountKey, clientAddress, deviceId });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code} ${error.retryAfterSeconds}: ${error.message}`;
  }
}
const times = async (count: number, act: () => Promise<string | null>) => {
  const said: (string | null)[] = [];
  for (let done = 0; done < count; done += 1) said.push(await act());
  return said;
};
const looked = (said: (string | null)[]) => said.filter((each) => each === null).length;
const tooMany = (seconds: number) =>
  `too_many_requests ${seconds}: Too many failed tries. Try again in ${seconds} s. You need not wait in a browser where you signed in before, nor after a password reset with the link that we mail.`;

describe('a stranger', () => {
  it('is looked at five times, then waits, and is told for how long and what else helps', async () => {
    const { accountKey, address } = fresh();
    expect(await times(6, () => failed(accountKey, address))).toEqual([
      null,
      null,
      null,
      null,
      null,
      tooMany(30),
    ]);
    clock.advance(500);
    expect(await failed(accountKey, address)).toBe(tooMany(30));
    clock.advance(29_500);
    expect(await failed(accountKey, address)).toBeNull();
    expect(await failed(accountKey, address)).toBe(tooMany(60));
  });
  it('waits whomever they try next, for as long as the address is counted', async () => {
    const { address } = fresh();
    expect(looked(await times(9, () => failed(fresh().accountKey, address)))).toBe(5);
    clock.advance(hourMs);
    expect(await failed(fresh().accountKey, address)).toBeNull();
  });
  it('is still slow at the same account when the address is not counted any more', async () => {
    const { accountKey, address } = fresh();
    await times(5, () => failed(accountKey, address));
    clock.advance(hourMs);
    expect(await failed(accountKey, address)).toBeNull();
    expect(await failed(accountKey, address)).toBe(tooMany(60));
    expect(await failed(fresh().accountKey, address)).toBeNull();
    // What was refused because of the account is not held against the address.
    expect(await hitsOf(db, { scope: 'sign-in-address', subject: address }, clock.now())).toBe(2);
  });
  it('does not hold up another, nor an operator of the same name', async () => {
    const { accountKey, address } = fresh();
    await times(6, () => failed(accountKey, address));
    expect(await failed(accountKey, fresh().address)).toBeNull();
    expect(await failed(accountKey, address, { scope: 'operator' })).toBeNull();
  });
  it('is told of the console’s way out there', async () => {
    const { accountKey, address } = fresh();
    const said = await times(6, () => failed(accountKey, address, { scope: 'operator' }));
    expect(said.at(-1)).toMatch(/signed in before, nor after npm run operator -- unlock\.$/);
  });
});

describe('an account that strangers try', () => {
  const triedBy = async (accountKey: string, addresses: number) => {
    for (let done = 0; done < addresses; done += 1) {
      const { address } = fresh();
      expect(looked(await times(5, () => failed(accountKey, address)))).toBe(5);
    }
  };

  it('makes every further stranger wait once there are many, and gives what was counted back', async () => {
    const { accountKey, address } = fresh();
    await triedBy(accountKey, 5);
    expect(await failed(accountKey, address)).toBe(tooMany(30));
    for (const counter of [
      { scope: 'sign-in-address', subject: address },
      { scope: 'sign-in-pair', subject: `${accountKey} ${address}` },
    ])
      expect(await hitsOf(db, counter, clock.now())).toBe(0);
  });
  it('is not held up by one address that goes on and on', async () => {
    const { accountKey, address } = fresh();
    for (let hour = 0; hour < 12; hour += 1) {
      await times(3, () => failed(accountKey, address));
      clock.advance(hourMs);
    }
    expect(await hitsOf(db, { scope: 'sign-in-account', subject: accountKey }, clock.now())).toBe(5);
  });
  it('makes also one wait that is slow by itself and is counted with it no more', async () => {
    const { accountKey, address } = fresh();
    await times(5, () => failed(accountKey, address));
    clock.advance(30_000);
    await triedBy(accountKey, 4);
    expect(await failed(accountKey, address)).toBe(tooMany(30));
    expect(await hitsOf(db, { scope: 'sign-in-account', subject: accountKey }, clock.now())).toBe(25);
  });
  it('lets a device in that it was signed in with before, until that fails too often itself', async () => {
    const { accountKey, address, deviceId } = fresh();
    await triedBy(accountKey, 5);
    expect(looked(await times(5, () => failed(accountKey, address, { deviceId })))).toBe(5);
    expect(await failed(accountKey, address, { deviceId })).toBe(tooMany(30));
    expect(await failed(accountKey, address, { deviceId: fresh().deviceId })).toBeNull();
  });
});

describe('a try', () => {
  it('that was right starts afresh, and what others did stays counted', async () => {
    const { accountKey, address } = fresh();
    const other = fresh().address;
    await times(3, () => failed(accountKey, other));
    await times(3, () => failed(accountKey, address));
    const counted = await createTries({ db, clock, scope: 'sign-in' })({
      accountKey,
      clientAddress: address,
      deviceId: null,
    });
    await counted.wasRight();
    const left = (scope: string, subject: string) => hitsOf(db, { scope, subject }, clock.now());
    expect(await left('sign-in-pair', `${accountKey} ${address}`)).toBe(0);
    expect(await left('sign-in-pair', `${accountKey} ${other}`)).toBe(3);
    expect(await left('sign-in-address', address)).toBe(3);
    expect(await left('sign-in-account', accountKey)).toBe(6);
  });
  it('that did not happen is not counted', async () => {
    const { accountKey, address, deviceId } = fresh();
    for (const device of [null, deviceId]) {
      for (let done = 0; done < 9; done += 1) {
        const tried = { accountKey, clientAddress: address, deviceId: device };
        await (await createTries({ db, clock, scope: 'sign-in' })(tried)).didNotHappen();
      }
    }
    expect(await hitsOf(db, { scope: 'sign-in-device', subject: deviceId }, clock.now())).toBe(0);
    expect(await failed(accountKey, address)).toBeNull();
  });
});

it('an account that is let in again is not slow from anywhere, nor on its devices', async () => {
  const { accountKey, address, deviceId } = fresh();
  const beside = fresh();
  await times(6, () => failed(accountKey, address));
  await times(6, () => failed(accountKey, address, { deviceId }));
  await times(6, () => failed(`${accountKey}m`, beside.address));
  const left = (scope: string, subject: string) => hitsOf(db, { scope, subject }, clock.now());
  expect(await left('sign-in-device', deviceId)).toBe(5);
  await inTransaction(db, (tx) => forgetTries(tx, 'sign-in', { accountKey, deviceIds: [deviceId] }));
  expect(await left('sign-in-pair', `${accountKey} ${address}`)).toBe(0);
  expect(await left('sign-in-account', accountKey)).toBe(0);
  expect(await left('sign-in-device', deviceId)).toBe(0);
  expect(await left('sign-in-address', address)).toBe(0);
  expect(await left('sign-in-pair', `${accountKey}m ${beside.address}`)).toBe(5);
});
