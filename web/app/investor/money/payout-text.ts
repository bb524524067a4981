import type { Withdrawal } from '@tallystick/contract/withdrawal';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { shortAddress } from '../../domain/money/short-address.ts';
import { groupedDecimal } from '../../domain/prices/coin-text.ts';
import { priceText } from '../../domain/prices/price-text.ts';

type Payout = NonNullable<Withdrawal['payout']>;

/** `0.01096686 BTC, at $68,412.50 for 1 BTC, 16 Nov 2026, 04:46 UTC` */
export function payoutText({ coins, ticker, price, pricesource, priceat }: Payout): string {
  const sample = pricesource === 'sample' ? 'a sample price of ' : '';
  const at = `${sample}${dayOf(priceat)}, ${timeOf(priceat)}`;
  return `${groupedDecimal(coins)} ${ticker}, at ${priceText(price)} for 1 ${ticker}, ${at}`;
}

/** `rHb9CJ…wdtyTh, tag 104729` */
export function sentToText({
  withdrawaladdress,
  withdrawaltag,
}: Pick<Withdrawal, 'withdrawaladdress' | 'withdrawaltag'>): string {
  const address = shortAddress(withdrawaladdress);
  return withdrawaltag === null ? address : `${address}, tag ${withdrawaltag}`;
}
