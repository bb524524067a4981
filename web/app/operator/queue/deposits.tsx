import type { FirstConfirmation } from '@tallystick/contract/bounds';
import type { QueuedDeposit } from '@tallystick/contract/operator/queue';
import { shortDayOf, timeOf } from '../../domain/dates.ts';
import { usd } from '../../domain/money/amount.ts';
import { coinText } from '../../domain/prices/coin-text.ts';
import { becomesEdge, Cell, type Column, Small, takesOver } from '../../ui/lists/table.tsx';
import { usePhone } from '../../ui/phone.ts';
import { ConsoleTable } from '../console-table.tsx';
import { useWho } from '../who.ts';
import { firstThatCounts, type Item, type OnOpen } from './item.ts';
import {
  InvestorCell,
  MethodCell,
  QueueCard,
  QueueRow,
  RowButton,
  RowButtons,
  Section,
} from './row-parts.tsx';
import { historyText, waitingText } from './wording.ts';

export type DepositItem = Extract<Item, { kind: 'deposit' }>;

const columns: readonly Column[] = [
  { name: 'Waiting', gives: 'narrow', className: 'w-23' },
  { name: 'Investor', className: becomesEdge.first },
  { name: 'Method' },
  { name: 'Asked', isNumber: true },
  { name: 'Worth when asked', isNumber: true, gives: 'tight' },
  { name: 'Earlier deposits', className: '@wide/table:pl-7' },
  { name: 'Action', isNumber: true },
];

interface DepositsProps {
  items: readonly DepositItem[];
  now: Date;
  onOpen: OnOpen;
}

export function Deposits({ items, now, onOpen }: DepositsProps) {
  const isPhone = usePhone();
  return (
    <Section title="Deposits to confirm">
      {isPhone ? (
        <ul>
          {items.map((item) => (
            <DepositCard key={item.key} item={item} now={now} onOpen={onOpen} />
          ))}
        </ul>
      ) : (
        <ConsoleTable caption="Deposits to confirm, oldest first" columns={columns}>
          {items.map((item) => (
            <DepositRow key={item.key} item={item} now={now} onOpen={onOpen} />
          ))}
        </ConsoleTable>
      )}
    </Section>
  );
}

interface DepositProps {
  item: DepositItem;
  now: Date;
  onOpen: OnOpen;
}

function DepositRow({ item, now, onOpen }: DepositProps) {
  const { of } = item;
  return (
    <QueueRow itemKey={item.key}>
      <Cell gives="narrow" className="whitespace-nowrap">
        {waitingText(of.requestedat, now)}
      </Cell>
      <Cell isHead className={becomesEdge.first}>
        <InvestorCell investor={of.investor} transactionid={of.transactionid} />
        <Small className={takesOver.narrow}>Waiting {waitingText(of.requestedat, now)}</Small>
      </Cell>
      <Cell>
        <MethodCell isNarrow name={of.fundingtype} coin={of.coin} />
      </Cell>
      <Cell isNumber>
        <b className="font-semibold">{usd(of.amount)}</b>
        <Small className={`whitespace-nowrap ${takesOver.tight}`}>{coinText(of)}</Small>
      </Cell>
      <Cell isNumber gives="tight">
        {coinText(of) ?? <span className="text-3">Not known</span>}
      </Cell>
      <Cell className="py-2 @wide/table:pl-7">
        <History of={of} />
      </Cell>
      <Cell className="py-2">
        <Actions item={item} onOpen={onOpen} />
      </Cell>
    </QueueRow>
  );
}

function DepositCard({ item, now, onOpen }: DepositProps) {
  const { of } = item;
  const facts = [
    { name: 'Waiting', value: waitingText(of.requestedat, now) },
    { name: 'Investor', value: <InvestorCell investor={of.investor} transactionid={of.transactionid} /> },
    { name: 'Method', value: <MethodCell name={of.fundingtype} coin={of.coin} /> },
    { name: 'Asked', value: <b className="font-semibold">{usd(of.amount)}</b> },
    { name: 'Worth when asked', value: coinText(of) ?? 'Not known' },
    { name: 'Earlier deposits', value: <History of={of} /> },
  ];
  return (
    <QueueCard itemKey={item.key} facts={facts}>
      <Actions item={item} onOpen={onOpen} />
    </QueueCard>
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

function Actions({ item, onOpen }: { item: DepositItem; onOpen: OnOpen }) {
  const { operator } = useWho();
  const first = firstThatCounts(item.of);
  const about = `${item.of.transactionid} of ${item.of.investor.fullname}`;
  const isOwn = first?.operator === operator._id;
  return (
    <RowButtons note={first && firstText(first, isOwn)}>
      <RowButton
        shortcut="r"
        look="quiet"
        label={first ? 'Drop' : 'Reject'}
        about={about}
        onClick={() => onOpen(item, first ? 'drop' : 'reject')}
      />
      <RowButton
        shortcut="c"
        look="primary"
        label={first ? 'Agree' : 'Review'}
        about={about}
        disabled={isOwn}
        onClick={() => onOpen(item, 'review')}
      />
    </RowButtons>
  );
}

/** Stands beside the buttons, which stay in sight however narrow the screen is. */
function firstText({ name, received, at, because }: FirstConfirmation, isOwn: boolean): string {
  const who = isOwn ? 'you' : name;
  const when = `${shortDayOf(at)}, ${timeOf(at)}`;
  return `Waits for a second operator: ${who} confirmed ${usd(received)}, ${when}. ${because}.`;
}
