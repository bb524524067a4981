import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { begunAs, fitFaults, landed, migrationFaults, nextName } from './names.ts';

const folder = path.resolve(import.meta.dirname, '..', '..', 'server', 'migrations');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

it('a migration that has landed never changes', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const files = new Map(names.map((name) => [name, read(name)]));
  expect(migrationFaults(read('SHA256SUMS'), files)).toEqual([]);
});

it('a migration says down to which version servers fit it', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  expect(fitFaults(new Map(names.map((name) => [name, read(name)])))).toEqual([]);
});

describe('which servers fit', () => {
  const faults = (...files: [string, string][]) => fitFaults(new Map(files)).join();
  const line = (from: string) => `-- fits servers from ${from} on\nselect 1;`;

  it('is said from 0024 on', () => {
    expect(faults(['0023-a.sql', 'select 1;'])).toBe('');
    expect(faults(['0024-b.sql', 'select 1;'])).toContain('0024-b.sql does not begin');
    expect(faults(['0024-b.sql', line('23')])).toContain('such as: -- fits servers from 0023 on');
    expect(faults(['0024-b.sql', line('0023')])).toBe('');
  });

  it('reaches one version back or more, and no further than it can', () => {
    expect(faults(['0025-c.sql', line('0025')])).toContain('fits no older server');
    expect(faults(['0025-c.sql', line('0026')])).toContain('fits no older server');
    expect(faults(['0024-b.sql', line('0022')])).toContain('do not know that they could');
    const two: [string, string][] = [['0024-b.sql', line('0023')]];
    expect(faults(...two, ['0025-c.sql', line('0023')])).toBe('');
    const three: [string, string][] = [...two, ['0025-c.sql', line('0024')]];
    expect(faults(...three, ['0026-d.sql', line('0023')])).toContain('further back than the one before it');
  });

  it('is the first line of one that is begun', () => {
    const before = '-- fits servers from 0024 on\nselect 1;';
    const begun = begunAs('A word', before);
    expect(begun).toBe('-- fits servers from 0024 on\n-- A word.\n');
    expect(faults(['0027-another.sql', before], ['0028-a-word.sql', begun])).toBe('');
    expect(begunAs('A word.', 'select 1;')).toBe('-- fits servers from 0023 on\n-- A word.\n');
  });
});

describe('the hashes of migrations', () => {
  const files = new Map([['0001-a.sql', 'select 1;']]);
  const text = landed('', files);

  it('tell of one that was changed, is gone or has none', () => {
    expect(migrationFaults(text, files)).toEqual([]);
    expect(migrationFaults(text, new Map([['0001-a.sql', 'select 2;']])).join()).toContain('was changed');
    expect(migrationFaults(text, new Map()).join()).toContain('is gone');
    expect(migrationFaults('', files).join()).toContain('has no hash');
  });

  it('are not noted of one that has only been begun', () => {
    const begun = new Map([['0001-a.sql', '-- Remember a word.\n\n']]);
    expect([landed('', begun), migrationFaults('', begun)]).toEqual(['', ['0001-a.sql holds no SQL']]);
  });

  it('are noted once', () => {
    const more = new Map([
      ['0002-b.sql', 'select 2;'],
      ['0001-a.sql', 'select 3;'],
    ]);
    expect(landed(text, more).startsWith(text)).toBe(true);
    expect(landed(text, more).split('\n')).toHaveLength(3);
  });
});

describe('the next migration', () => {
  it('is numbered after the last and named after the change', () => {
    expect(nextName(['0001-users.sql', '0011-definers.sql'], 'Words of the change')).toBe(
      '0012-words-of-the-change.sql',
    );
    expect(nextName([], "An operator's notes!")).toBe('0001-an-operator-s-notes.sql');
  });

  it.each(['', '--help', '…'])('is not made of %j', (words) => {
    expect(() => nextName([], words)).toThrow('npm run migration');
  });
});
