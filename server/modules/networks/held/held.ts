import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import type { OpenChain } from '../../../platform/chains/open-chains.ts';
import { unitsToCents } from '../../../platform/chains/units.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import { familyOf, isFresh } from '../rules.ts';
import { type HeldUnits, heldOn, keepPrice, keptPrices, type PriceRow } from './held-store.ts';
import { holdingAddresses, keysOfFamily } from './listing-store.ts';

interface HeldNeeds {
  db: Db;
  clock: Clock;
  /** However old it is. */
  newestPrice(network: Network): Promise<Omit<PriceRow, 'network'> | null>;
  chains: Partial<Record<Network, OpenChain>>;
}

/** What is held on a network whose chain is read, and what that is worth. */
export interface HeldOnChain extends HeldUnits {
  network: Network;
  /** At the newest price there is; null as long as there was never one. */
  cents: bigint | null;
  price: (Omit<PriceRow, 'network'> & { isFresh: boolean }) | null;
}

/** The newest price of each coin that anybody knows. */
export type KnownPrices = Map<Network, PriceRow>;

/** What is held, as the chains show it: nobody types it. */
export function createHeld({ db, clock, newestPrice, chains }: HeldNeeds) {
  const watched = networkIds.filter((network) => chains[network] !== undefined);

  async function quoted(): Promise<KnownPrices> {
    const known: KnownPrices = new Map();
    for (const network of watched) {
      const newest = await newestPrice(network);
      if (newest) known.set(network, { network, ...newest });
    }
    return known;
  }

  function worth(network: Network, { units }: HeldUnits, known: KnownPrices) {
    const row = known.get(network);
    if (!row) return { cents: null, price: null };
    const { price, priceAt, priceSource } = row;
    const cents = unitsToCents(units, networks[network].coin.decimals, price);
    return { cents, price: { price, priceAt, priceSource, isFresh: isFresh(row, clock.now()) } };
  }

  return {
    /** Asked before anything is read: the price service may take its time. */
    async newestPrices(): Promise<KnownPrices> {
      if (watched.length === 0) return new Map();
      const [now, kept] = await Promise.all([quoted(), keptPrices(db)]);
      for (const row of kept) {
        const other = now.get(row.network);
        if (!other || other.priceAt < row.priceAt) now.set(row.network, row);
      }
      return now;
    },

    async heldOnChains(tx: Tx, known: KnownPrices): Promise<HeldOnChain[]> {
      const all: HeldOnChain[] = [];
      for (const network of watched) {
        const units = await heldOn(tx, network, familyOf(network));
        all.push({ network, ...units, ...worth(network, units, known) });
      }
      return all;
    },

    /** What lies at each address of a network whose chain is read, cold ones aside. */
    holdingAddresses: (tx: Tx, network: Network) => holdingAddresses(tx, network, familyOf(network)),
    keyTexts: (tx: Tx, network: Network) => keysOfFamily(tx, familyOf(network)),

    /** Now and then, for when there is none: what is held is then worth what it was last. */
    async keepPrices(): Promise<void> {
      for (const row of (await quoted()).values()) await keepPrice(db, row);
    },
  };
}
