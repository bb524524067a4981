import { type CoinId, type Network, networks } from '@tallystick/contract/networks';
import { type Clock, dayMs } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Db, inTransaction } from '../../platform/postgres/db.ts';
import type { Prices } from '../prices/service.ts';
import { hasUnpriced, lastPrice, lockUnpriced, setPrices } from './payment-store.ts';
import { isBelievable, isFresh, worthOf } from './rules.ts';

interface PricingNeeds {
  db: Db;
  clock: Clock;
  logger: Logger;
  prices: Prices;
}

/** What coins cost. */
export function createPricing({ db, clock, logger, prices }: PricingNeeds) {
  const told = new Map<Network, number>();

  async function isBelieved(network: Network, usd: number): Promise<boolean> {
    const before = await lastPrice(db, network, new Date(clock.now().getTime() - dayMs));
    if (isBelievable(usd, before)) return true;
    if (told.get(network) !== usd) {
      logger.error({ alert: true, network, price: usd, before }, 'a price is not believed');
    }
    told.set(network, usd);
    return false;
  }

  /** However old, as long as the price service is asked about it at all. */
  async function newestPrice(network: Network) {
    const quoted = await prices.simplePrice().catch(() => null);
    const usd = quoted?.value[networks[network].coin.id as CoinId]?.usd;
    if (!quoted || !usd || !(await isBelieved(network, usd))) return null;
    const at = new Date(clock.now().getTime() - quoted.ageMs);
    return { price: String(usd), priceAt: at, priceSource: quoted.source };
  }

  /** Null when none is known of this moment. */
  async function freshPrice(network: Network) {
    const newest = await newestPrice(network);
    return newest && isFresh(newest, clock.now()) ? newest : null;
  }

  /** What payments that were just seen are worth, at the price of this moment; without a fresh one they wait. */
  async function price(network: Network): Promise<void> {
    // Asked before anything is locked: the price service may take its time.
    const fresh = (await hasUnpriced(db, network)) ? await freshPrice(network) : null;
    if (!fresh) return;
    await inTransaction(db, async (tx) => {
      const waiting = await lockUnpriced(tx, network);
      const { decimals } = networks[network].coin;
      const priced = waiting.flatMap(({ id, units }) => {
        const cents = worthOf(units, decimals, fresh.price);
        return cents === null ? [] : [{ id, cents }];
      });
      await setPrices(tx, fresh, priced);
    });
  }

  return { price, freshPrice, newestPrice };
}
