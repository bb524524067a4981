import { describe, expect, it } from 'vitest';
import { loginPathFrom, safeNextPath } from './next-path.ts';

const nextOf = (loginPath: string) => new URL(loginPath, 'https://a.example').searchParams.get('next');

describe('where an investor’s sign-in leads', () => {
  it('is a screen of the investor area, with its query', () => {
    expect(safeNextPath('/transaction?page=2#top', 'investor')).toBe('/transaction?page=2#top');
  });

  it('comes back to the same place after an expired session', () => {
    const login = loginPathFrom('/investment?status=1&search=TS');
    expect(login).toMatch(/^\/login\?/);
    expect(safeNextPath(nextOf(login), 'investor')).toBe('/investment?status=1&search=TS');
  });

  it.each([
    null,
    '',
    '/',
    'dashboard',
    '//evil.example',
    '//evil.example/dashboard',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example/dashboard',
    'javascript:alert(1)',
    '/login',
    '/dashboard/../login',
    '/unknown',
    '/operator/books',
  ])('is the dashboard for %j', (next) => {
    expect(safeNextPath(next, 'investor')).toBe('/dashboard');
  });
});

describe('where an operator’s sign-in leads', () => {
  it.each([
    '/operator/books',
    '/operator/investors?search=rossi&page=2',
    '/operator/investors/6f2c0f9a-6a53-4d3b-9a3e-7d1f6f0f9f11',
  ])('is %s, a screen of the console', (next) => {
    expect(safeNextPath(next, 'operator')).toBe(next);
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
    expect(safeNextPath(next, 'operator')).toBe('/operator');
  });

  it('comes back to where the operator was', () => {
    const where = '/operator/audit?action=withdrawal';
    const login = loginPathFrom(where);
    expect(login).toMatch(/^\/operator\/login\?/);
    expect(safeNextPath(nextOf(login), 'operator')).toBe(where);
  });

  it('needs no word for the queue, where it leads anyway', () => {
    expect(loginPathFrom('/operator')).toBe('/operator/login');
  });
});
