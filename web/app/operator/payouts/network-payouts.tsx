import type { CallAnswer } from '@tallystick/contract/call';
import { formatUsd } from '@tallystick/contract/money';
import { networks } from '@tallystick/contract/networks';
import { makesheet, type PayableWithdrawal, type payouts } from '@tallystick/contract/operator/payouts';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { z } from 'zod';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { groupedDecimal } from '../../domain/prices/coin-text.ts';
import { priceText } from '../../domain/prices/price-text.ts';
import { Button } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { withdrawalsText } from '../facts/sheets.ts';
import { ShortAddress } from '../facts/short-address.tsx';
import { useActForm } from '../forms/act-form.ts';
import { UnitField } from '../forms/unit-field.tsx';
import { Check } from './check.tsx';
import { aboutText, allOf, chosenOf, sumOf, whyNot } from './sums.ts';

export type Payable = CallAnswer<typeof payouts>['networks'][number];

/** The approved withdrawals of one network: some of them become a sheet. */
export function NetworkPayouts({ payable }: { payable: Payable }) {
  const { network, withdrawals } = payable;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const chosen = chosenOf(withdrawals, ticked);
  const { name } = networks[network];
  const all = allOf(withdrawals);

  function tick(id: string, isOn: boolean) {
    const next = new Set(ticked);
    if (isOn) next.add(id);
    else next.delete(id);
    setTicked(next);
  }

  return (
    <Card aria-label={`To be paid on ${name}`} className="overflow-hidden">
      <div className="grid grid-cols-[auto_28px_minmax(0,1fr)] items-center gap-x-3.5 px-5 py-4 tablet:px-6">
        <Check
          label={`All on ${name}`}
          isOn={all.size > 0 && chosen.length >= all.size}
          isPartly={chosen.length > 0}
          disabled={all.size === 0}
          onChange={(isOn) => setTicked(isOn ? all : new Set())}
        />
        <CoinMark coin={network} size={28} />
        <div className="min-w-0 tabular-nums">
          <h2 className="text-[1.125rem]/6 tracking-[-0.015em]">{name}</h2>
          <Small>{factsText(payable)}</Small>
        </div>
      </div>
      <ul>
        {withdrawals.map((withdrawal) => (
          <PayableRow
            key={withdrawal._id}
            withdrawal={withdrawal}
            isOn={ticked.has(withdrawal._id)}
            onTick={(isOn) => tick(withdrawal._id, isOn)}
          />
        ))}
      </ul>
      <MakeSheet payable={payable} chosen={chosen} onMade={() => setTicked(new Set())} />
    </Card>
  );
}

function factsText({ network, price, spendable, watched, withdrawals }: Payable): string {
  const { ticker } = networks[network].coin;
  return [
    `${withdrawalsText(withdrawals.length)}, ${formatUsd(sumOf(withdrawals))}`,
    price === null ? 'no fresh price' : `${priceText(price)} for 1 ${ticker}`,
    spendable !== null && `${groupedDecimal(spendable)} ${ticker} can be spent`,
    !watched && 'not read, so marked paid by hand',
  ]
    .filter((part) => part !== false)
    .join('; ');
}

interface PayableRowProps {
  withdrawal: PayableWithdrawal;
  isOn: boolean;
  onTick: (isOn: boolean) => void;
}

