import { nextmaturity } from '@tallystick/contract/investment';
import { summary } from '@tallystick/contract/ledger';
import { fetchwithdrawals, makenewwithdrawal } from '@tallystick/contract/withdrawal';
import { beforeEach, expect, it } from 'vitest';
import { beginSession, endSession, readStored, writeStored } from '../../storage.ts';
import { createKeeper, forgetOthers, readFigures } from './kept-figures.ts';

const at = Date.parse('2026-11-16T09:12:00Z');
const minute = 60_000;
const signIn = (_id: string) => beginSession({ _id, token: 't', fullname: 'Wren', email: 'w@example.com' });
const summaryKey = [summary.path, {}];

beforeEach(() => {
  endSession('signed out');
  signIn('wren');
});

it('keeps what the dashboard shows, with its time, for one person and one day', () => {
  createKeeper('wren').keep(summaryKey, { available: '120.00' }, at);
  const figure = { key: summaryKey, data: { available: '120.00' }, at };
  expect(readFigures('wren', at + 23 * 60 * minute)).toEqual([figure]);
  expect(readFigures('wren', at + 24 * 60 * minute)).toEqual([]);
  expect(readStored('figures')).toBeNull();
});

it('is not younger because a clock was put back', () => {
  createKeeper('wren').keep(summaryKey, {}, at);
  expect(readFigures('wren', at - 2 * minute)).toEqual([]);
});

it('keeps nothing else: no list that names addresses, no answer of a command', () => {
  const { keep } = createKeeper('wren');
  keep([fetchwithdrawals.path, { query: { page: '1', status: 'open' } }], {}, at);
  keep([makenewwithdrawal.path, {}], {}, at);
  keep([summary.path, { query: { of: 'somebody' } }], {}, at);
  expect(readStored('figures')).toBeNull();
});

it.each([
  ['sign-out', () => endSession('signed out')],
  ['the end of the session', () => endSession('expired')],
  ['the next sign-in', () => signIn('ash')],
])('is gone after %s, also with an answer that comes later', (_, happen) => {
  const { keep, settle } = createKeeper('wren');
  keep(summaryKey, {}, at);
  happen();
  expect(readStored('figures')).toBeNull();
  keep([nextmaturity.path, {}], {}, at + 5 * minute);
  settle(at + 5 * minute);
  expect(readStored('figures')).toBeNull();
});

it('is never shown to another person, and is gone once one has asked', () => {
  createKeeper('wren').keep(summaryKey, {}, at);
  expect(readFigures('ash', at)).toEqual([]);
  expect(readStored('figures')).toBeNull();
});

it('does not outlive a sign-out in another tab that it was written after', () => {
  createKeeper('wren').keep(summaryKey, {}, at);
  forgetOthers('wren');
  expect(readStored('figures')).not.toBeNull();
  forgetOthers('');
  expect(readStored('figures')).toBeNull();
});

it('is nothing where something else stands in its place', () => {
  for (const stored of ['', 'null', '[]', '{}', '{"userId":"wren","figures":[null]}', '{']) {
    writeStored('figures', stored);
    expect(readFigures('wren', at), stored).toEqual([]);
  }
});

it('is not written with every answer that brings nothing new, but with the newest time when the screen is left', () => {
  const { keep, settle } = createKeeper('wren');
  const data = { available: '120.00' };
  keep(summaryKey, data, at);
  keep(summaryKey, data, at + 5_000);
  expect(readFigures('wren', at)[0]?.at).toBe(at);
  settle(at + 6_000);
  expect(readFigures('wren', at)[0]?.at).toBe(at + 5_000);
  keep(summaryKey, data, at + 2 * minute);
  expect(readFigures('wren', at + 3 * minute)[0]?.at).toBe(at + 2 * minute);
});
