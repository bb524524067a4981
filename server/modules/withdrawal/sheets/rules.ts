import { type Refusal, refuse } from '../../../platform/app-error.ts';
import { minuteMs } from '../../../platform/clock.ts';

/** So long the coins that are owed stay as they are while nobody has claimed the sheet. */
export const sheetMsMax = 30 * minuteMs;

/** So much may a transaction cost at any time, in satoshi; more only as a part of what it pays. */
const feeUnitsFree = 20_000n;
const feePart = 4n;

/** A slip of the hand, or a miner's friend, would give the coins to whoever mines them: no wallet asks about that again. */
export function refuseFee(feeUnits: bigint, paidUnits: bigint): Refusal | null {
  if (feeUnits <= feeUnitsFree || feeUnits * feePart <= paidUnits) return null;
  return refuse(
    'outside_range',
    `The fee would be ${feeUnits} satoshi for payments of ${paidUnits}: more than a quarter. Choose a lower fee rate, or pay more at once.`,
  );
}

/** What is owed to somebody, by a sheet that may have ended by now. */
export interface Owed {
  withdrawalId: string;
  /** To whom, as the chain shows it. */
  match: string;
  tag: bigint | null;
  units: bigint;
  madeAt: Date;
  /** The transaction of its sheet on Bitcoin, and the output that pays it. */
  txid: string | null;
  position: number;
  open: boolean;
}

interface Seen {
  id: string;
  match: string;
  tag: bigint | null;
  units: bigint;
  txid: string;
  output: number | null;
  seenAt: Date;
}

/**
 * Which withdrawal each payment pays: to that address, with exactly that amount, after it was owed. One pays one; where
 * several are owed the same, each output is another's.
 */
export function withdrawalsPaid<Spend extends Seen>(spends: Spend[], owed: Owed[]): Map<string, Spend> {
  const paid = new Map<string, Spend>();
  for (const spend of spends) {
    const fits = owed.filter(
      (item) =>
        !paid.has(item.withdrawalId) &&
        item.match === spend.match &&
        item.tag === spend.tag &&
        item.units === spend.units &&
        item.madeAt <= spend.seenAt,
    );
    const rank = ({ txid, position, open }: Owed) =>
      txid === spend.txid && position === spend.output ? 0 : open ? 1 : 2;
    const [best] = fits.sort((one, other) => rank(one) - rank(other) || +one.madeAt - +other.madeAt);
    if (best) paid.set(best.withdrawalId, spend);
  }
  return paid;
}

/** A coin that a released sheet would have spent. */
interface ReleasedCoin {
  paymentId: string;
  isThere: boolean;
  spentTxid: string | null;
  spentHeight: number | null;
}

export interface ReleasedSheet {
  number: number;
  txid: string;
  inputs: ReleasedCoin[];
}

/**
 * Two have said that these sheets were not paid, but whoever has the signed transaction can still send it. With one of
 * its coins spent again, only one of both can confirm.
 */
export function spentAgain(
  released: ReleasedSheet[],
  { heldElsewhere, buriedHeight }: { heldElsewhere: ReadonlySet<string>; buriedHeight: number },
): Refusal | { mustSpend: string[] } {
  const mustSpend = new Set<string>();
  for (const { number, txid, inputs } of released) {
    if (inputs.some(({ spentTxid }) => spentTxid === txid)) {
      return refuse(
        'already_decided',
        `Sheet ${number} was sent: Bitcoin shows its transaction. What it pays is marked as paid by itself.`,
      );
    }
    const isDead = inputs.some(({ spentHeight }) => spentHeight !== null && spentHeight <= buriedHeight);
    if (isDead || inputs.some(({ paymentId }) => mustSpend.has(paymentId))) continue;
    const again = inputs.find(
      ({ paymentId, isThere, spentTxid }) => isThere && spentTxid === null && !heldElsewhere.has(paymentId),
    );
    if (!again) {
      return refuse(
        'already_decided',
        `Sheet ${number} was released, and its transaction may still confirm. None of its coins can be spent again at present, so nothing else can pay its withdrawals.`,
      );
    }
    mustSpend.add(again.paymentId);
  }
  return { mustSpend: [...mustSpend] };
}
