import type { QueuedWithdrawal } from '@tallystick/contract/operator/queue';
import { usd } from '../../domain/money/amount.ts';
import { becomesEdge, Cell, type Column, Small, takesOver } from '../../ui/lists/table.tsx';
import { usePhone } from '../../ui/phone.ts';
import { ConsoleTable } from '../console-table.tsx';
import { useWho } from '../who.ts';
import { approvingIsOff } from './approving.ts';
import type { Item, OnOpen } from './item.ts';
import {
  InvestorCell,
  MethodCell,
  QueueCard,
  QueueRow,
  RowButton,
  RowButtons,
  Section,
  ShortAddress,
  Warning,
} from './row-parts.tsx';
import { usedText, waitingText } from './wording.ts';

export type WithdrawalItem = Extract<Item, { kind: 'withdrawal' }>;

const columns: readonly Column[] = [
  { name: 'Waiting', gives: 'narrow', className: 'w-23' },
  { name: 'Investor', className: becomesEdge.first },
  { name: 'Method' },
  { name: 'Amount', isNumber: true },
  { name: 'Available after', isNumber: true, gives: 'tight' },
  { name: 'Send to', className: '@wide/table:pl-7' },
  { name: 'Approvals', gives: 'narrow' },
  { name: 'Action', isNumber: true },
];

interface WithdrawalsProps {
  title: string;
  items: readonly WithdrawalItem[];
  /** Why all withdrawals are frozen. */
  frozen: string | null;
  now: Date;
  onOpen: OnOpen;
}

export function Withdrawals({ title, items, frozen, now, onOpen }: WithdrawalsProps) {
  const isPhone = usePhone();
  const { operator } = useWho();
  const rows = items.map((item) => ({
    item,
    now,
    onOpen,
    // The banner above the list says why; here it would be said in every row.
    isOff: frozen === null ? approvingIsOff(item.of, null, operator._id) : 'All withdrawals are frozen.',
  }));
  return (
    <Section title={title}>
      {isPhone ? (
        <ul>
          {rows.map((row) => (
            <WithdrawalCard key={row.item.key} {...row} />
          ))}
        </ul>
      ) : (
        <ConsoleTable caption={`${title}, oldest first`} columns={columns}>
          {rows.map((row) => (
            <WithdrawalRow key={row.item.key} {...row} />
          ))}
        </ConsoleTable>
      )}
    </Section>
  );
}

interface WithdrawalProps {
  item: WithdrawalItem;
  isOff: string | null;
  now: Date;
  onOpen: OnOpen;
}

function WithdrawalRow({ item, isOff, now, onOpen }: WithdrawalProps) {
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
        <MethodCell isNarrow name={of.methodname} coin={of.network} />
      </Cell>
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
      <Cell className="py-2">
        <Actions item={item} isOff={isOff} onOpen={onOpen} />
      </Cell>
    </QueueRow>
  );
}

function WithdrawalCard({ item, isOff, now, onOpen }: WithdrawalProps) {
  const { of } = item;
  const facts = [
    { name: 'Waiting', value: waitingText(of.requestedat, now) },
    { name: 'Investor', value: <InvestorCell investor={of.investor} transactionid={of.transactionid} /> },
    { name: 'Method', value: <MethodCell name={of.methodname} coin={of.network} /> },
    { name: 'Amount', value: <b className="font-semibold">{usd(of.amount)}</b> },
    { name: 'Available after', value: usd(of.available) },
    { name: 'Approvals', value: <Approvals of={of} /> },
    { name: 'Send to', value: <SendTo of={of} />, isWide: true },
  ];
  return (
    <QueueCard itemKey={item.key} facts={facts}>
      <Actions item={item} isOff={isOff} onOpen={onOpen} />
    </QueueCard>
  );
}

function SendTo({ of }: { of: QueuedWithdrawal }) {
  return (
    <>
      <span className="block">
        <ShortAddress address={of.withdrawaladdress} />
      </span>
      {of.addressused === 0 ? <Warning>{usedText(0)}</Warning> : <Small>{usedText(of.addressused)}</Small>}
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

interface ActionsProps {
  item: WithdrawalItem;
  isOff: string | null;
  onOpen: OnOpen;
}

function Actions({ item, isOff, onOpen }: ActionsProps) {
  const about = `${item.of.transactionid} of ${item.of.investor.fullname}`;
  return (
    <RowButtons note={isOff}>
      <RowButton
        shortcut="r"
        look="quiet"
        label="Reject"
        about={about}
        onClick={() => onOpen(item, 'reject')}
      />
      <RowButton
        shortcut="c"
        look="primary"
        label={item.of.status === 'requested' ? 'Approve' : 'Mark paid'}
        about={about}
        disabled={isOff !== null}
        onClick={() => onOpen(item, 'review')}
      />
    </RowButtons>
  );
}
