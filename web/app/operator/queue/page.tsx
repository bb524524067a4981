import { queue } from '@tallystick/contract/operator/queue';
import { useEffect, useRef, useState } from 'react';
import { pageMeta } from '../../brand.ts';
import { timeOf } from '../../domain/dates.ts';
import { useListAddress } from '../../domain/lists/list-address.ts';
import { SkeletonRows } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { useNow } from '../../domain/now.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty, Failed } from '../../ui/lists/empty.tsx';
import { FilterChips, Segments } from '../../ui/lists/filter.tsx';
import { usePhone } from '../../ui/phone.ts';
import { DepositDrawer } from './deposit/deposit-drawer.tsx';
import { Deposits } from './deposit/deposits.tsx';
import {
  type DrawerProps,
  type Item,
  isIn,
  itemsOf,
  type OnOpen,
  type Queue,
  type Step,
  type View,
} from './item.ts';
import { KeyHelp, KeyHint } from './key-help.tsx';
import { useQueueKeys } from './keys.ts';
import { Networks } from './networks/networks.tsx';
import { NetworkTrouble } from './networks/trouble.tsx';
import { ProposalDrawer } from './proposal/proposal-drawer.tsx';
import { Proposals } from './proposal/proposals.tsx';
import { Summary } from './summary.tsx';
import { WithdrawalDrawer } from './withdrawal/withdrawal-drawer.tsx';
import { Withdrawals } from './withdrawal/withdrawals.tsx';
import { queueSentence } from './wording.ts';

export const meta = () => pageMeta('Queue', 'What waits for an operator.');

export default function QueuePage() {
  const { data, isError, dataUpdatedAt, refetch } = useLive(queue, {}, 'Error fetching the queue:');
  const now = useNow();
  const items = data ? itemsOf(data) : undefined;
  const waiting = items?.map(({ since }) => since);
  const [open, setOpen] = useState<{ item: Item; step: Step } | null>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { view, choose } = useView();
  const openItem: OnOpen = (item, step) => setOpen({ item, step });
  const close = () => setOpen(null);
  const help = () => setHelpOpen(true);
  useQueueKeys({
    onHelp: help,
    onOpen: (key) => {
      const item = items?.find((one) => one.key === key);
      if (item) openItem(item, 'review');
    },
  });
  // The newest word about what is open, or the last one when it has left the queue.
  const current = open && items?.find(({ key }) => key === open.item.key);
  const last = useRef(current);
  useEffect(() => {
    if (current) last.current = current;
  }, [current]);

  return (
    <>
      <PageHead title="Queue" note={waiting ? queueSentence(waiting, now) : '\u00a0'}>
        <ViewChoice items={items} view={view} onChoose={choose} />
      </PageHead>
      <p role="status" className="sr-only">
        {items && `${items.length} waiting`}
      </p>
      {data && isError && <NotNewest since={dataUpdatedAt} onRetry={() => void refetch()} />}
      {data?.frozen != null && <LedgerFrozen reason={data.frozen} />}
      <NetworkTrouble />
      {(data || !isError) && <Summary queue={data} />}
      {items && items.length > 0 && <KeyHint onHelp={help} />}
      {items && data ? (
        <Sections items={items} view={view} frozen={data.frozen} onOpen={openItem} />
      ) : (
        <NothingYet isError={isError} onRetry={() => void refetch()} />
      )}
      <Networks />
      {open && data && (
        <ItemDrawer
          key={open.item.key}
          item={current ?? lastOf(last.current, open.item)}
          step={open.step}
          isGone={!current}
          queue={data}
          onStep={(step) => setOpen({ ...open, step })}
          onClose={close}
        />
      )}
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </>
  );
}

/** As it was when it was last seen, which may be long after it was opened. */
const lastOf = (last: Item | null | undefined, opened: Item) => (last?.key === opened.key ? last : opened);

