import type { LogEntry } from '@tallystick/contract/proof';
import { readLogText } from './log-text.ts';
import { momentOf } from './statement.ts';

/** Capitals are no part of an address where it may be written with others; elsewhere no two differ in these alone. */
const placeOf = (network: string, address: string) => `${network} ${address.toLowerCase()}`;

/** What of the page's texts is shown: null for what is not. */
type Shown = Record<string, string | null>;

export const none: Shown = { signed: null, unsigned: null };
export const unsigned: Shown = { ...none, unsigned: '' };
type Lines = Record<'time' | 'origin' | 'network' | 'address' | 'scheme', string>;
const signed: Shown = { ...none, publickey: null, bip137: null, bip322: null, eip191: null, xrp: null };

/** What addresses have signed under the log's present name: one that it had before does not count. */
export function signaturesIn(entries: readonly LogEntry[], origin: string) {
  const known = new Map<string, Shown>();
  for (const { place, text } of entries) {
    const lines = Object.fromEntries(readLogText(text).lines) as Lines;
    if (lines.origin !== origin) continue;
    const when = `${momentOf(lines.time)}, entry ${place + 1}`;
    known.set(placeOf(lines.network, lines.address), {
      ...signed,
      ...lines,
      [lines.scheme]: '',
      signed: when,
    });
  }
  return (network: string, address: string) => known.get(placeOf(network, address));
}
