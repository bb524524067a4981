import type { ReadTile } from '@tallystick/verify/tiles';

/** It could not be asked, or did not answer: nothing is known then, neither good nor bad. */
export class NotReachable extends Error {}

const timeoutMs = 30_000;
/** A full bundle of the longest entries. */
const bytesMax = 256 * (65_535 + 2);

/** Reads what lies below `/log/` of a site. */
export function servedBy(url: string): ReadTile {
  const base = new URL('log/', url.endsWith('/') ? url : `${url}/`);
  return async (path) => {
    const address = new URL(path, base);
    let answer: Response;
    let bytes: Uint8Array;
    try {
      answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
      bytes = new Uint8Array(await answer.arrayBuffer());
    } catch (error) {
      throw new NotReachable(`${address} did not answer: ${error instanceof Error ? error.message : error}`);
    }
    if (answer.status !== 200) throw new NotReachable(`${address} answered ${answer.status}.`);
    if (bytes.length > bytesMax)
      throw new NotReachable(`${address} answered more than any file of a log has.`);
    return bytes;
  };
}
