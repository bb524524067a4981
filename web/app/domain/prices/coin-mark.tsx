import { type CoinId, coinOf } from '@tallystick/contract/networks';
import type { ReactNode } from 'react';

const marks: Partial<Record<CoinId, { colour: string; shape: ReactNode }>> = {
  bitcoin: {
    colour: 'var(--c-btc)',
    shape: (
      <path
        d="M14.2 11.2h5.2a3.1 3.1 0 0 1 0 6.3h-5.2m0 0h5.9a3.4 3.4 0 0 1 0 6.9h-5.9M14.8 11.2v13.2M17 8.6v2.6M20 8.6v2.6M17 24.4V27M20 24.4V27"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
      />
    ),
  },
  ethereum: {
    colour: 'var(--c-eth)',
    shape: (
      <>
        <path d="M18 7.5 24.5 18 18 21.8 11.5 18Z" fill="currentColor" />
        <path d="M18 23.9 24.5 20 18 28.6 11.5 20Z" fill="var(--c-eth-2)" />
      </>
    ),
  },
  binancecoin: {
    colour: 'var(--c-bnb)',
    shape: (
      <path
        d="m18 15.2 2.8 2.8L18 20.8 15.2 18ZM18 8l5.3 5.3-2 2L18 12l-3.3 3.3-2-2ZM18 28l5.3-5.3-2-2L18 24l-3.3-3.3-2 2ZM10.3 15.7l2.3 2.3-2.3 2.3L8 18ZM25.7 15.7 28 18l-2.3 2.3-2.3-2.3Z"
        fill="currentColor"
      />
    ),
  },
  ripple: {
    colour: 'var(--c-xrp)',
    shape: (
      <path
        d="M10.5 10.5l4 3.9a5 5 0 0 0 7 0l4-3.9M10.5 25.5l4-3.9a5 5 0 0 1 7 0l4 3.9"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.3"
        strokeLinecap="square"
      />
    ),
  },
};

/** What has not been drawn yet is written. */
const written = (ticker: string) => (
  <text x="18" y="21.5" textAnchor="middle" fontSize="10" fontWeight="600" fill="currentColor">
    {ticker.slice(0, 4)}
  </text>
);

interface CoinMarkProps {
  /** Its own id or its network's; what is neither has no mark. */
  coin: string;
  size: 22 | 28 | 36;
}

/** A coin in its own colour on a neutral disc. Its name always stands beside it. */
export function CoinMark({ coin, size }: CoinMarkProps) {
  const known = coinOf(coin);
  if (!known) return null;
  const { colour, shape } = marks[known.id] ?? { colour: 'var(--text-2)', shape: written(known.ticker) };
  return (
    <svg
      viewBox="0 0 36 36"
      width={size}
      height={size}
      className="block shrink-0"
      color={colour}
      aria-hidden="true"
    >
      <circle cx="18" cy="18" r="17.5" fill="var(--coin-disc)" stroke="var(--coin-ring)" />
      {shape}
    </svg>
  );
}
