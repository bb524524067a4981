import { describe, expect, it } from 'vitest';
import { loginPathFrom, safeNextPath } from './next-path.ts';

describe('where an operator’s sign-in leads', () => {
  it.each([
    '/operator/books',
    '/operator/investors?search=rossi&page=2',
    '/operator/investors/6f2c0f9a-6a53-4d3b-9a3e-7d1f6f0f9f11',
  ])('is %s, a screen of the console', (next) => {
    expect(safeNextPath(next)).toBe(next);
  });

  it.each([
    null,
    '',
    '/dashboard',
    '/operator/login',
    '/operator/nothing',
    '//elsewhere.example/operator',
    '/\\elsewhere.example',
    'https://elsewhere.example/operator',
    '/operator/../dashboard',
    '/operator/investors/a/b',
  ])('is the queue for %s', (next) => {
    expect(safeNextPath(next)).toBe('/operator');
  });

  it('comes back to where the operator was', () => {
    const where = '/operator/audit?action=withdrawal';
    expect(safeNextPath(new URL(loginPathFrom(where), 'https://a.example').searchParams.get('next'))).toBe(
      where,
    );
  });
});
