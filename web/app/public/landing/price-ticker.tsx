import { coins } from '@tallystick/contract/networks';
import { Pause, Play } from 'lucide-react';
import { SampleChip } from '../../domain/page/sample-chip.tsx';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';

/**
 * The prices that pass by under the header, which `live-prices.ts` fills in. Its place is kept whether or not prices
 * come, so that nothing ever moves; without a price it is empty.
 */
export function PriceTicker() {
  return (
    <div id="price-ticker" className="ticker-place noscript:hidden">
      <template>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
        <div role="group" aria-label="Prices in USD, scrolling" className="ticker">
          <SampleChip className="ticker-sample ml-3 shrink-0 tablet:ml-6">Sample prices</SampleChip>
          <div className="ticker-window">
            <ul className="ticker-row">
              {coins.map(({ id, name }) => (
                <li key={id} data-coin={id}>
                  <CoinMark coin={id} size={22} />
                  <span className="ticker-name text-2">{name}</span>
                  <span data-text="price" className="font-semibold tabular-nums" />
                </li>
              ))}
            </ul>
          </div>
          <button
            type="button"
            aria-label="Pause the ticker"
            aria-pressed={false}
            className="ticker-pause group grid size-11 shrink-0 place-items-center text-3 hover:text-1 motion-reduce:hidden"
          >
            <Pause className="size-4 group-aria-pressed:hidden" aria-hidden="true" />
            <Play className="hidden size-4 group-aria-pressed:block" aria-hidden="true" />
          </button>
        </div>
      </template>
    </div>
  );
}
