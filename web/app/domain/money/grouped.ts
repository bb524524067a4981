/**
 * `1234567` is `1,234,567`. By hand, because the formats that a browser makes for it take longer to make than all
 * else that the landing page does when its prices and plans arrive.
 */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
