import { type Cents, formatUsd } from '@tallystick/contract/money';

/** What an entry did to a balance: told by its sign and, beside that, by its colour. */
export function SignedMoney({ cents }: { cents: Cents }) {
  const isDebit = cents < 0n;
  return (
    <span className={`whitespace-nowrap tabular-nums lining-nums ${isDebit ? 'text-debit' : 'text-credit'}`}>
      {isDebit ? formatUsd(cents) : `+${formatUsd(cents)}`}
    </span>
  );
}

/** The one big figure of a screen: its cents step back. */
export function BigMoney({ cents }: { cents: Cents }) {
  const [dollars, fraction] = formatUsd(cents).split('.');
  return (
    <span className="whitespace-nowrap tabular-nums lining-nums">
      {dollars}
      <span className="text-[0.5em] leading-none font-label tracking-[-0.02em] text-3">.{fraction}</span>
    </span>
  );
}
