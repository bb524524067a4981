import type { LogEntry } from '@tallystick/contract/proof';
import { lineOf, readLogText } from './log-text.ts';
import { momentOf } from './statement.ts';

/** Capitals are no part of an address where it may be written with others; elsewhere no two differ in these alone. */
const placeOf = (network: string, address: string) => `${network} ${address.toLowerCase()}`;

const none = { signed: null, message: null, signature: null, publickey: null, check: null };

/** What addresses have signed under the log's present name: one that it had before does not count. */
export function signaturesIn(
  entries: readonly LogEntry[],
  origin: string,
  checkOf: (scheme: string) => string,
) {
  const known = new Map(
    entries
      .map(({ place, text }) => ({ place, entry: readLogText(text) }))
      .filter(({ entry }) => lineOf(entry, 'origin') === origin)
      .map((signed) => [placeOf(lineOf(signed.entry, 'network'), lineOf(signed.entry, 'address')), signed]),
  );
  return (network: string, address: string) => {
    const found = known.get(placeOf(network, address));
    if (!found) return { unsigned: 'Not signed yet: that this address is ours is our word alone.', ...none };
    const { entry, place } = found;
    const key = entry.lines.find(([name]) => name === 'publickey');
    return {
      unsigned: null,
      signed: `Signed by this address itself, in the log since ${momentOf(lineOf(entry, 'time'))}, entry ${place + 1}`,
      message: lineOf(entry, 'message'),
      signature: lineOf(entry, 'signature'),
      publickey: key?.[1] ?? null,
      check: checkOf(lineOf(entry, 'scheme')),
    };
  };
}

/** Nobody signs for addresses that are one investor's each. */
export const unlisted = {
  ...none,
  unsigned:
    'No single address is listed: the list would show what everybody pays in. Compare the SHA-256 of the key instead: it stays the same until a new entry of the log names another key, and it stands in every statement under ‘Where it lies’.',
};