const views: readonly { value: View; name: string }[] = [
  { value: 'all', name: 'All' },
  { value: 'deposits', name: 'Deposits' },
  { value: 'withdrawals', name: 'Withdrawals' },
  { value: 'second', name: 'Second operator' },
];

function useView() {
  const { params, change } = useListAddress();
  const view = views.find(({ value }) => value === params.get('show'))?.value ?? 'all';
  const choose = (next: View) => change({ show: next === 'all' ? '' : next }, { replace: true });
  return { view, choose };
}

interface ViewChoiceProps {
  items: readonly Item[] | undefined;
  view: View;
  onChoose: (view: View) => void;
}

function ViewChoice({ items, view, onChoose }: ViewChoiceProps) {
  const Filter = usePhone() ? FilterChips : Segments;
  const countOf = (which: View) => items?.filter((item) => isIn(which, item)).length;
  const choices = views.map((choice) => ({ ...choice, count: countOf(choice.value) ?? null }));
  return <Filter label="Show" choices={choices} value={view} onChoose={onChoose} />;
}

function LedgerFrozen({ reason }: { reason: string }) {
  return (
    <QuietNotice role="status">
      <b className="font-semibold text-1">All withdrawals are frozen.</b> {reason} Approving and paying are
      off until it is lifted in <TextLink to="/operator/books">Books</TextLink>.
    </QuietNotice>
  );
}

/** Whoever decides about money must know that the list is old. */
function NotNewest({ since, onRetry }: { since: number; onRetry: () => void }) {
  const time = timeOf(new Date(since).toISOString());
  return (
    <Failed onRetry={onRetry}>{`This is how it was at ${time}. The newest could not be fetched.`}</Failed>
  );
}

function NothingYet({ isError, onRetry }: { isError: boolean; onRetry: () => void }) {
  if (isError) return <Failed onRetry={onRetry}>The queue could not be fetched.</Failed>;
  return (
    <Card aria-busy="true" aria-label="Loading">
      <SkeletonRows height="h-16" />
    </Card>
  );
}

interface SectionsProps {
  items: readonly Item[];
  view: View;
  frozen: string | null;
  onOpen: OnOpen;
}

function Sections({ items, view, frozen, onOpen }: SectionsProps) {
  const shown = items.filter((item) => isIn(view, item));
  const deposits = shown.filter((item) => item.kind === 'deposit');
  const withdrawals = shown.filter((item) => item.kind === 'withdrawal');
  const requested = withdrawals.filter(({ of }) => of.status === 'requested');
  const approved = withdrawals.filter(({ of }) => of.status === 'approved');
  const proposals = shown.filter((item) => item.kind !== 'deposit' && item.kind !== 'withdrawal');
  if (shown.length === 0) {
    return (
      <Card>
        <Empty title="Nothing is waiting" text="New requests appear here by themselves, oldest first." />
      </Card>
    );
  }
  return (
    <>
      {deposits.length > 0 && <Deposits items={deposits} onOpen={onOpen} />}
      {requested.length > 0 && (
        <Withdrawals title="Withdrawals to approve" items={requested} frozen={frozen} onOpen={onOpen} />
      )}
      {approved.length > 0 && (
        <Withdrawals
          title="Withdrawals to pay"
          beside={<TextLink to="/operator/payouts">Pay several by a sheet</TextLink>}
          items={approved}
          frozen={frozen}
          onOpen={onOpen}
        />
      )}
      {proposals.length > 0 && <Proposals items={proposals} onOpen={onOpen} />}
    </>
  );
}

function ItemDrawer({ item, queue, ...rest }: DrawerProps<Item> & { queue: Queue }) {
  if (item.kind === 'deposit') return <DepositDrawer item={item} queue={queue} {...rest} />;
  if (item.kind === 'withdrawal') return <WithdrawalDrawer item={item} frozen={queue.frozen} {...rest} />;
  return <ProposalDrawer item={item} {...rest} />;
}