function PayableRow({ withdrawal, isOn, onTick }: PayableRowProps) {
  const { transactionid, investor, withdrawaladdress, tag, amount, approvedat, hindered } = withdrawal;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3.5 gap-y-1 border-t border-line px-5 py-3 text-control/5 tabular-nums hover:bg-sunken tablet:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.4fr)_8.5rem] tablet:px-6">
      <Check
        label={`${transactionid} of ${investor.fullname}, ${usd(amount)}`}
        isOn={isOn && hindered === null}
        disabled={hindered !== null}
        onChange={onTick}
      />
      <div className="min-w-0">
        <Link
          to={`/operator/investors/${investor._id}`}
          className="block truncate font-semibold underline-offset-3 hover:underline"
        >
          {investor.fullname}
        </Link>
        <Small className="font-mono tracking-[-0.01em]">{transactionid}</Small>
      </div>
      <div className="min-w-0 max-tablet:col-span-2 max-tablet:col-start-2 max-tablet:row-start-2">
        <ShortAddress address={withdrawaladdress} />
        {tag !== null && <Small>Tag {tag}</Small>}
      </div>
      <Small className="max-tablet:col-span-2 max-tablet:col-start-2">
        {hindered ?? `Approved ${dayOf(approvedat)}, ${timeOf(approvedat)}`}
      </Small>
      <b className="text-right font-semibold max-tablet:col-start-3 max-tablet:row-start-1">{usd(amount)}</b>
    </li>
  );
}

interface MakeSheetProps {
  payable: Payable;
  chosen: readonly PayableWithdrawal[];
  onMade: () => void;
}

/** The coins owed are fixed here: the price of this moment is what the investor is shown. */
function MakeSheet({ payable, chosen, onMade }: MakeSheetProps) {
  const { network, price, watched } = payable;
  const isBitcoin = networks[network].family === 'bitcoin' && watched;
  const fields = useMemo(() => z.object({ satpervbyte: isBitcoin ? typedRate : z.string() }), [isBitcoin]);
  const navigate = useNavigate();
  const form = useActForm({ call: makesheet, fields, values: { satpervbyte: '' }, first: 'satpervbyte' });
  const cents = sumOf(chosen);
  const because = whyNot(payable, chosen);

  const onSubmit = form.handleSubmit(({ satpervbyte }) => {
    const withdrawals = chosen.map(({ _id }) => _id);
    const rate = typeof satpervbyte === 'number' ? { satpervbyte } : {};
    return form.send(
      { body: { network, withdrawals, ...rate } },
      {
        done: ({ sheet }) => `Sheet ${sheet.number} is made. Claim it before you send anything`,
        onDone: ({ sheet }) => {
          onMade();
          void navigate(`/operator/payouts/${sheet._id}`);
        },
      },
    );
  });

  return (
    <form
      noValidate
      onSubmit={onSubmit}
      className="grid gap-3.5 border-t border-line bg-sunken px-5 py-4 tablet:px-6"
    >
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3.5">
        <p role="status" className="min-w-0 tabular-nums">
          {chosen.length === 0 ? (
            <span className="text-label text-2">Choose what is to be paid.</span>
          ) : (
            <>
              <span className="block text-caption text-3">{withdrawalsText(chosen.length)} chosen</span>
              <b className="block text-[1.375rem]/7 font-semibold tracking-[-0.02em]">{formatUsd(cents)}</b>
              <span className="block text-label text-2">
                {price === null ? 'No price is known' : aboutText(network, cents, price)}
              </span>
            </>
          )}
        </p>
        <div className="flex flex-wrap items-end gap-3 max-tablet:w-full max-tablet:*:w-full">
          {isBitcoin && (
            <div className="tablet:w-52">
              <UnitField label="Fee rate" unit="sat/vB" {...form.field('satpervbyte')} />
            </div>
          )}
          <Button
            type="submit"
            look="primary"
            busy={form.busy}
            disabled={chosen.length === 0 || because !== null}
          >
            {form.busy && <Spinner />}
            Make a sheet<span className="sr-only"> on {networks[network].name}</span>
          </Button>
        </div>
      </div>
      <div role="status" className="grid gap-3 empty:absolute">
        {(price === null || chosen.length > 0) && because && <QuietNotice>{because}</QuietNotice>}
      </div>
      {form.refusal && <QuietNotice role="alert">{form.refusal}</QuietNotice>}
    </form>
  );
}

/** `12`, or `12.5` */
const typedRate = z
  .string()
  .trim()
  .regex(/^\d{1,6}(\.\d{1,3})?$/, 'Enter a fee rate, like 12 or 12.5.')
  .transform(Number)
  .pipe(makesheet.body.shape.satpervbyte.unwrap());
