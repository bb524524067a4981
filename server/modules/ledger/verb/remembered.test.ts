import { expect, it } from 'vitest';
import type { Account } from '../rules.ts';
import { createRemembered } from './remembered.ts';

const account = (entryCount: bigint, balanceCents = 0n): Account => ({
  id: 'w',
  kind: 'wallet',
  ownerId: 'ann',
  balanceCents,
  entryCount,
  head: String(entryCount),
  lastEntryAt: null,
});
const ann = account(0n);
const balanceIn = (remembered: ReturnType<typeof createRemembered>) =>
  remembered.recall([ann])?.accounts[0]?.balanceCents;

it('what was read is known, once', () => {
  const remembered = createRemembered();
  expect(remembered.recall([ann])).toBeNull();
  expect(remembered.unknown([ann, ann])).toEqual([ann]);
  remembered.learn([account(1n, 5n)]);
  expect(remembered.unknown([ann])).toEqual([]);
  expect(balanceIn(remembered)).toBe(5n);
});

it('what was read before more was written is no news, what another has written is', () => {
  const remembered = createRemembered();
  remembered.learn([account(3n, 30n)]);
  remembered.learn([account(2n, 20n)]);
  expect(balanceIn(remembered)).toBe(30n);
  // Not by an entry: somebody has changed it beside the journal, and the next check is to find that.
  remembered.learn([account(3n, 37n)]);
  expect(balanceIn(remembered)).toBe(37n);
  remembered.learn([account(4n, 40n)]);
  expect(balanceIn(remembered)).toBe(40n);
});

it('of each kind those that were known first are forgotten first', () => {
  const remembered = createRemembered();
  const kept = 16_384;
  const owners = Array.from({ length: kept + 1 }, (_, n) => ({ ...account(1n), ownerId: `${n}` }));
  const one = { ...account(1n), kind: 'invested', ownerId: '0' } as const;
  remembered.learn([one, ...owners]);
  expect(remembered.unknown([one, ...owners])).toEqual(owners.slice(0, 1));
});

it('in doubt all may be another but what is being written here', async () => {
  const remembered = createRemembered();
  remembered.learn([account(1n, 10n)]);
  remembered.doubt('house');
  expect(remembered.doubtful([ann])).toEqual([]);
  expect(remembered.isInDoubt('house')).toBe(true);
  remembered.doubt('remembered');
  expect(remembered.doubtful([ann, ann])).toEqual([account(1n, 10n)]);
  expect(remembered.unknown([ann])).toEqual([]);
  const written = Promise.withResolvers<void>();
  const writing = remembered.writing(async (leave) => {
    leave([account(2n, 20n)]);
    await written.promise;
  });
  expect(remembered.doubtful([ann])).toEqual([]);
  // From before its end.
  remembered.learn([account(1n, 10n)]);
  expect(balanceIn(remembered)).toBe(20n);
  written.resolve();
  await writing;
  expect(remembered.doubtful([ann])).toEqual([account(2n, 20n)]);
});
