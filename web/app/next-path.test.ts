import { expect, test } from 'vitest';
import { loginPathFrom, safeNextPath } from './next-path.ts';

test('a screen of the investor area is kept with its query', () => {
  expect(safeNextPath('/transaction?page=2#top')).toBe('/transaction?page=2#top');
});

test('the address made for an expired session leads back to the same place', () => {
  const login = new URL(loginPathFrom('/investment?status=1&search=TS'), 'http://localhost');
  expect(login.pathname).toBe('/login');
  expect(safeNextPath(login.searchParams.get('next'))).toBe('/investment?status=1&search=TS');
});

test.each([
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
])('%j leads to the dashboard instead', (next) => {
  expect(safeNextPath(next)).toBe('/dashboard');
});
