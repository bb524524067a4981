import { hash } from 'node:crypto';
import { dayMs } from '../../platform/clock.ts';
import { type LogLine, logTime } from '../../platform/log/outbox.ts';
import { type Amounts, sumOf } from './rules.ts';

/** The text of a statement of the books, as `docs/trust.md` has it. */

const weekMs = 7 * dayMs;

/** The Monday, in UTC, of the week that an instant lies in. */
export function mondayOf(at: Date): Date {
  const day = Math.floor(at.getTime() / dayMs);
  // The first day of all was a Thursday.
  const sinceMonday = (day + 3) % 7;
  return new Date((day - sinceMonday) * dayMs);
}

export const weeksFrom = (monday: Date, count: number): Date[] =>
  Array.from({ length: count }, (_, n) => new Date(monday.getTime() + n * weekMs));

interface Due {
  monday: Date | null;
  principalCents: bigint;
  profitCents: bigint;
}

interface Held {
  network: string;
  units: bigint;
  cents: bigint | null;
  price: { price: string; priceAt: Date } | null;
  height: number | null;
  readAt: Date | null;
}

export interface BookFacts {
  number: bigint;
  at: Date;
  depth: number;
  root: Buffer;
  owed: Amounts;
  due: Due[];
  held: Held[];
  cold: { network: string; units: bigint | null; address: string }[];
  shared: { network: string; units: bigint; address: string }[];
  derived: { network: string; count: number; units: bigint; root: string }[];
  keys: { network: string; sha256: string }[];
  typed: { cents: bigint; at: Date; name: string }[];
}

/** Nothing is said of what was not looked at yet. */
const wasRead = (held: Held): held is Held & { height: number; readAt: Date } =>
  held.height !== null && held.readAt !== null;

/** What is held together; null as long as nothing is known of it. */
export function heldOf({ held, typed }: Pick<BookFacts, 'held' | 'typed'>) {
  const add = (all: (bigint | null)[]) => {
    const known = all.filter((cents) => cents !== null);
    return known.length > 0 ? known.reduce((sum, cents) => sum + cents, 0n) : null;
  };
  const typedCents = add(typed.map(({ cents }) => cents));
  return { typedCents, heldCents: add([typedCents, ...held.filter(wasRead).map(({ cents }) => cents)]) };
}

/** In hundredths of a percent, rounded down. */
function coverageText(owed: Amounts, heldCents: bigint | null): string {
  const all = sumOf(owed);
  return heldCents === null || all === 0n ? 'unknown' : String((heldCents * 10_000n) / all);
}

const words = (...all: (string | bigint | number | null)[]) => all.map((word) => word ?? '-').join(' ');

const dueLine = ({ monday, principalCents, profitCents }: Due): LogLine => [
  'due',
  words(monday?.toISOString().slice(0, 10) ?? 'later', principalCents, profitCents),
];

function heldLine({ network, units, cents, price, height, readAt }: Held & { readAt: Date }): LogLine {
  const quoted = [price?.price ?? null, price ? logTime(price.priceAt) : null] as const;
  return ['held', words(network, units, cents, ...quoted, height, logTime(readAt))];
}

export function bookLines(facts: BookFacts): LogLine[] {
  const { number, at, depth, root, owed } = facts;
  return [
    ['number', String(number)],
    ['time', logTime(at)],
    ['unit', 'USD-cents'],
    ['depth', String(depth)],
    ['root', root.toString('hex')],
    ['owed', words(...owed)],
    ...facts.due.map(dueLine),
    ...facts.held.filter(wasRead).map(heldLine),
    ...facts.cold.flatMap(({ network, units, address }): LogLine[] =>
      units === null ? [] : [['cold', words(network, units, address)]],
    ),
    ...facts.shared.map((each): LogLine => ['shared', words(each.network, each.units, each.address)]),
    ...facts.derived.map(
      (each): LogLine => ['derived', words(each.network, each.count, each.units, each.root)],
    ),
    ...facts.keys.map((each): LogLine => ['key', words(each.network, each.sha256)]),
    ...facts.typed.map((each): LogLine => ['typed', words(each.cents, logTime(each.at), each.name)]),
    ['coverage', coverageText(owed, heldOf(facts).heldCents)],
  ];
}

/** One more entry of the audit log behind all those before it. */
export function auditHash(before: string, fields: readonly (string | null)[]): string {
  return hash('sha256', `${before}\ntallystick audit 1\n${JSON.stringify(fields)}`, 'hex');
}

export const emptyAuditHead = '0'.repeat(64);
