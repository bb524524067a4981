import type { ReadTile } from '@tallystick/verify/tiles';

/** It could not be asked, or did not answer: nothing is known then, neither good nor bad. */
export class NotReachable extends Error {}

const timeoutMs = 30_000;
/** A full bundle of the longest entries. */
const bytesMax = 256 * (65_535 + 2);

/** As far as it is no longer than it may be; null when it is. */
async function bytesOf(answer: Response): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of answer.body ?? []) {
    length += part.length;
    if (length > bytesMax) return null;
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Reads what lies below `/log/` of a site. */
export function servedBy(url: string): ReadTile {
  const base = new URL('log/', url.endsWith('/') ? url : `${url}/`);
  return async (path) => {
    const address = new URL(path, base);
    let answer: Response;
    let bytes: Uint8Array | null;
    try {
      answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
      bytes = await bytesOf(answer);
    } catch (error) {
      throw new NotReachable(`${address} did not answer: ${error instanceof Error ? error.message : error}`);
    }
    if (answer.status !== 200) throw new NotReachable(`${address} answered ${answer.status}.`);
    if (!bytes) throw new NotReachable(`${address} answered more than any file of a log has.`);
    return bytes;
  };
}
