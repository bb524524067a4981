/** The four coins, by the price service's names, in the order they are shown. */
export const coins = [
  { id: 'bitcoin', name: 'Bitcoin', ticker: 'BTC' },
  { id: 'ethereum', name: 'Ethereum', ticker: 'ETH' },
  { id: 'binancecoin', name: 'BnB', ticker: 'BNB' },
  { id: 'ripple', name: 'Ripple', ticker: 'XRP' },
] as const;
export type CoinId = (typeof coins)[number]['id'];

export const priceRefreshSeconds = 60;
export const chartDays = 30;

/** Set to `sample` when the figures are the bundled ones of demo mode. */
export const priceSourceHeader = 'price-source';
