import type { Statement } from '@tallystick/contract/proof';
import { describe, expect, it } from 'vitest';
import { linesOf } from './chart.ts';
import { planTexts, signaturesIn } from './live-entries.ts';
import { lineOf, partsOf, readLogText } from './log-text.ts';
import { coverageText, factsOf, holdingsOf, placesOf, weeksOf } from './statement.ts';

const text = `books/v1
number 12
time 2026-11-16T00:04:00Z
unit USD-cents
depth 12
root ${'ab'.repeat(32)}
owed 41238026 70245000 1812528 1375000
due 2026-11-16 4850000 38800
due later 47653000 1412210
held bitcoin 1094652341 74890210 68412.50 2026-11-16T00:03:10Z 921345 2026-11-16T00:03:30Z
held xrp 5 - - - 7 2026-11-16T00:03:30Z
cold bitcoin 900000000 bc1qcold
derived bitcoin 1204 194652341 ${'cd'.repeat(32)}
typed 7571250 2026-11-15T08:00:00Z Ripple by hand
coverage unknown
`;
const books = readLogText(text);
const name = (id: string) => id.toUpperCase();

describe('a statement of the books, for everybody', () => {
  it('is read line by line, and a name may have spaces', () => {
    expect(books.kind).toBe('books/v1');
    expect(lineOf(books, 'depth')).toBe('12');
    expect(partsOf(books, 'typed', 3)).toEqual([['7571250', '2026-11-15T08:00:00Z', 'Ripple by hand']]);
    expect(() => lineOf(books, 'colour')).toThrow('books/v1 has no line colour');
  });

  it('says what falls due, and what is held by whose word', () => {
    expect(weeksOf(books)).toEqual([
      { name: '16 Nov 2026', principalCents: 4_850_000n, profitCents: 38_800n },
      { name: 'Later', principalCents: 47_653_000n, profitCents: 1_412_210n },
    ]);
    expect(holdingsOf(books, name).map(({ name, cents }) => [name, cents])).toEqual([
      ['BITCOIN', 74_890_210n],
      ['XRP', null],
      ['Ripple by hand', 7_571_250n],
    ]);
    expect(placesOf(books, name)).toEqual([
      'BITCOIN, cold: bc1qcold',
      `BITCOIN, 1,204 addresses of single investors, as one root: ${'cd'.repeat(32)}`,
    ]);
  });

  it('calls unknown what is not known, and never nought', () => {
    expect(factsOf(books, undefined)).toMatchObject({ heldCents: null, coverage: null });
    expect(coverageText('9')).toBe('0.09%');
    expect(coverageText('10341')).toBe('103.41%');
    expect(coverageText('123456789')).toBe('1,234,567.89%');
  });
});

describe('the chart', () => {
  const at = (day: number, held: string | null): Statement => ({
    number: day,
    time: `2026-11-0${day}T00:00:00Z`,
    place: day,
    owed: ['50', '25', '0', '25'],
    held,
    typed: null,
  });

  it('goes in steps, and what is not known is a gap', () => {
    const lines = linesOf([at(5, '100'), at(4, '50'), at(3, null), at(2, '50'), at(1, '100')]);
    expect(lines?.owed).toBe('M0.0 4.0H250.0V4.0H500.0V4.0H750.0V4.0H1000.0V4.0');
    expect(lines?.held).toBe('M0.0 4.0H250.0V81.0H500.0M750.0 81.0H1000.0V4.0');
  });

  it('begins with the second statement', () => {
    expect(linesOf([at(1, '1')])).toBeNull();
    expect(linesOf([])).toBeNull();
  });
});

it('a change of a plan is told with its terms', () => {
  const text =
    'plan/v1\ntime 2026-03-01T09:00:00Z\nplan 1\nversion 2\nname Long and slow\nfrom 10000\nto 199950\ndays 1\npoints 80\nstate off\n';
  expect(planTexts({ place: 4, text })).toEqual({
    name: 'Long and slow',
    version: 'Version 2',
    state: 'Closed',
    terms: '$100 to $1,999.50, 1 day, ROI 0.8%',
    again: null,
    when: '1 Mar 2026, 09:00 UTC, entry 5',
  });
  const leaving = text
    .replace('plan/v1', 'plan/v2')
    .replace('state', 'reinvest yes\nleave 15\nkeeps 5000\nfee 50\nstate');
  expect(planTexts({ place: 4, text: leaving })).toMatchObject({
    terms: '$100 to $1,999.50, 1 day, ROI 0.8%, left from day 15 with 50% of it, fee 0.5%',
    again: '',
  });
});

const signedEntry = (place: number, origin: string, address: string, ...more: string[]) => ({
  place,
  text: [
    'address/v1',
    'time 2026-11-15T09:00:00Z',
    `origin ${origin}`,
    'network ethereum',
    `address ${address}`,
    `message tallystick address/v1: ethereum ${address} belongs to ${origin}`,
    'scheme eip191',
    'signature 0xab',
    ...more,
    '',
  ].join('\n'),
});
const signatureOf = signaturesIn(
  [
    signedEntry(6, 'here.example/log', '0xAbC', 'publickey ED12'),
    signedEntry(5, 'before.example/log', '0xDeF'),
  ],
  'here.example/log',
);

it('an address is shown with what it has signed, however it is spelled', () => {
  expect(signatureOf('ethereum', '0xabc')).toMatchObject({
    address: '0xAbC',
    unsigned: null,
    signed: '15 Nov 2026, 09:00 UTC, entry 7',
    message: 'tallystick address/v1: ethereum 0xAbC belongs to here.example/log',
    signature: '0xab',
    publickey: 'ED12',
    bip137: null,
    bip322: null,
    eip191: '',
    xrp: null,
  });
});

it('what was signed for another network, or under another name of the log, does not count', () => {
  for (const [network, address] of [
    ['bnb', '0xabc'],
    ['ethereum', '0xdef'],
  ] as const) {
    expect(signatureOf(network, address)).toBeUndefined();
  }
});
