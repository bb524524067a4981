import { type Cents, formatUsd } from '@tallystick/contract/money';
import { type Network, networks } from '@tallystick/contract/networks';
import { type PayableWithdrawal, sheetItemsMax } from '@tallystick/contract/operator/payouts';
import { centsOf } from '../../domain/money/amount.ts';

/** What is chosen and can be: something may have been rejected, frozen or put on a sheet meanwhile. */
export function chosenOf(
  withdrawals: readonly PayableWithdrawal[],
  chosen: ReadonlySet<string>,
): PayableWithdrawal[] {
  return withdrawals.filter(({ _id, hindered }) => hindered === null && chosen.has(_id));
}

export const sumOf = (withdrawals: readonly PayableWithdrawal[]): Cents =>
  withdrawals.reduce((sum, { amount }) => sum + centsOf(amount), 0n);

/** As many as one sheet holds, the oldest first. */
export const allOf = (withdrawals: readonly PayableWithdrawal[]): Set<string> =>
  new Set(
    withdrawals
      .filter(({ hindered }) => hindered === null)
      .slice(0, sheetItemsMax)
      .map(({ _id }) => _id),
  );

/** So many of the coin, at the price of now; the sheet itself counts exactly. */
function coinsAbout(cents: Cents, price: string): number {
  return Number(cents) / 100 / Number(price);
}

/** `about 0.036543 BTC` */
export function aboutText(network: Network, cents: Cents, price: string): string {
  const { ticker } = networks[network].coin;
  // A coin that costs little needs fewer places to be as exact.
  const places = Number(price) < 10 ? 2 : 6;
  const coins = coinsAbout(cents, price).toLocaleString('en-US', {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return `about ${coins} ${ticker}`;
}

interface Payable {
  price: string | null;
  spendable: string | null;
}

/** What will keep a sheet from being made; the server decides again. */
export function whyNot({ price, spendable }: Payable, chosen: readonly PayableWithdrawal[]): string | null {
  if (price === null)
    return 'No price of the last five minutes is known, so nobody can say how many coins are owed.';
  if (chosen.length > sheetItemsMax) return `A sheet holds ${sheetItemsMax} withdrawals. Choose fewer.`;
  const cents = sumOf(chosen);
  if (spendable !== null && coinsAbout(cents, price) > Number(spendable)) {
    return `${formatUsd(cents)} is more than the coins that can be spent now.`;
  }
  return null;
}
