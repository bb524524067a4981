import { topics } from '@tallystick/contract/notices';
import { expect, it } from 'vitest';
import { byDay, dayTitle, placeOf } from './wording.ts';

const now = new Date('2026-11-17T00:30:00.000Z');

it('days are those of UTC, the last two by name', () => {
  const at = ['2026-11-17T00:10:00.000Z', '2026-11-16T23:59:00.000Z', '2026-11-15T12:00:00.000Z'];
  expect(at.map((iso) => dayTitle(iso, now))).toEqual(['Today', 'Yesterday', '15 Nov 2026']);
  // By a clock that is behind.
  expect(dayTitle('2026-11-18T00:00:00.000Z', now)).toBe('18 Nov 2026');
});

it('notices of a day stand together, in their order', () => {
  const notice = (_id: string, at: string) =>
    ({ _id, at, topic: 'security', title: _id, line: '', transactionid: null, readat: null }) as const;
  const days = byDay(
    [
      notice('a', '2026-11-17T00:10:00.000Z'),
      notice('b', '2026-11-17T00:05:00.000Z'),
      notice('c', '2026-11-16T10:00:00.000Z'),
    ],
    now,
  );
  expect(days.map(({ day, notices }) => [day, notices.map(({ _id }) => _id)])).toEqual([
    ['Today', ['a', 'b']],
    ['Yesterday', ['c']],
  ]);
});

it('each leads to where it belongs', () => {
  const places = topics.map((topic) => placeOf({ topic, transactionid: 'TS-7K4M' }));
  const found = '/investment?search=TS-7K4M';
  expect(places).toEqual(['/transaction', found, found, '/transaction', '/addresses', '/security']);
});
