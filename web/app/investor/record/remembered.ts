import { readStored, writeStored } from '../../storage.ts';
import type { ChainLink } from './chain.ts';

/** What this browser has found good, so that nobody can rewrite it unseen. One per person: a browser may be shared. */
export function readRemembered(userId: string): ChainLink | null {
  try {
    const { account, seq, hash, balanceCents } = JSON.parse(readStored(`record:${userId}`) ?? 'null');
    if (typeof account !== 'string' || !Number.isSafeInteger(seq) || !/^[0-9a-f]{64}$/.test(hash))
      return null;
    return { account, seq, hash, balanceCents: BigInt(balanceCents) };
  } catch {
    return null;
  }
}

export function remember(userId: string, link: ChainLink): void {
  writeStored(`record:${userId}`, JSON.stringify({ ...link, balanceCents: String(link.balanceCents) }));
}
