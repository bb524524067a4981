import { groupedDecimal } from './coin-text.ts';

/** `$68,412.50` of `68412.5`: as many places as it was counted with, and never fewer than cents. */
export function priceText(price: string): string {
  const [whole = '', fraction = ''] = price.split('.');
  return `$${groupedDecimal(`${whole}.${fraction.padEnd(2, '0')}`)}`;
}

const sources: Record<string, string> = { live: 'Public price service', sample: 'Sample prices of the demo' };

/** What a price service has no name for here is called as the server calls it. */
export const sourceText = (source: string): string => sources[source] ?? source;
