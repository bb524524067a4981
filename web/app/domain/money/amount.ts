import { type Cents, formatUsd } from '@tallystick/contract/money';

/** Amounts travel as decimals of at most two places, which a float holds closely enough to find its cents again. */
export function centsOf(wire: number): Cents {
  return BigInt(Math.round(wire * 100));
}

export function usd(wire: number): string {
  return formatUsd(centsOf(wire));
}

/**
 * `1234567` is `1,234,567`. By hand, because the formats that a browser makes for it take longer to make than all
 * else that the landing page does when its prices and plans arrive.
 */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
