import { networks } from '@tallystick/contract/networks';
import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { usd } from '../../domain/money/amount.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { heldSource } from '../facts/wording.ts';
import type { HeldMethod } from './held-form.tsx';
import { type Line, readLines, typedLines } from './sources.ts';
import type { Books } from './sums.ts';

export function Owed({ owed }: { owed: Books['owed'] }) {
  const parts = [
    { name: 'Wallets', amount: owed.wallets },
    { name: 'Invested', amount: owed.invested },
    { name: 'Profit accrued', amount: owed.accrued },
    { name: 'Being withdrawn', amount: owed.withdrawing },
  ];
  const largest = Math.max(...parts.map(({ amount }) => amount));
  return (
    <Side title="Owed" total={usd(owed.together)}>
      {parts.map(({ name, amount }) => (
        <Part key={name} name={name} share={shareOf(amount, largest)} colour="bg-(--text)">
          {usd(amount)}
        </Part>
      ))}
    </Side>
  );
}

/** The chain's word where it is read, what somebody typed elsewhere; each line says which. */
export function Held({ held, onEnter }: { held: Books['held']; onEnter: (method: HeldMethod) => void }) {
  const amounts = [...held.networks, ...held.methods].map(({ amount }) => amount ?? 0);
  const largest = Math.max(0, ...amounts);
  return (
    <Side
      title="Held"
      total={held.together === null ? 'Not entered yet' : usd(held.together)}
      note={held.together === null ? undefined : heldSource(held.together, held.typed)}
    >
      {held.networks.map((row) => (
        <Part
          key={row.network}
          name={networks[row.network].coin.name}
          mark={<CoinMark coin={row.network} size={22} />}
          share={shareOf(row.amount ?? 0, largest)}
          colour="bg-accent-text"
          lines={readLines(row)}
        >
          {row.amount === null ? <span className="text-3">No price yet</span> : usd(row.amount)}
        </Part>
      ))}
      {held.methods.map((method) => (
        <Part
          key={method.methodid}
          name={method.paymentname}
          mark={<CoinMark coin={method.coin} size={22} />}
          share={shareOf(method.amount ?? 0, largest)}
          colour="bg-accent-text"
          lines={typedLines(method)}
          end={
            <button
              type="button"
              aria-label={`Enter what is held in ${method.paymentname}`}
              onClick={() => onEnter(method)}
              className="-my-2.5 grid size-11 place-items-center rounded-control text-3 hover:bg-sunken hover:text-1"
            >
              <Pencil className="size-4" aria-hidden="true" />
            </button>
          }
        >
          {method.amount === null ? <span className="text-3">Not entered</span> : usd(method.amount)}
        </Part>
      ))}
      {amounts.length === 0 && (
        <p className="border-t border-line py-3 text-control text-2">There is no payment method yet.</p>
      )}
    </Side>
  );
}

const shareOf = (amount: number, largest: number) => (largest > 0 ? amount / largest : 0);

interface SideProps {
  title: string;
  total: string;
  note?: string | undefined;
  children: ReactNode;
}

function Side({ title, total, note, children }: SideProps) {
  return (
    <Card aria-label={title} className="p-5 tabular-nums tablet:px-6.5 tablet:pt-5.5 tablet:pb-4">
      <h2 className="text-body tracking-[-0.01em]">{title}</h2>
      <p className="text-figure font-semibold">{total}</p>
      {note && <p className="text-label text-2">{note}</p>}
      <ul className="mt-4">{children}</ul>
    </Card>
  );
}

interface PartProps {
  name: string;
  mark?: ReactNode;
  /** Of the longest bar, from nought to one. */
  share: number;
  colour: string;
  /** From where the figure is, and how old. */
  lines?: readonly Line[];
  end?: ReactNode;
  children: ReactNode;
}

/** The bar repeats what the figure says, so it is for the eye alone. */
function Part({ name, mark, share, colour, lines = [], end, children }: PartProps) {
  return (
    <li
      className={`grid items-center gap-x-3 gap-y-1.5 border-t border-line py-2.5 text-control/5 ${end ? 'grid-cols-[1fr_auto_auto] tablet:grid-cols-[124px_minmax(0,1fr)_auto_auto]' : 'grid-cols-[1fr_auto] tablet:grid-cols-[124px_minmax(0,1fr)_auto]'}`}
    >
      <span className="flex items-center gap-2.5 text-2">
        {mark}
        {name}
      </span>
      <span aria-hidden="true" className="max-tablet:order-last max-tablet:col-span-full">
        <span
          className={`block h-2 rounded-[2px] ${colour}`}
          style={{ width: share > 0 ? `max(6px, ${share * 100}%)` : '0' }}
        />
      </span>
      <b className="text-right font-semibold whitespace-nowrap">{children}</b>
      {end}
      {lines.length > 0 && (
        <ul className="order-last col-span-full grid gap-0.5 text-caption text-3">
          {lines.map(({ text, isTrouble }) => (
            <li key={text} className={`wrap-anywhere ${isTrouble ? 'font-label text-debit' : ''}`}>
              {text}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
