import { pathOf } from '@tallystick/contract/call';
import { onesheet, type PayoutSheet, type SheetItem } from '@tallystick/contract/operator/payouts';
import { useState } from 'react';
import { Link } from 'react-router';
import { ExportLink } from '../../domain/lists/export-link.tsx';
import { usd } from '../../domain/money/amount.ts';
import { shortAddress } from '../../domain/money/short-address.ts';
import { InFours } from '../../domain/money/whole-address.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Copyable, CopyButton } from '../../ui/actions/copy.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { itemWords, sheetCoins } from '../facts/sheets.ts';
import { PayCode } from './pay-code.tsx';

/** Who is paid, where, and how many coins exactly. */
export function SheetItems({ sheet }: { sheet: PayoutSheet }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const open = sheet.items.find(({ _id }) => _id === openId);
  const isGivenOut = sheet.state === 'claimed' && sheet.hindered === null;
  return (
    <Card aria-label="Withdrawals" className="overflow-hidden">
      <div className="flex min-h-15 flex-wrap items-center justify-between gap-x-3 px-5 py-2 tablet:px-6">
        <h2 className="text-body tracking-[-0.01em]">Withdrawals</h2>
        {isGivenOut && (
          <span className="-mr-4.5">
            <ExportLink href={`${pathOf(onesheet, { id: sheet._id })}/export.csv`} />
          </span>
        )}
      </div>
      <ul>
        {sheet.items.map((item) => (
          <Item key={item._id} item={item} sheet={sheet} onCode={() => setOpenId(item._id)} />
        ))}
      </ul>
      {open?.payuri && (
        <PayCode sheet={sheet} item={open} uri={open.payuri} onClose={() => setOpenId(null)} />
      )}
    </Card>
  );
}

interface ItemProps {
  item: SheetItem;
  sheet: PayoutSheet;
  onCode: () => void;
}

function Item({ item, sheet, onCode }: ItemProps) {
  const { look, chip } = itemWords(item, sheet);
  const coins = sheetCoins({ network: sheet.network, coins: item.coins });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-2 border-t border-line px-5 py-3.5 text-control/5 tabular-nums tablet:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.5fr)_8rem] tablet:px-6">
      <div className="min-w-0">
        <Link
          to={`/operator/investors/${item.investor._id}`}
          className="block truncate font-semibold underline-offset-3 hover:underline"
        >
          {item.investor.fullname}
        </Link>
        <Small className="font-mono tracking-[-0.01em]">{item.transactionid}</Small>
      </div>
      <div className="min-w-0 max-tablet:col-start-1">
        <b className="font-semibold">{usd(item.amount)}</b>
        <span className="flex items-center text-label">
          <span className="min-w-0 wrap-anywhere">{coins}</span>
          <span className="-my-3">
            <CopyButton text={item.coins} label={`Copy ${coins}`} />
          </span>
        </span>
      </div>
      <div className="min-w-0 max-tablet:col-span-2">
        <p className="font-mono text-caption/5 tablet:text-label/5">
          <InFours text={item.withdrawaladdress} className="mr-1.5" />
        </p>
        {item.tag !== null && (
          <p className="text-label font-semibold">
            Tag <Copyable what="the tag">{item.tag}</Copyable>
          </p>
        )}
        {item.chainoutput !== null && <Small>Output {item.chainoutput}</Small>}
        {item.chaintransactionid && (
          <Small>
            {item.status === 'paid' ? 'Paid' : 'Sent'} by{' '}
            <Copyable what="the transaction ID" shown={shortAddress(item.chaintransactionid)}>
              {item.chaintransactionid}
            </Copyable>
          </Small>
        )}
      </div>
      <div className="grid justify-items-end gap-2 max-tablet:contents">
        <span className="max-tablet:col-start-2 max-tablet:row-start-1">
          <Chip look={look}>{chip}</Chip>
        </span>
        {item.payuri && item.status === 'approved' && sheet.state === 'claimed' && (
          <Button size="small" className="max-tablet:col-span-2" onClick={onCode}>
            QR code<span className="sr-only"> for {item.transactionid}</span>
          </Button>
        )}
      </div>
    </li>
  );
}
