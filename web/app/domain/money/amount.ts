import { type Cents, formatUsd } from '@tallystick/contract/money';

/** Amounts travel as decimals of at most two places, which a float holds closely enough to find its cents again. */
export function centsOf(wire: number): Cents {
  return BigInt(Math.round(wire * 100));
}

export function usd(wire: number): string {
  return formatUsd(centsOf(wire));
}
