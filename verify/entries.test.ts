import { describe, expect, it } from 'vitest';
import { nothingTold, parseEntry, tellNext } from './entries.ts';
import { booksText } from './testing/sample-proof.ts';

const time = 'time 2026-11-15T09:00:00Z';
const uuid = '1c6f2b0e-6a5d-4c64-9d0b-0a5f7d1c2e11';
const entry = (...lines: string[]) => [...lines, ''].join('\n');
const plan = (version: number, changes: Record<string, string> = {}) => {
  const { name = 'Starter', points = '80', state = 'on' } = changes;
  return entry(
    'plan/v1',
    time,
    `plan ${uuid}`,
    `version ${version}`,
    `name ${name}`,
    'from 10000',
    'to 199900',
    'days 30',
    `points ${points}`,
    `state ${state}`,
  );
};
const leaving = 'leave 15\nkeeps 5000\nfee 50\n';
const plan2 = (version: number, more = `reinvest yes\n${leaving}`) =>
  plan(version).replace('plan/v1', 'plan/v2').replace('state on', `${more}state on`);
const right = {
  plan: plan(1),
  'plan to leave': plan2(1),
  'plan to invest in again': plan2(1, 'reinvest yes\n'),
  'way in': entry(
    'method/v1',
    time,
    `method ${uuid}`,
    'side in',
    'name Bank transfer',
    'network bitcoin',
    'source derived',
    'address -',
    'state on',
  ),
  'way out': entry(
    'method/v1',
    time,
    `method ${uuid}`,
    'side out',
    'name Bitcoin',
    'network bitcoin',
    'state off',
  ),
  key: entry(
    'key/v1',
    time,
    `method ${uuid}`,
    'network bitcoin',
    `sha256 ${'a'.repeat(64)}`,
    "path m/84'/1'/0'",
    'state on',
  ),
  correction: entry('correction/v1', time, 'transactionid TS-7K2M-9QXD', 'amount -2500'),
  freeze: entry('freeze/v1', time, 'scope investor', 'state off'),
  audit: entry('audit/v1', time, 'entries 12', `head ${'b'.repeat(64)}`),
  books: booksText,
};

describe('an entry of the log', () => {
  it.each(Object.entries(right))('is read: %s', (_name, text) => {
    expect(parseEntry(text)).toMatchObject({ kind: text.split('\n')[0] });
  });

  it.each([
    [plan(1), 'version 1', 'version 0'],
    [plan(1), 'version 1', 'version 01'],
    [plan(1), 'name Starter', 'name Starter '],
    [plan(1), 'points 80', 'points 0.8'],
    [plan(1), 'from 10000\nto 199900', 'to 199900\nfrom 10000'],
    [plan(1), 'state on\n', 'state on\nmore 1\n'],
    [plan(1), 'state on\n', 'state on'],
    [plan(1), 'state on\n', 'state on\n\n'],
    [plan(1), uuid, uuid.toUpperCase()],
    [plan(1), 'plan/v1', 'plan/v2'],
    [plan(1), 'plan/v1', 'toString'],
    [plan2(1), 'plan/v2', 'plan/v1'],
    [plan2(1), 'fee 50\n', ''],
    [plan2(1), 'leave 15', 'leave 0'],
    [plan2(1), 'keeps 5000', 'keeps 10001'],
    [plan2(1), 'reinvest yes', 'reinvest on'],
    [right['way out'], 'state off', 'source fixed\naddress x\nstate off'],
    [right['way in'], 'source derived\n', ''],
    [right.key, "m/84'", 'm/84h'],
    [right.correction, '-2500', '-0'],
    [right.correction, '-2500', '+2500'],
    [right.freeze, 'investor', 'ada@example.org'],
    [right.freeze, '09:00:00Z', '09:00Z'],
    [right.audit, 'entries 12', 'entries -1'],
    [right.books, 'depth 2', 'depth two'],
  ])('has one spelling: %j with %j as %j is none', (text, part, other) => {
    expect(text).toContain(part);
    expect(parseEntry(text.replace(part, other))).toEqual({ wrong: expect.any(String) });
  });
});

function told(...texts: string[]) {
  const state = nothingTold();
  return texts.map((text) => {
    const read = parseEntry(text);
    if ('wrong' in read) throw new Error(read.wrong);
    return tellNext(state, read)?.wrong ?? null;
  });
}
const books = (number: number, day: string) =>
  booksText.replace('number 3', `number ${number}`).replace('2026-03-16T', `2026-03-${day}T`);

describe('the order of entries', () => {
  it('counts statements one by one, each later than the one before', () => {
    expect(told(books(1, '16'), books(2, '17'))).toEqual([null, null]);
    expect(told(books(2, '16'))).toEqual(['It is statement 2 of the books, and 1 comes next.']);
    expect(told(books(1, '16'), books(3, '17'))[1]).toContain('and 2 comes next');
    expect(told(books(1, '16'), books(2, '16'))[1]).toContain('not later than the one before');
  });

  it('has every version of a plan, and lets none say two things', () => {
    expect(
      told(
        plan(1),
        plan(1, { state: 'off' }),
        plan(2, { points: '90' }),
        plan(2, { points: '90', state: 'off' }),
      ),
    ).toEqual([null, null, null, null]);
    expect(told(plan(1), plan(3))).toEqual([null, 'It is version 3 of the plan Starter, and 2 comes next.']);
    expect(told(plan(1), plan(1, { points: '70' }))[1]).toContain('says something else than before');
    expect(told(plan(1), plan(2), plan(1))[2]).toContain('and 3 comes next');
  });

  it('lets no version be told with other terms of leaving', () => {
    expect(told(plan(1), plan2(2), plan2(2).replace('state on', 'state off'))).toEqual([null, null, null]);
    expect(told(plan2(1), plan2(1).replace('fee 50', 'fee 51'))[1]).toContain('says something else');
    expect(told(plan2(1), plan(1))[1]).toContain('says something else');
    expect(told(plan(1), plan2(1, 'reinvest no\n'))).toEqual([null, null]);
  });

  it('never has a shorter audit log', () => {
    expect(told(right.audit, right.audit.replace('12', '11'))[1]).toContain('had 12 before');
  });
});
