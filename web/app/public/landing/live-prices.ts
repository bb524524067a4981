import {
  isStaleAt,
  type Movement,
  type PriceQuotes,
  priceText,
  quoteTimeText,
  readBitcoinMovement,
  readQuotes,
  refreshMs,
} from '../../domain/prices/price-quotes.ts';
import { fill, showIn, templateIn } from '../../native/template.ts';
import { sparkPath } from './spark.ts';
import { showTicker } from './ticker.ts';

/** How long the figures of the past are good enough. */
const movementMs = 10 * refreshMs;

/** Asks for the prices now and every minute while the page is looked at. A failure keeps what is there. */
export function keepPricesLive(tiles: Element, ticker: Element): void {
  let quotes: Omit<PriceQuotes, 'isStale'> | null = null;
  let movement: Movement | null = null;
  let askedAt = 0;
  let movementAskedAt = Number.NEGATIVE_INFINITY;

  function show(): void {
    if (!quotes?.coins.length) {
      for (const place of [tiles, ticker]) showIn(place);
      return;
    }
    const shown = { ...quotes, isStale: isStaleAt(quotes.quotedAt, Date.now()) };
    showTiles(tiles, shown, movement);
    showTicker(ticker, shown);
  }

  async function refresh(): Promise<void> {
    askedAt = Date.now();
    // What fails has been logged where it was read.
    quotes = await readQuotes().catch(() => quotes);
    show();
    if (!quotes?.coins.length || Date.now() - movementAskedAt < movementMs) return;
    movementAskedAt = Date.now();
    movement = await readBitcoinMovement().catch(() => movement);
    show();
  }

  void refresh();
  setInterval(() => document.hidden || void refresh(), refreshMs);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && Date.now() - askedAt >= refreshMs) void refresh();
  });
}

function showTiles(place: Element, quotes: PriceQuotes, movement: Movement | null): void {
  const tiles = templateIn(place);
  tiles.querySelector('ul')?.toggleAttribute('data-stale', quotes.isStale);
  for (const tile of tiles.querySelectorAll<HTMLElement>('[data-coin]')) {
    const coin = quotes.coins.find(({ id }) => id === tile.dataset.coin);
    if (coin) fill(tile, { price: priceText(coin) });
    else tile.remove();
  }
  showMovement(tiles, movement);
  const about = movement ? 'Line and arrow: Bitcoin over 30 days.' : '';
  const updated = `${quotes.isStale ? 'Older prices, from' : 'Updated'} ${quoteTimeText(quotes.quotedAt)}`;
  fill(
    tiles,
    quotes.isSample
      ? { source: 'Sample prices. The price service could not be reached.', beside: about }
      : { source: `Prices in USD. ${about}`, beside: updated },
  );
  showIn(place, tiles);
}

function showMovement(tiles: DocumentFragment, movement: Movement | null): void {
  for (const part of tiles.querySelectorAll<HTMLElement>('[data-movement]')) {
    if ((part.dataset.movement === 'some') !== (movement !== null)) part.remove();
    else if (movement) {
      part.toggleAttribute('data-fell', movement.percent < 0);
      part.querySelector('[data-spark]')?.setAttribute('d', sparkPath(movement.points));
      fill(part, {
        direction: movement.percent < 0 ? 'down' : 'up',
        percent: `${Math.abs(movement.percent).toFixed(2)}%`,
      });
    }
  }
}
