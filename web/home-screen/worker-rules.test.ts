import { describe, expect, it } from 'vitest';
import { kindOf, type Shell } from './worker-rules.ts';

const origin = 'https://tally.example';
const kept: Shell = {
  cache: 'shell-1',
  page: '/dashboard',
  mark: '/assets/manifest-1.js',
  screens: ['/dashboard', '/transaction'],
  files: ['/assets/manifest-1.js', '/assets/root-1.css'],
  passed: [],
};
const ask = (url: string, { method = 'GET', mode = 'cors' } = {}) =>
  kindOf({ method, mode, url: new URL(url, origin).href }, kept, origin);
const open = (url: string, method = 'GET') => ask(url, { method, mode: 'navigate' });

describe('the service worker', () => {
  it('answers for the screens that somebody opens, and for the files of its own build', () => {
    expect(['/dashboard', '/dashboard/', '/transaction?page=2#x'].map((url) => open(url))).toEqual(
      Array(3).fill('screen'),
    );
    expect(ask('/assets/root-1.css')).toBe('file');
  });

  it('touches no call of the API, whatever its method and however it is asked for', () => {
    for (const path of ['/api/withdrawal/makenewwithdrawal', '/api/ledger/summary', '/api/users/signin']) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
        for (const mode of ['cors', 'same-origin', 'no-cors', 'navigate']) {
          expect(ask(path, { method, mode }), `${method} ${path} ${mode}`).toBeNull();
        }
      }
    }
  });

  it('touches nothing but GET, not even at its own addresses', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
      expect(open('/dashboard', method)).toBeNull();
      expect(ask('/assets/root-1.css', { method })).toBeNull();
    }
  });

  it('leaves alone what is not of the shell: public pages, the console, other builds, other hosts', () => {
    for (const path of [
      '/',
      '/login',
      '/blog',
      '/operator',
      '/dashboards',
      '/dashboard/x',
      '/log/checkpoint',
    ]) {
      expect(open(path), path).toBeNull();
    }
    expect(ask('/assets/root-2.css')).toBeNull();
    // The page itself is kept, but only somebody who opens it gets it.
    expect(ask('/dashboard')).toBeNull();
    expect(open('https://elsewhere.example/dashboard')).toBeNull();
    expect(ask('https://elsewhere.example/assets/root-1.css')).toBeNull();
  });
});
