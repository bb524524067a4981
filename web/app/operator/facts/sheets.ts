import { networks } from '@tallystick/contract/networks';
import type { PayoutSheet, SheetItem } from '@tallystick/contract/operator/payouts';
import { counted } from '../../domain/dates.ts';
import { groupedDecimal } from '../../domain/prices/coin-text.ts';
import type { ChipLook } from '../../ui/facts/chip.tsx';

type Words = { look: ChipLook; chip: string };

const ended: Record<'paid' | 'expired' | 'released', Words> = {
  paid: { look: 'done', chip: 'Paid' },
  expired: { look: 'refused', chip: 'Expired' },
  released: { look: 'refused', chip: 'Released' },
};

type Shown = Pick<PayoutSheet, 'state' | 'needed' | 'items'>;

/** Where a sheet stands. One that is claimed is as far as its slowest payment. */
export function sheetWords({ state, needed, items }: Shown): Words {
  if (state === 'made') return { look: 'waiting', chip: 'Not claimed' };
  if (state !== 'claimed') return ended[state];
  const unpaid = items.filter(({ status }) => status === 'approved');
  const seen = unpaid.flatMap(({ confirmations }) => confirmations ?? []);
  if (seen.length === 0) return { look: 'going', chip: 'Claimed' };
  if (seen.length < unpaid.length) return { look: 'going', chip: `${seen.length} of ${unpaid.length} seen` };
  return { look: 'going', chip: seenText(Math.min(...seen), needed) };
}

/** Where one withdrawal on it stands. */
export function itemWords(item: Pick<SheetItem, 'status' | 'confirmations'>, sheet: Shown): Words {
  if (item.status === 'paid') return { look: 'done', chip: 'Paid' };
  if (item.status === 'rejected') return { look: 'refused', chip: 'Rejected' };
  if (item.confirmations !== null) return { look: 'going', chip: seenText(item.confirmations, sheet.needed) };
  if (sheet.state === 'claimed') return { look: 'waiting', chip: 'To be sent' };
  return sheet.state === 'made'
    ? { look: 'waiting', chip: 'Not sent' }
    : { look: 'refused', chip: 'Not sent' };
}

const seenText = (confirmations: number, needed: number) =>
  `Seen, ${Math.min(confirmations, needed)} of ${needed}`;

/** `0.02184 BTC` */
export const sheetCoins = ({ network, coins }: Pick<PayoutSheet, 'network' | 'coins'>): string =>
  `${groupedDecimal(coins)} ${networks[network].coin.ticker}`;

export const withdrawalsText = (count: number): string => counted(count, 'withdrawal');

/** `27:04`; `0:00` once it is over. */
export function leftText(untilIso: string, now: Date): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(untilIso) - now.getTime()) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
