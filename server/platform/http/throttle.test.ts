import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestClock, type TestClock } from '../../testing/clock.ts';
import { openDatabase } from '../../testing/postgres/opened.ts';
import {
  forget,
  forgetPassed,
  giveBack,
  hitsOf,
  subjectsStartingWith,
  takeFromQuota,
  throttledAddress,
  waitBeforeTry,
  waitOf,
} from './throttle.ts';

describe('an address is counted', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:203.0.113.19', '203.0.113.19'],
    ['::ffff:203.110.113.119', '203.110.113.119'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['2001:db8::3:4:5:6:7', '2001:db8:0:3::/64'],
    ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
    ['2001:0:0010:0000::1', '2001:0:10:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::ffff:203.0.113.9', '1:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s as %s', (address, counted) => {
    expect(throttledAddress(address)).toBe(counted);
  });
});

describe('a counter', async () => {
  const { db, close } = await openDatabase();
  afterAll(close);
  let clock: TestClock;
  let n = 0;
  let counter = { scope: 'test', subject: '' };
  const other = { scope: 'test', subject: 'other' };
  beforeEach(() => {
    clock = createTestClock();
    n += 1;
    counter = { scope: 'test', subject: `subject ${n}` };
  });

  describe('of a quota', () => {
    const take = (of = counter) => takeFromQuota(db, of, { limit: 2, windowMs: 1000 }, clock.now());

    it('allows so many in a window, and says when the next begins', async () => {
      expect(await take()).toEqual({ allowed: true, hits: 1, retryAfterMs: 1000 });
      clock.advance(400);
      expect(await take()).toEqual({ allowed: true, hits: 2, retryAfterMs: 600 });
      expect(await take()).toEqual({ allowed: false, hits: 3, retryAfterMs: 600 });
      clock.advance(599);
      expect(await take()).toEqual({ allowed: false, hits: 4, retryAfterMs: 1 });
      clock.advance(1);
      expect(await take()).toEqual({ allowed: true, hits: 1, retryAfterMs: 1000 });
    });
    it('does not see the same free place twice, however many ask at once', async () => {
      const taken = await Promise.all(Array.from({ length: 8 }, () => take()));
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(2);
    });
    it('is nobody else’s', async () => {
      for (let times = 0; times < 3; times += 1) await take();
      expect(await take({ ...counter, scope: 'another' })).toMatchObject({ hits: 1 });
      expect(await take({ ...counter, subject: `${counter.subject}.` })).toMatchObject({ hits: 1 });
    });
    it('is told until its window ends, and by nobody used as nothing', async () => {
      expect(await hitsOf(db, counter, clock.now())).toBe(0);
      await take();
      await take();
      clock.advance(999);
      expect(await hitsOf(db, counter, clock.now())).toBe(2);
      expect(await hitsOf(db, { ...counter, scope: 'another one' }, clock.now())).toBe(0);
      clock.advance(1);
      expect(await hitsOf(db, counter, clock.now())).toBe(0);
    });
    it('gets one back, never more than were taken, and of no other', async () => {
      await take();
      await take();
      await take({ ...counter, scope: 'beside' });
      await giveBack(db, counter);
      expect(await hitsOf(db, counter, clock.now())).toBe(1);
      expect(await hitsOf(db, { ...counter, scope: 'beside' }, clock.now())).toBe(1);
      await giveBack(db, counter);
      await giveBack(db, counter);
      expect(await hitsOf(db, counter, clock.now())).toBe(0);
      expect(await take()).toMatchObject({ hits: 1 });
    });
  });

  describe('of failures', () => {
    const slowdown = { from: 3, firstDelayMs: 1000, delayMsMax: 5000, windowMs: 60_000 };
    const wait = (of = counter) => waitBeforeTry(db, of, slowdown, clock.now());
    const failUntilSlow = async () => {
      for (let times = 0; times < 3; times += 1) expect(await wait()).toBe(0);
    };

    it('lets the first pass, then makes each wait twice as long as the one before, up to an end', async () => {
      expect(await waitOf(db, counter, clock.now())).toBe(0);
      await failUntilSlow();
      for (const delayMs of [1000, 2000, 4000, 5000, 5000]) {
        expect(await waitOf(db, counter, clock.now())).toBe(delayMs);
        expect(await wait()).toBe(delayMs);
        clock.advance(delayMs - 1);
        expect(await wait()).toBe(1);
        clock.advance(1);
        expect(await wait()).toBe(0);
      }
    });
    it('does not count those that were not looked at', async () => {
      await failUntilSlow();
      for (let times = 0; times < 5; times += 1) expect(await wait()).toBe(1000);
      expect(await hitsOf(db, counter, clock.now())).toBe(3);
    });
    it('begins anew with the next window', async () => {
      await failUntilSlow();
      clock.advance(slowdown.windowMs);
      await failUntilSlow();
      expect(await wait()).toBe(1000);
    });
    it('is still told in its last moment', async () => {
      await wait();
      await wait();
      clock.advance(slowdown.windowMs - 1);
      expect(await wait()).toBe(0);
      expect(await wait()).toBe(1000);
    });
    it('makes nobody wait whose try was a right one, and nobody else', async () => {
      await failUntilSlow();
      expect(await wait({ ...counter, scope: 'elsewhere' })).toBe(0);
      await giveBack(db, counter);
      expect(await waitOf(db, counter, clock.now())).toBe(0);
      expect(await wait()).toBe(0);
    });
  });

  it('can be forgotten, and only that one', async () => {
    const quota = { limit: 9, windowMs: 1000 };
    const beside = { ...counter, scope: 'next to it' };
    for (const each of [counter, beside, other]) await takeFromQuota(db, each, quota, clock.now());
    await forget(db, counter);
    const left = await Promise.all([counter, beside, other].map((each) => hitsOf(db, each, clock.now())));
    expect(left).toEqual([0, 1, 1]);
  });

  it('is found by how its subject begins, in its own scope', async () => {
    const quota = { limit: 9, windowMs: 1000 };
    for (const subject of ['a@b.c 1', 'a@b.c 2', 'a@b.cd 1', 'x a@b.c 1'])
      await takeFromQuota(db, { scope: 'pairs', subject }, quota, clock.now());
    await takeFromQuota(db, { scope: 'others', subject: 'a@b.c 3' }, quota, clock.now());
    expect((await subjectsStartingWith(db, 'pairs', 'a@b.c ')).sort()).toEqual(['a@b.c 1', 'a@b.c 2']);
  });

  it('whose window and wait have both passed is kept no longer', async () => {
    const quota = { limit: 9, windowMs: 1000 };
    const scope = 'kept';
    const slow = { from: 1, firstDelayMs: 5000, delayMsMax: 5000, windowMs: 1000 };
    const kept = async () => (await subjectsStartingWith(db, scope, '')).sort();
    await takeFromQuota(db, { scope, subject: 'quota' }, quota, clock.now());
    for (let times = 0; times < 2; times += 1)
      await waitBeforeTry(db, { scope, subject: 'failures' }, slow, clock.now());
    clock.advance(1000);
    await forgetPassed(db, clock.now());
    expect(await kept()).toEqual(['failures', 'quota']);
    clock.advance(1);
    await forgetPassed(db, clock.now());
    expect(await kept()).toEqual(['failures']);
    clock.advance(4000);
    await forgetPassed(db, clock.now());
    expect(await kept()).toEqual([]);
  });
});
