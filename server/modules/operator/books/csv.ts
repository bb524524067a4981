import { toDecimal } from '@tallystick/contract/money';
import { networkNameOf } from '@tallystick/contract/networks';
import type { Console } from '../service.ts';
import { coinsOf } from './held-wire.ts';

type Books = Awaited<ReturnType<Console['books']>>;
type Line = (string | null)[];

export const booksHeads = [
  'Part',
  'Item',
  'Amount',
  'Profit',
  'Coins',
  'Source',
  'Block',
  'At',
  'Price',
  'Price at',
];

/** The same figures, a line each, for a spreadsheet. */
export function* booksLines(books: Books): Generator<Line> {
  const { owed } = books;
  const line = (part: string, item: string, cents: bigint | null, ...rest: Line): Line => {
    const cells = [part, item, cents === null ? null : toDecimal(cents), ...rest];
    return [...cells, ...booksHeads.slice(cells.length).map(() => null)];
  };
  yield line('Owed', 'Wallets', owed.walletsCents);
  yield line('Owed', 'Invested', owed.investedCents);
  yield line('Owed', 'Profit accrued', owed.accruedCents);
  yield line('Owed', 'Being withdrawn', owed.withdrawingCents);
  for (const cells of heldLines(books)) yield line(...cells);
  const dueLine = (item: string, due: { principalCents: bigint; profitCents: bigint }) =>
    line('Due in the week from', item, due.principalCents, toDecimal(due.profitCents));
  for (const week of books.weeks) yield dueLine(week.monday.toISOString().slice(0, 10), week);
  yield dueLine('Later', books.later);
  for (const { day, depositCents, withdrawalCents } of books.days) {
    yield line('Deposits on', day, depositCents);
    yield line('Withdrawals paid on', day, withdrawalCents);
  }
}

/** From where each figure is, as of when. */
function* heldLines({ held, cold }: Books): Generator<[string, string, bigint | null, ...Line]> {
  for (const { network, units, cents, height, readAt, price } of held.networks) {
    const from = [coinsOf(network, units), 'read', height === null ? null : String(height)];
    const times = [readAt?.toISOString() ?? null, price?.price ?? null, price?.priceAt.toISOString() ?? null];
    yield ['Held', networkNameOf(network), cents, null, ...from, ...times];
  }
  for (const { paymentname, amountCents, enteredAt } of held.methods) {
    yield ['Held', paymentname, amountCents, null, null, 'typed', null, enteredAt?.toISOString() ?? null];
  }
  for (const { network, label, address, units, height } of cold) {
    const coins = units === null ? null : coinsOf(network, units);
    const item = `${networkNameOf(network)}, ${label}, ${address}`;
    yield ['Held, of which cold', item, null, null, coins, 'read', height === null ? null : String(height)];
  }
}
