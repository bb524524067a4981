import { type PriceQuotes, priceText } from '../../domain/prices/price-quotes.ts';
import { fill, showIn, templateIn } from '../../native/template.ts';

/** The narrowest a coin gets, and the time that one takes to pass. */
const itemWidthMin = 150;
const itemPassesSeconds = 5.6;

/** So many that half of the row is wider than the screen, also turned; the row moves by that half and begins again. */
function itemsPerHalf(coinCount: number): number {
  const width = Math.max(screen.width, screen.height, window.innerWidth);
  return Math.ceil(width / itemWidthMin / coinCount) * coinCount;
}

/** One listener for whichever strip is there: a strip may give way to another. */
document.addEventListener('visibilitychange', () =>
  document.querySelector('.ticker')?.toggleAttribute('data-standing', document.hidden),
);

/** The row itself stays, so that it moves on from where it is. */
export function showTicker(place: Element, quotes: PriceQuotes): void {
  const fresh = templateIn(place);
  if (place.querySelector('.ticker')?.hasAttribute('data-sample') !== quotes.isSample) {
    showIn(place, started(templateIn(place), quotes.isSample));
  }
  const row = place.querySelector<HTMLElement>('.ticker-row');
  if (!row) return;
  const items = [...fresh.querySelectorAll<HTMLElement>('[data-coin]')].filter((item) => {
    const coin = quotes.coins.find(({ id }) => id === item.dataset.coin);
    if (coin) fill(item, { price: priceText(coin) });
    return coin;
  });
  const half = itemsPerHalf(items.length);
  row.style.animationDuration = `${half * itemPassesSeconds}s`;
  const copies = Array.from({ length: (half / items.length) * 2 - 1 }, () => items.map(copyOf)).flat();
  row.replaceChildren(...items, ...copies);
}

function copyOf(item: HTMLElement): Node {
  const copy = item.cloneNode(true) as HTMLElement;
  copy.setAttribute('aria-hidden', 'true');
  return copy;
}

function started(ticker: DocumentFragment, isSample: boolean): DocumentFragment {
  const [strip, pause] = [ticker.querySelector('.ticker'), ticker.querySelector('button')];
  strip?.toggleAttribute('data-sample', isSample);
  if (!isSample) ticker.querySelector('.ticker-sample')?.remove();
  pause?.addEventListener('click', () =>
    pause.setAttribute('aria-pressed', String(pause.getAttribute('aria-pressed') !== 'true')),
  );
  strip?.toggleAttribute('data-standing', document.hidden);
  return ticker;
}
