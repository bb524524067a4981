import type { Watched } from '../../platform/chains/chain.ts';
import type { Db } from '../../platform/postgres/db.ts';
import { addressesAfter } from './address-store.ts';
import type { AddressFamily } from './rules.ts';

const tagged = (match: string, tag: number | bigint | null) => `${match}:${tag ?? ''}`;

/**
 * Everything that is looked for on the chains of one family, in memory: a block is compared with all of it. Addresses
 * are made one after the other and are never taken away, so only what came since the last time is read.
 */
export function createWatched(db: Db, family: AddressFamily) {
  const destinations = new Set<string>();
  const ids = new Map<string, bigint>();
  let readTo = 0n;

  return {
    /** As it stands now, and at least as it stood when this was asked. */
    async current(): Promise<Watched> {
      for (const { id, match, tag } of await addressesAfter(db, family, readTo)) {
        destinations.add(match);
        ids.set(tagged(match, tag), id);
        readTo = id;
      }
      return { destinations, coins: { has: () => false } };
    },

    /** Whose it is; with a tag that is nobody's, the address itself. Null when it is none of ours. */
    idOf: (match: string, tag: number | null): bigint | null =>
      ids.get(tagged(match, tag)) ?? ids.get(tagged(match, null)) ?? null,
  };
}

export type WatchedAddresses = ReturnType<typeof createWatched>;
