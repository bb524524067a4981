import { type CoinId, type Network, networks } from '@tallystick/contract/networks';
import { unitsToCents } from '../../platform/chains/units.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction } from '../../platform/postgres/db.ts';
import type { Prices } from '../prices/service.ts';
import { hasUnpriced, lockUnpriced, setPrices } from './payment-store.ts';
import { priceMsMax } from './rules.ts';

/** What coins cost. */
export function createPricing({ db, clock, prices }: { db: Db; clock: Clock; prices: Prices }) {
  /** Null when none is known of this moment. */
  async function freshPrice(network: Network) {
    const quoted = await prices.simplePrice().catch(() => null);
    const usd = quoted?.value[networks[network].coin.id as CoinId]?.usd;
    if (!quoted || !usd || quoted.ageMs > priceMsMax) return null;
    const at = new Date(clock.now().getTime() - quoted.ageMs);
    return { price: String(usd), priceAt: at, priceSource: quoted.source };
  }

  /** What payments that were just seen are worth, at the price of this moment; without a fresh one they wait. */
  async function price(network: Network): Promise<void> {
    // Asked before anything is locked: the price service may take its time.
    const fresh = (await hasUnpriced(db, network)) ? await freshPrice(network) : null;
    if (!fresh) return;
    await inTransaction(db, async (tx) => {
      const waiting = await lockUnpriced(tx, network);
      const { decimals } = networks[network].coin;
      await setPrices(
        tx,
        waiting.map(({ id, units }) => ({
          id,
          ...fresh,
          cents: unitsToCents(units, decimals, fresh.price),
        })),
      );
    });
  }

  return { price, freshPrice };
}
