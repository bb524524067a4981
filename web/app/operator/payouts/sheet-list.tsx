import { networks } from '@tallystick/contract/networks';
import type { PayoutSheet } from '@tallystick/contract/operator/payouts';
import { Link } from 'react-router';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { useNow } from '../../domain/now.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { leftText, sheetCoins, sheetWords, withdrawalsText } from '../facts/sheets.ts';

/** Sheets one under the other; each leads to its own page. */
export function SheetList({ title, sheets }: { title: string; sheets: readonly PayoutSheet[] }) {
  return (
    <Card aria-label={title} className="overflow-hidden">
      <h2 className="px-5 pt-4 pb-3 text-[1.125rem]/6 tracking-[-0.015em] tablet:px-6">{title}</h2>
      <ul>
        {sheets.map((sheet) => (
          <SheetRow key={sheet._id} sheet={sheet} />
        ))}
      </ul>
    </Card>
  );
}

function SheetRow({ sheet }: { sheet: PayoutSheet }) {
  const now = useNow();
  const { look, chip } = sheetWords(sheet);
  return (
    <li className="relative grid grid-cols-[28px_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-1 border-t border-line px-5 py-3.5 text-control/5 tabular-nums hover:bg-sunken tablet:grid-cols-[28px_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.4fr)_8.5rem] tablet:px-6">
      <CoinMark coin={sheet.network} size={28} />
      <div className="min-w-0">
        <Link
          to={`/operator/payouts/${sheet._id}`}
          className="font-semibold underline-offset-3 after:absolute after:inset-0 hover:underline"
        >
          Sheet {sheet.number}
        </Link>
        <Small>
          {networks[sheet.network].name}, {withdrawalsText(sheet.items.length)}
        </Small>
      </div>
      <div className="min-w-0 max-tablet:col-start-2 max-tablet:row-start-2">
        <b className="font-semibold">{usd(sheet.amount)}</b>
        <Small className="wrap-anywhere">{sheetCoins(sheet)}</Small>
      </div>
      <Small className="max-tablet:col-span-2 max-tablet:col-start-2">{whoText(sheet, now)}</Small>
      <span className="justify-self-end max-tablet:col-start-3 max-tablet:row-start-1">
        <Chip look={look}>{chip}</Chip>
      </span>
    </li>
  );
}

const by = (what: string, { name, at }: { name: string; at: string }) =>
  `${what} by ${name}, ${dayOf(at)}, ${timeOf(at)}`;

function whoText({ state, made, claimed, firstreleased, released, expiresat }: PayoutSheet, now: Date) {
  if (state === 'made') {
    const left = expiresat && ` It expires in ${leftText(expiresat, now).replace(/:.*/, '')} min.`;
    return `${by('Made', made)}.${left ?? ''}`;
  }
  if (state === 'claimed' && firstreleased) return `${firstreleased.name} asks to release it.`;
  if (state === 'released' && released) return by('Released', released);
  return claimed ? by('Claimed', claimed) : by('Made', made);
}
