import type { FirstConfirmation } from '@tallystick/contract/bounds';
import type { QueuedDeposit, SeenPayment } from '@tallystick/contract/operator/queue';
import { shortDayOf, timeOf } from '../../../domain/dates.ts';
import { usd } from '../../../domain/money/amount.ts';
import { coinText } from '../../../domain/prices/coin-text.ts';
import { Cell, type Column, Small, takesOver } from '../../../ui/lists/table.tsx';
import { useWho } from '../../frame/who.ts';
import { type DepositItem, firstThatCounts, type OnOpen } from '../item.ts';
import { RowButtons } from '../queue-row.tsx';
import { RequestList } from '../request/request-list.tsx';
import { historyText, seenText } from '../wording.ts';

const columns: readonly Column[] = [
  { name: 'Asked', isNumber: true },
  { name: 'Worth when asked', isNumber: true, gives: 'tight' },
  { name: 'Earlier deposits', className: '@wide/table:pl-7' },
];

export function Deposits({ items, onOpen }: { items: readonly DepositItem[]; onOpen: OnOpen }) {
  const show = (item: DepositItem) => ({
    method: { name: item.of.fundingtype, coin: item.of.coin },
    cells: <DepositCells of={item.of} />,
    facts: [
      { name: item.of.announced ? 'Asked' : 'Paid', value: <Asked of={item.of} /> },
      { name: item.of.announced ? 'Worth when asked' : 'In coins', value: coinText(item.of) ?? 'Not known' },
      { name: 'Earlier deposits', value: <History of={item.of} /> },
    ],
    buttons: <Buttons item={item} onOpen={onOpen} />,
  });
  return <RequestList title="Deposits to confirm" columns={columns} items={items} show={show} />;
}

function DepositCells({ of }: { of: QueuedDeposit }) {
  return (
    <>
      <Cell isNumber>
        <Asked of={of} />
        <Small className={`whitespace-nowrap ${takesOver.tight}`}>{coinText(of)}</Small>
      </Cell>
      <Cell isNumber gives="tight">
        {coinText(of) ?? <span className="text-3">Not known</span>}
      </Cell>
      <Cell className="py-2 @wide/table:pl-7">
        <History of={of} />
      </Cell>
    </>
  );
}

/** What came without a request was not asked for by anybody. */
function Asked({ of }: { of: QueuedDeposit }) {
  return (
    <>
      <b className="font-semibold">{usd(of.amount)}</b>
      {!of.announced && <Small>Without a request</Small>}
    </>
  );
}

function History({ of }: { of: QueuedDeposit }) {
  return (
    <>
      {historyText(of.confirmedbefore, of.rejectedbefore)}
      {of.largestbefore !== null && <Small>Largest, {usd(of.largestbefore)}</Small>}
    </>
  );
}

function Buttons({ item, onOpen }: { item: DepositItem; onOpen: OnOpen }) {
  const { operator } = useWho();
  const { payment } = item.of;
  const first = firstThatCounts(item.of);
  const isOwn = first?.operator === operator._id;
  const about = `${item.of.transactionid} of ${item.of.investor.fullname}`;
  const open = (label: string) => ({ label, isOff: isOwn, onClick: () => onOpen(item, 'review') });
  if (payment) {
    // What arrived cannot be said not to be there.
    const note = first ? firstText(first, isOwn) : onItsWayText(payment);
    return <RowButtons about={about} note={note} no={null} yes={open(first ? 'Agree' : 'Look')} />;
  }
  return (
    <RowButtons
      about={about}
      note={first && firstText(first, isOwn)}
      no={{ label: first ? 'Drop' : 'Reject', onClick: () => onOpen(item, first ? 'drop' : 'reject') }}
      yes={open(first ? 'Agree' : 'Review')}
    />
  );
}

function onItsWayText(payment: SeenPayment): string {
  const worth = payment.worth === null ? '' : `, worth ${usd(payment.worth)}`;
  return `${seenText(payment)}${worth}. It is added by itself.`;
}

/** Stands beside the buttons, which stay in sight however narrow the screen is. */
function firstText({ name, bychain, received, at, because }: FirstConfirmation, isOwn: boolean): string {
  const when = `${shortDayOf(at)}, ${timeOf(at)}`;
  if (bychain) return `${name} has confirmed ${usd(received)}, ${when}. An operator agrees: ${because}.`;
  const who = isOwn ? 'you' : name;
  return `Waits for a second operator: ${who} confirmed ${usd(received)}, ${when}. ${because}.`;
}
