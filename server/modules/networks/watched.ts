import type { Network } from '@tallystick/contract/networks';
import type { Watched } from '../../platform/chains/chain.ts';
import type { Db } from '../../platform/postgres/db.ts';
import { addressesAfter } from './address-store.ts';
import { familyOf } from './rules.ts';
import { unspentKeys } from './spending/coin-store.ts';

const tagged = (match: string, tag: number | bigint | null) => `${match}:${tag ?? ''}`;

/**
 * Everything that is looked for on a chain, in memory: a block is compared with all of it. Addresses are made one after
 * the other and are never taken away, so only what came since the last time is read. Coins come and go, by whichever
 * server reads and with every branch that wins: they are read anew for every block, which takes less than the block.
 */
export function createWatched(db: Db, network: Network) {
  const family = familyOf(network);
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
      const coins = new Set(family === 'bitcoin' ? await unspentKeys(db, network) : []);
      return { destinations, coins };
    },

    /** Whose it is; with a tag that is nobody's, the address itself. Null when it is none of ours. */
    idOf: (match: string, tag: number | null): bigint | null =>
      ids.get(tagged(match, tag)) ?? ids.get(tagged(match, null)) ?? null,
  };
}

export type WatchedAddresses = ReturnType<typeof createWatched>;
