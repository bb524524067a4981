import { withdrawalStatuses } from '@tallystick/contract/withdrawal';
import { describe, expect, it } from 'vitest';
import { addressKey, amountRefusal, isSameAddress, newAddressRefusal, statusAfter } from './rules.ts';

it('ten dollars can be withdrawn, and a cent less cannot', () => {
  expect([1_000n, 1_001n].map(amountRefusal)).toEqual([null, null]);
  expect(amountRefusal(999n)).toBe('The smallest withdrawal is $10.00.');
});

it('each step leads from where it is possible to one status, and from nowhere else', () => {
  const steps = ['approve', 'pay', 'reject', 'cancel'] as const;
  const table = steps.map((step) =>
    withdrawalStatuses.flatMap((status) => {
      const next = statusAfter(step, status);
      return next === null ? [] : [`${step} ${status}: ${next}`];
    }),
  );
  expect(table).toEqual([
    ['approve requested: approved'],
    ['pay approved: paid'],
    ['reject requested: rejected', 'reject approved: rejected'],
    ['cancel requested: cancelled'],
  ]);
});

it('an address is the same whatever its letters’ case', () => {
  expect(addressKey('0xAbC')).toBe('0xabc');
  expect([isSameAddress('0xAbC', '0xaBc'), isSameAddress('0xabc', '0xabd')]).toEqual([true, false]);
});

describe('after a password was reset', () => {
  const wait = { until: new Date('2026-11-06T04:51:30Z'), paidBefore: [{ address: 'rOld', tag: 7n }] };

  it('a new address waits, and it is said until when', () => {
    const words =
      'New addresses wait until 6 Nov 2026, 04:51 UTC, because your password was reset or your second factors were removed. An address that you were paid to before works at once.';
    expect(newAddressRefusal({ address: 'rNew', tag: 7n }, wait)).toBe(words);
    // With another tag it is somebody else's.
    expect(newAddressRefusal({ address: 'rOld', tag: 8n }, wait)).toBe(words);
    expect(newAddressRefusal({ address: 'rOld', tag: null }, wait)).toBe(words);
    const later = { ...wait, until: new Date('2026-11-10T04:51:30Z') };
    expect(newAddressRefusal({ address: 'rNew', tag: null }, later)).toContain(
      'until 10 Nov 2026, 04:51 UTC,',
    );
  });
  it('one that was paid to before works at once, in any spelling', () => {
    const paidBefore = [{ address: 'other', tag: null }, ...wait.paidBefore];
    expect(newAddressRefusal({ address: 'ROLD', tag: 7n }, { ...wait, paidBefore })).toBeNull();
  });
  it('nobody else waits', () => {
    expect(newAddressRefusal({ address: 'rNew', tag: null }, undefined)).toBeNull();
  });
});
