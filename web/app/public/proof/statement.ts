import type { Statement } from '@tallystick/contract/proof';
import { dayOf, whenOf } from '../../domain/dates.ts';
import { grouped } from '../../domain/money/amount.ts';
import { type LogText, lineOf, partsOf } from './log-text.ts';

/** What is owed of each kind, in the order of a statement. */
export const kindNames = ['In wallets', 'Invested', 'Profit so far', 'Being withdrawn'] as const;

export const sumOf = (amounts: readonly (string | bigint)[]): bigint =>
  amounts.reduce<bigint>((sum, amount) => sum + BigInt(amount), 0n);

/** `11204` is `112.04%`: never rounded up. */
export function coverageText(hundredths: string): string | null {
  if (hundredths === 'unknown') return null;
  const digits = hundredths.padStart(3, '0');
  return `${grouped(digits.slice(0, -2))}.${digits.slice(-2)}%`;
}

export interface Week {
  name: string;
  principalCents: bigint;
  profitCents: bigint;
}

export function weeksOf(books: LogText): Week[] {
  return partsOf(books, 'due', 3).map(([monday = '', principal = '0', profit = '0']) => ({
    name: monday === 'later' ? 'Later' : dayOf(monday),
    principalCents: BigInt(principal),
    profitCents: BigInt(profit),
  }));
}

export interface Holding {
  name: string;
  /** Unknown as long as there is no price. */
  cents: bigint | null;
  source: string;
}

/** The chains' word where they are read, what somebody typed elsewhere. */
export function holdingsOf(books: LogText, networkName: (id: string) => string): Holding[] {
  const read = partsOf(books, 'held', 7).map(([network = '', , cents = '-', , , height = '', at = '']) => ({
    name: networkName(network),
    cents: cents === '-' ? null : BigInt(cents),
    source: `Read from the chain at block ${grouped(height)}, ${whenOf(at)}`,
  }));
  const typed = partsOf(books, 'typed', 3).map(([cents = '0', at = '', name = '']) => ({
    name,
    cents: BigInt(cents),
    source: `Entered by an operator, ${whenOf(at)}: no chain shows it`,
  }));
  return [...read, ...typed];
}

/** Where what is held lies, one line for each place that a statement names. */
export function placesOf(books: LogText, networkName: (id: string) => string): string[] {
  const key = partsOf(books, 'key', 2).map(
    ([network = '', hash = '']) => `${networkName(network)}, key with the SHA-256 ${hash}`,
  );
  const cold = partsOf(books, 'cold', 3).map(
    ([network = '', , address = '']) => `${networkName(network)}, cold: ${address}`,
  );
  const shared = partsOf(books, 'shared', 3).map(
    ([network = '', , address = '']) => `${networkName(network)}, for everybody: ${address}`,
  );
  const derived = partsOf(books, 'derived', 4).map(
    ([network = '', count = '0', , root = '']) =>
      `${networkName(network)}, ${grouped(count)} addresses of single investors, as one root: ${root}`,
  );
  return [...cold, ...shared, ...derived, ...key];
}

/** The newest entry's own figures; what a chart needs of it besides has the list of statements. */
export function factsOf(books: LogText, listed: Statement | undefined) {
  return {
    number: lineOf(books, 'number'),
    at: lineOf(books, 'time'),
    owed: lineOf(books, 'owed')
      .split(' ')
      .map((cents) => BigInt(cents)),
    heldCents: listed?.held ? BigInt(listed.held) : null,
    coverage: coverageText(lineOf(books, 'coverage')),
  };
}
