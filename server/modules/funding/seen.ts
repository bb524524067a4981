import type { SeenPayment } from '@tallystick/contract/funding';
import { toWire } from '@tallystick/contract/money';
import { networks } from '@tallystick/contract/networks';
import { unitsToDecimal } from '../../platform/chains/units.ts';
import type { PaymentRow } from '../networks/service.ts';

/** What a chain shows, as it stands at this moment. */
export type SeenRow = PaymentRow & { confirmations: number };

/** The same for whoever reads it; `asked` is how many confirmations its way in asks for, null for the usual number. */
export function seenToWire(payment: SeenRow, asked: number | null): SeenPayment {
  const { coin, confirmations: usual } = networks[payment.network];
  return {
    chaintransactionid: payment.txid,
    chainoutput: payment.output,
    coins: unitsToDecimal(payment.units, coin.decimals),
    confirmations: payment.confirmations,
    needed: asked ?? usual,
    worth: payment.cents === null ? null : toWire(payment.cents),
    price: payment.price,
    pricesource: payment.priceSource,
    priceat: payment.priceAt?.toISOString() ?? null,
    seenat: payment.seenAt.toISOString(),
  };
}
