import { type Network, networks } from '@tallystick/contract/networks';
import type { SeenPayment } from '@tallystick/contract/operator/queue';
import { dayOf, timeOf } from '../../../domain/dates.ts';
import { usd } from '../../../domain/money/amount.ts';
import { groupedDecimal } from '../../../domain/prices/coin-text.ts';
import { priceText } from '../../../domain/prices/price-text.ts';
import { OnExplorer } from '../../facts/on-explorer.tsx';
import { DrawerFacts } from '../drawer-facts.tsx';
import { seenText } from '../wording.ts';

interface SeenOnChainProps {
  network: Network;
  payment: SeenPayment;
  isSample?: boolean;
}

/** What the chain itself says of a deposit: nobody typed any of it. */
export function SeenOnChain({ network, payment, isSample = false }: SeenOnChainProps) {
  const { name, coin } = networks[network];
  const title = `What ${isSample ? 'the demo’s sample chain' : name} shows`;
  return (
    <section aria-label={title} className="grid gap-3.5 border-t border-line pt-5">
      <h3 className="text-control font-semibold">{title}</h3>
      <DrawerFacts
        facts={[
          { name: 'On the network', value: seenText(payment) },
          { name: 'Seen', value: `${dayOf(payment.seenat)}, ${timeOf(payment.seenat)}` },
          { name: 'Coins', value: `${groupedDecimal(payment.coins)} ${coin.ticker}` },
          { name: 'Worth', value: payment.worth === null ? 'Waits for a price' : usd(payment.worth) },
          ...priceFacts(payment, coin.ticker),
        ]}
      />
      <OnExplorer {...payment} />
    </section>
  );
}

function priceFacts({ price, priceat, pricesource }: SeenPayment, ticker: string) {
  if (price === null || priceat === null) return [];
  const source = pricesource === 'sample' ? ', a sample' : '';
  const value = `${priceText(price)} for 1 ${ticker}, ${dayOf(priceat)}, ${timeOf(priceat)}${source}`;
  return [{ name: 'Price', value, isWide: true }];
}
