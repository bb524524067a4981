import { type CoinId, type Network, networkIds, networks } from '@tallystick/contract/networks';
import type { OpenChain } from '../../../platform/chains/open-chains.ts';
import { unitsToCents } from '../../../platform/chains/units.ts';
import { type Clock, minuteMs } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import type { Prices } from '../../prices/service.ts';
import { familyOf, priceMsMax } from '../rules.ts';
import { type HeldUnits, heldOn, keepPrice, keptPrices, type PriceRow } from './held-store.ts';

interface HeldNeeds {
  db: Db;
  clock: Clock;
  prices: Prices;
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
export function createHeld({ db, clock, prices, chains }: HeldNeeds) {
  const watched = networkIds.filter((network) => chains[network] !== undefined);
  let keptMs = 0;

  async function quoted(): Promise<KnownPrices> {
    const quote = await prices.simplePrice().catch(() => null);
    if (!quote) return new Map();
    const priceAt = new Date(clock.now().getTime() - quote.ageMs);
    return new Map(
      watched.flatMap((network) => {
        const usd = quote.value[networks[network].coin.id as CoinId]?.usd;
        const row = { network, price: String(usd), priceAt, priceSource: quote.source };
        return usd ? [[network, row] as const] : [];
      }),
    );
  }

  function worth(network: Network, { units }: HeldUnits, known: KnownPrices) {
    const row = known.get(network);
    if (!row) return { cents: null, price: null };
    const { price, priceAt, priceSource } = row;
    const isFresh = clock.now().getTime() - priceAt.getTime() <= priceMsMax;
    const cents = unitsToCents(units, networks[network].coin.decimals, price);
    return { cents, price: { price, priceAt, priceSource, isFresh } };
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

    /** Now and then, for when there is none: what is held is then worth what it was last. */
    async keepPrices(): Promise<void> {
      const now = clock.now().getTime();
      if (now - keptMs < minuteMs) return;
      keptMs = now;
      for (const row of (await quoted()).values()) await keepPrice(db, row);
    },
  };
}
