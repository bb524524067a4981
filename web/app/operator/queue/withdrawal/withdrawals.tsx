import type { QueuedWithdrawal } from '@tallystick/contract/operator/queue';
import type { ReactNode } from 'react';
import { shortDayOf, timeOf } from '../../../domain/dates.ts';
import { usd } from '../../../domain/money/amount.ts';
import { Cell, type Column, Small, takesOver } from '../../../ui/lists/table.tsx';
import { ShortAddress } from '../../facts/short-address.tsx';
import { useWho } from '../../frame/who.ts';
import {
  type FirstPayment,
  firstPaymentThatCounts,
  type OnOpen,
  type WithdrawalItem,
  whyOff,
} from '../item.ts';
import { RowButtons, Warning } from '../queue-row.tsx';
import { RequestList } from '../request/request-list.tsx';
import { savedText, usedText } from '../wording.ts';

const columns: readonly Column[] = [
  { name: 'Amount', isNumber: true },
  { name: 'Available after', isNumber: true, gives: 'tight' },
  { name: 'Send to', className: '@wide/table:pl-7' },
  { name: 'Approvals', gives: 'narrow' },
];

interface WithdrawalsProps {
  title: string;
  beside?: ReactNode;
  items: readonly WithdrawalItem[];
  /** Why all withdrawals are frozen. */
  frozen: string | null;
  onOpen: OnOpen;
}

export function Withdrawals({ title, beside, items, frozen, onOpen }: WithdrawalsProps) {
  const { operator } = useWho();
  const show = (item: WithdrawalItem) => {
    const { of } = item;
    // The banner above the list says why; here it would be said in every row.
    const offBecause = frozen === null ? whyOff(of, null, operator._id) : 'All withdrawals are frozen.';
    return {
      method: { name: of.methodname, coin: of.network },
      cells: <WithdrawalCells of={of} />,
      facts: [
        { name: 'Amount', value: <b className="font-semibold">{usd(of.amount)}</b> },
        { name: 'Available after', value: usd(of.available) },
        { name: 'Approvals', value: <Approvals of={of} /> },
        { name: 'Send to', value: <SendTo of={of} />, isWide: true },
      ],
      buttons: <Buttons item={item} offBecause={offBecause} onOpen={onOpen} />,
    };
  };
  return <RequestList title={title} beside={beside} columns={columns} items={items} show={show} />;
}

interface ButtonsProps {
  item: WithdrawalItem;
  offBecause: string | null;
  onOpen: OnOpen;
}

function Buttons({ item, offBecause, onOpen }: ButtonsProps) {
  const { operator } = useWho();
  const { of } = item;
  const first = of.status === 'approved' ? firstPaymentThatCounts(of) : null;
  const isOwn = first?.operator === operator._id;
  const label = first ? 'Agree' : of.status === 'requested' ? 'Approve' : 'Mark paid';
  const note = [offBecause, first && firstText(first, isOwn), sheetText(of)].filter(Boolean).join(' ');
  const reject = { label: 'Reject', onClick: () => onOpen(item, 'reject') };
  const drop = { label: 'Drop', onClick: () => onOpen(item, 'drop') };
  return (
    <RowButtons
      about={`${of.transactionid} of ${of.investor.fullname}`}
      note={note || null}
      // Somebody may be sending what stands on a sheet.
      no={first ? drop : of.sheet === null ? reject : null}
      yes={{ label, isOff: offBecause !== null || isOwn, onClick: () => onOpen(item, 'review') }}
    />
  );
}

function firstText({ name, at }: FirstPayment, isOwn: boolean): string {
  return `Waits for a second operator: ${isOwn ? 'you' : name} said that it was paid, ${shortDayOf(at)}, ${timeOf(at)}.`;
}

const sheetText = ({ sheet }: QueuedWithdrawal) => (sheet === null ? null : `On payout sheet ${sheet}.`);

function WithdrawalCells({ of }: { of: QueuedWithdrawal }) {
  return (
    <>
      <Cell isNumber>
        <b className="font-semibold">{usd(of.amount)}</b>
        <Small className={takesOver.tight}>{usd(of.available)} after</Small>
      </Cell>
      <Cell isNumber gives="tight">
        {usd(of.available)}
      </Cell>
      <Cell className="py-2 @wide/table:pl-7">
        <SendTo of={of} />
        <Small className={takesOver.narrow}>
          Approvals <Approvals of={of} />
        </Small>
      </Cell>
      <Cell gives="narrow" className="py-2">
        <Approvals of={of} />
      </Cell>
    </>
  );
}

function SendTo({ of }: { of: QueuedWithdrawal }) {
  return (
    <>
      <span className="block">
        <ShortAddress address={of.withdrawaladdress} />
      </span>
      {of.tag !== null && <Small>Tag {of.tag}</Small>}
      {of.addressused === 0 ? <Warning>{usedText(0)}</Warning> : <Small>{usedText(of.addressused)}</Small>}
      {of.destination.savedas !== null && (
        <Small className="whitespace-normal wrap-anywhere tablet:max-w-44">{savedText(of.destination)}</Small>
      )}
    </>
  );
}

function Approvals({ of }: { of: QueuedWithdrawal }) {
  return (
    <>
      {`${of.approvals.length} of ${of.approvalsneeded}`}
      {of.approvals.length > 0 && <Small>{of.approvals.map(({ name }) => name).join(', ')}</Small>}
      {of.because && of.status === 'requested' && (
        <Small className="whitespace-normal tablet:max-w-44">{of.because}</Small>
      )}
    </>
  );
}
