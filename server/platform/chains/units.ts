import type { Cents } from '@tallystick/contract/money';

const wholeDigitsMax = 30;
const decimalShape = /^(\d{1,30})(?:\.(\d{1,30}))?(?:e([+-]\d{1,2}))?$/;

interface Decimal {
  digits: bigint;
  /** How many of the digits stand after the point. */
  scale: number;
}

/** Plain digits with or without a point; the exponent is how a very small or large number prints itself. */
function readDecimal(text: string): Decimal | null {
  const [, whole, fraction = '', exponent = '0'] = decimalShape.exec(text) ?? [];
  if (whole === undefined) return null;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** `150000n` satoshi (8 decimals) is `0.0015`: exact, without needless zeros. */
export function unitsToDecimal(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${sign}${whole}${fraction && `.${fraction}`}`;
}

/** Null when it is no plain decimal, or has more places than the coin. */
export function decimalToUnits(text: string, decimals: number): bigint | null {
  if (!/^[\d.]+$/.test(text)) return null;
  const read = readDecimal(text);
  if (!read || read.scale > decimals || read.digits >= 10n ** BigInt(wholeDigitsMax)) return null;
  return read.digits * 10n ** BigInt(decimals - read.scale);
}

/** Dollars for one coin, as the price service says them; no float takes part in what follows. */
export type Price = number | string;

function readPrice(price: Price): Decimal {
  const read = readDecimal(String(price));
  if (!read || read.digits === 0n) throw new RangeError(`not a price: ${price}`);
  return read;
}

/** What coins are worth, rounded down to the cent. */
export function unitsToCents(units: bigint, decimals: number, price: Price): Cents {
  if (units < 0n) throw new RangeError('coins cannot be less than none');
  const { digits, scale } = readPrice(price);
  return (units * digits * 100n) / 10n ** BigInt(decimals + scale);
}

/** How many coins an amount buys, rounded down to the coin's smallest part. */
export function centsToUnits(cents: Cents, decimals: number, price: Price): bigint {
  if (cents < 0n) throw new RangeError('an amount cannot be less than nothing');
  const { digits, scale } = readPrice(price);
  return (cents * 10n ** BigInt(decimals + scale)) / (digits * 100n);
}
