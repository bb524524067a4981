import { toWire } from '@tallystick/contract/money';
import { type Network, networks } from '@tallystick/contract/networks';
import type { ChainPayment } from '@tallystick/contract/operator/fields';
import { type ChainNames, explorerOf } from '../../platform/chains/explorer.ts';
import { unitsToDecimal } from '../../platform/chains/units.ts';

interface PaymentFacts {
  network: Network;
  txid: string;
  output: number | null;
  units: bigint;
  confirmations: number;
  cents: bigint | null;
  price: string | null;
  priceAt: Date | null;
  priceSource: string | null;
  seenAt: Date;
}

/** What a chain shows of a payment, as operators read it. */
export const chainPaymentToWire = (payment: PaymentFacts, chains: ChainNames): ChainPayment => ({
  chaintransactionid: payment.txid,
  chainoutput: payment.output,
  explorer: explorerOf(payment.network, payment.txid, chains),
  coins: unitsToDecimal(payment.units, networks[payment.network].coin.decimals),
  confirmations: payment.confirmations,
  worth: payment.cents === null ? null : toWire(payment.cents),
  price: payment.price,
  pricesource: payment.priceSource,
  priceat: payment.priceAt?.toISOString() ?? null,
  seenat: payment.seenAt.toISOString(),
});
