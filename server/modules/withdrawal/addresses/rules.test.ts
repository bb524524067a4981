import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../testing/clock.ts';
import {
  isProtected,
  isSameDestination,
  underWayWords,
  unsavedRefusal,
  usableFrom,
  waitMs,
  waitOver,
} from './rules.ts';

const now = new Date('2026-11-15T09:00:00Z');
const at = (ms: number) => new Date(now.getTime() + ms);
const on = { since: at(-dayMs), offFrom: null };
const to = { network: 'ethereum', address: '0xAbC', tag: null };

it('new addresses wait, and protection takes to end, for 24 hours', () => {
  expect(waitMs).toBe(24 * hourMs);
  expect(waitOver(now)).toEqual(at(24 * hourMs));
});

it('protection counts until the instant of its end', () => {
  const ending = (ms: number) => isProtected({ ...on, offFrom: at(ms) }, now);
  expect([isProtected(null, now), isProtected(on, now), ending(1), ending(0), ending(-1)]).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});

it('an address is the same in other letters, and another’s with another tag or on another network', () => {
  const same = (change: object) => isSameDestination(to, { ...to, ...change });
  expect(same({ address: '0xaBc' })).toBe(true);
  const others = [{ address: '0xabd' }, { tag: 7n }, { tag: 0n }, { network: 'bnb' }];
  expect(others.map(same)).toEqual([false, false, false, false]);
});

describe('where money may go', () => {
  const saved = (ms: number) => [{ ...to, usableFrom: at(ms) }];
  const codeOf = (...asked: Parameters<typeof unsavedRefusal>) => unsavedRefusal(...asked)?.refused.code;

  it('is anywhere without protection, or when that has ended', () => {
    expect(unsavedRefusal(to, undefined, now)).toBeNull();
    expect(unsavedRefusal(to, { protection: { ...on, offFrom: now }, saved: [] }, now)).toBeNull();
  });

  it('is a saved address from its instant on, and nowhere else, with it', () => {
    expect(codeOf(to, { protection: on, saved: [] }, now)).toBe('address_not_saved');
    expect(codeOf({ ...to, tag: 1n }, { protection: on, saved: saved(0) }, now)).toBe('address_not_saved');
    expect(codeOf(to, { protection: on, saved: saved(1) }, now)).toBe('address_waits');
    expect(unsavedRefusal(to, { protection: on, saved: saved(0) }, now)).toBeNull();
    expect(unsavedRefusal(to, { protection: on, saved: saved(-1) }, now)).toBeNull();
  });

  it('is that very address where capitals are digits like the others', () => {
    const codes = [
      '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
      '1Boatbc1HtKNngkdXEeobR76b53LETtpyT',
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    ].map((address) => {
      const one = { network: 'bitcoin', address, tag: null };
      const book = { protection: on, saved: [{ ...one, usableFrom: now }] };
      return [address, address.toUpperCase()].map((typed) => codeOf({ ...one, address: typed }, book, now));
    });
    expect(codes).toEqual([
      [undefined, 'address_not_saved'],
      [undefined, 'address_not_saved'],
      [undefined, undefined],
    ]);
  });

  it('is told in words', () => {
    const texts = [[], saved(dayMs)].map((book) => unsavedRefusal(to, { protection: on, saved: book }, now));
    expect(texts.map((text) => text?.refused.message)).toEqual([
      'Your addresses are protected: withdrawals go only to those that you have saved. Save this one first, under Addresses.',
      'This address is new: it waits until 16 Nov 2026, 09:00 UTC.',
    ]);
  });
});

describe('a new address', () => {
  const from = (protection: typeof on | null, factorSince: Date | null) =>
    usableFrom({ protection, factorSince }, now).getTime() - now.getTime();

  it('can be used at once without protection, or when that has ended', () => {
    expect(from(null, null)).toBe(0);
    expect(usableFrom({ protection: { ...on, offFrom: now }, factorSince: null }, now)).toEqual(now);
  });

  it('waits a day where no second factor is on', () => {
    expect(from(on, null)).toBe(24 * hourMs);
  });

  it('can be used at once with a factor that was on when protection began', () => {
    const since = { since: at(-hourMs), offFrom: null };
    expect([from(since, at(-hourMs)), from(since, at(-2 * hourMs))]).toEqual([0, 0]);
  });

  it('waits for a factor that was added since, until that is a day old: a mailbox is enough to add the first', () => {
    const since = { since: at(-9 * dayMs), offFrom: null };
    const waits = [-1, -24 * hourMs + 1, -24 * hourMs, -2 * dayMs].map((ms) => from(since, at(ms)));
    expect(waits).toEqual([24 * hourMs, 24 * hourMs, 0, 0]);
  });
});

it.each([
  [0, null],
  [
    1,
    'A withdrawal of $30.00 that was asked for before is still under way there. Log in and cancel it, or write to support at once.',
  ],
  [
    2,
    '2 withdrawals of $30.00 together that were asked for before are still under way there. Log in and cancel them, or write to support at once.',
  ],
])('who stops an address with %d withdrawals on their way there is told so', (count, words) => {
  expect(underWayWords({ count, cents: 30_00n })).toBe(words);
});
