/** US dollars in integer cents. No float ever holds money; on the wire it is a decimal number. */
export type Cents = bigint;

const centsPerDollar = 100n;
/** No single amount in a request may be larger; every limit of the product lies below it. */
export const amountCentsMax: Cents = 100_000_000_000n;

const wireShape = /^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$/;

/**
 * Reads an amount from the wire: a JSON number, or the same digits as text. Plain decimals only: no sign, no
 * exponent, no spaces, no third decimal, no other script's digits. Null when it is anything else.
 */
export function parseAmount(wire: unknown): Cents | null {
  if (typeof wire !== 'number' && typeof wire !== 'string') return null;
  // A float that is not exactly a decimal of two places shows its tail here and fails the shape.
  const match = wireShape.exec(String(wire));
  if (!match) return null;
  const [, dollars = '0', fraction = ''] = match;
  return BigInt(dollars + fraction.padEnd(2, '0'));
}

/**
 * `123456n` is `1234.56`. Exact: the float that is nearest to a decimal prints as that decimal. Of whole numbers that a float
 * can count, a division comes to the nearest, too.
 */
export function toWire(cents: Cents): number {
  const count = Number(cents);
  return Number.isSafeInteger(count) ? count / 100 : Number(toDecimal(cents));
}

/** `-5n` is `-0.05`; for CSV and wherever text is wanted. */
export function toDecimal(cents: Cents): string {
  const sign = cents < 0n ? '-' : '';
  const size = cents < 0n ? -cents : cents;
  return `${sign}${size / centsPerDollar}.${String(size % centsPerDollar).padStart(2, '0')}`;
}

/** `123456n` is `$1,234.56`, with a true minus when it is negative. */
export function formatUsd(cents: Cents): string {
  const sign = cents < 0n ? '\u2212' : '';
  const size = cents < 0n ? -cents : cents;
  const dollars = String(size / centsPerDollar).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}$${dollars}.${String(size % centsPerDollar).padStart(2, '0')}`;
}

/** Divides and rounds to the nearest, a tie to the even neighbour, so that ties favour neither side over time. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('the denominator must be positive');
  const floor = numerator / denominator - (numerator % denominator < 0n ? 1n : 0n);
  const twiceRest = (numerator - floor * denominator) * 2n;
  if (twiceRest > denominator) return floor + 1n;
  if (twiceRest < denominator) return floor;
  return floor % 2n === 0n ? floor : floor + 1n;
}

/** A return on investment is kept in hundredths of a percent: 0.8 % is 80. */
const roiPointsPerWhole = 10_000n;

export function profitOf(amountCents: Cents, roiPoints: number): Cents {
  return divideHalfEven(amountCents * BigInt(roiPoints), roiPointsPerWhole);
}

/** What has come of a profit that comes evenly, rounded down: all of it when all has passed, nothing before the beginning. */
export function accruedOf(profitCents: Cents, passed: number, whole: number): Cents {
  if (passed >= whole) return profitCents;
  return passed <= 0 ? 0n : (profitCents * BigInt(passed)) / BigInt(whole);
}

/** On which terms a plan may be left before its end; the parts in hundredths of a percent. */
export interface ExitTerms {
  fromDay: number;
  keepsPoints: number;
  feePoints: number;
}

export interface ExitAmounts {
  /** The profit of the days that are over. */
  accruedCents: Cents;
  /** What stays of it. */
  keptCents: Cents;
  feeCents: Cents;
  /** What comes to the wallet: amount and kept profit, less the fee. */
  paidCents: Cents;
}

/** What is paid to who leaves after so many whole days. The fee is a part of the amount, so it is never less than nothing. */
export function exitAmounts(
  investment: { amountCents: Cents; profitCents: Cents; durationDays: number },
  { keepsPoints, feePoints }: ExitTerms,
  days: number,
): ExitAmounts {
  const { amountCents, profitCents, durationDays } = investment;
  const accruedCents = accruedOf(profitCents, days, durationDays);
  const keptCents = profitOf(accruedCents, keepsPoints);
  const feeCents = profitOf(amountCents, feePoints);
  return { accruedCents, keptCents, feeCents, paidCents: amountCents + keptCents - feeCents };
}

export function roiToWire(roiPoints: number): number {
  return roiPoints / 100;
}
