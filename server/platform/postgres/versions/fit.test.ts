import { expect, it } from 'vitest';
import { type Applied, fitLine, fitOf, fitsFromOf } from './fit.ts';

const known = ['0001-a.sql', '0002-b.sql', '0003-c.sql'];
const had = (...more: Applied[]): Applied[] => [...known.map((name) => ({ name, fitsFrom: null })), ...more];
const well = { newer: [], misfits: [], gap: null };

it.each<[string, string, number | null]>([
  ['says it in its first line', '-- fits servers from 0023 on\n-- Words.\ncreate table a ();', 23],
  ['says it in the second', '-- Words.\n-- fits servers from 0023 on\n', null],
  ['says it in other words', '-- Fits servers from 0023 on\n', null],
  ['has a short number', '-- fits servers from 23 on\n', null],
  ['says more', '-- fits servers from 0023 on, nearly\n', null],
  ['says nothing', 'select 1;', null],
  ['is empty', '', null],
])('a migration that %s', (_case, sql, from) => {
  expect(fitsFromOf(sql)).toBe(from);
});

it('what is written is what is read', () => {
  expect(fitsFromOf(`${fitLine(7)}\n`)).toBe(7);
});

it('a server fits a database that has had what it knows, or less', () => {
  expect(fitOf(known, had())).toEqual(well);
  expect(fitOf(known, had().slice(0, 1))).toEqual(well);
  expect(fitOf(known, [])).toEqual(well);
});

it('a newer migration fits servers from the one that it names on', () => {
  const newer = (fitsFrom: number | null) => fitOf(known, had({ name: '0004-d.sql', fitsFrom }));
  expect(newer(3)).toEqual({ ...well, newer: ['0004-d.sql'] });
  expect(newer(2)).toEqual({ ...well, newer: ['0004-d.sql'] });
  expect(newer(4)).toEqual({ ...well, misfits: ['0004-d.sql'] });
  expect(newer(null)).toEqual({ ...well, misfits: ['0004-d.sql'] });
});

it('all of several have to fit', () => {
  const fourth = { name: '0004-d.sql', fitsFrom: 3 };
  expect(fitOf(known, had(fourth, { name: '0005-e.sql', fitsFrom: 4 }))).toEqual({
    ...well,
    newer: ['0004-d.sql'],
    misfits: ['0005-e.sql'],
  });
  expect(fitOf(known, had(fourth, { name: '0005-e.sql', fitsFrom: 3 })).misfits).toEqual([]);
});

it('one of the same number and another name never fits', () => {
  const other = had().with(2, { name: '0003-z.sql', fitsFrom: 1 });
  expect(fitOf(known, other)).toEqual({ ...well, misfits: ['0003-z.sql'] });
});

it('a number that is missing or there twice is told, of the database and of the server', () => {
  expect(fitOf(known, had({ name: '0005-e.sql', fitsFrom: 3 })).gap).toBe(
    'the database has 0005-e.sql and no 0004',
  );
  expect(fitOf(known, had().slice(1)).gap).toBe('the database has 0002-b.sql and no 0001');
  expect(fitOf([...known, '0005-e.sql'], had()).gap).toBe('this version has 0005-e.sql and no 0004');
  expect(fitOf([...known, '0003-d.sql'], had()).gap).toBe('this version has 0003-c.sql and 0003-d.sql');
});
