import { formatUsd } from '@tallystick/contract/money';
import { books as booksCall, checkbooks, unfreezebooks } from '@tallystick/contract/operator/books';
import { useState } from 'react';
import { pageMeta } from '../../brand.ts';
import { counted, dayOf, timeOf } from '../../domain/dates.ts';
import { csvOf, ExportLink } from '../../domain/lists/export-link.tsx';
import { useLive } from '../../domain/live.ts';
import { usd } from '../../domain/money/amount.ts';
import { useNow } from '../../domain/now.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { Figures } from '../facts/figures.tsx';
import { FindingLine } from '../facts/finding-line.tsx';
import { useAct } from '../forms/act.ts';
import { ReasonModal } from '../forms/form-modal.tsx';
import { Held, Owed } from './balances.tsx';
import { Flows, Obligations } from './charts.tsx';
import { ColdAddresses } from './cold.tsx';
import { ColdProposals } from './cold-proposals.tsx';
import { EnterHeld, type HeldMethod } from './held-form.tsx';
import { Statements } from './statements.tsx';
import { type Books, coverageOf, differenceOf, dueSoon, enteredText } from './sums.ts';

export const meta = () => pageMeta('Books', 'What is owed, what is held, and what falls due when.');

export default function BooksScreen() {
  const { data, isError, refetch } = useLive(booksCall, {}, 'Error fetching the books:');
  return (
    <>
      <PageHead title="Books" note={data ? `As of ${dayOf(data.at)}, ${timeOf(data.at)}` : ''}>
        <span className="max-tablet:-ml-4.5">
          <ExportLink href={csvOf(booksCall.path, {})} />
        </span>
      </PageHead>
      {isError && (
        <Failed onRetry={refetch}>
          {data
            ? 'The newest figures could not be fetched. These are from the time above.'
            : 'The books could not be fetched. Nothing about them has changed.'}
        </Failed>
      )}
      {data ? <Shown books={data} /> : !isError && <Waiting />}
    </>
  );
}

function Shown({ books }: { books: Books }) {
  const [entering, setEntering] = useState<HeldMethod | null>(null);
  return (
    <>
      {books.frozen !== null && <BooksFrozen why={books.frozen} check={books.check} />}
      <ColdProposals changes={books.held.coldchanges} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5 tablet:gap-5 desktop:grid-cols-[repeat(2,minmax(0,1fr))]">
        <Owed owed={books.owed} />
        <Held held={books.held} onEnter={setEntering} />
      </div>
      <KeyFigures books={books} />
      <ColdAddresses held={books.held} />
      <Obligations books={books} />
      <Flows days={books.days} />
      <Statements />
      <LedgerCheck check={books.check} />
      {entering && <EnterHeld method={entering} books={books} onClose={() => setEntering(null)} />}
    </>
  );
}

function KeyFigures({ books }: { books: Books }) {
  const now = useNow();
  const { owed, held } = books;
  const difference = differenceOf(owed.together, held.together);
  return (
    <Figures
      label="Key figures"
      figures={[
        { name: 'Coverage', value: coverageOf(owed.together, held.together) },
        {
          name: difference.name,
          value: difference.cents === null ? 'Not known' : formatUsd(difference.cents),
        },
        { name: 'Due in the next 4 weeks', value: formatUsd(dueSoon(books)) },
        held.networks.length === 0
          ? { name: 'Held figures entered', value: enteredText(held.methods, now) }
          : { name: 'Typed, of what is held', value: held.typed === null ? 'Nothing' : usd(held.typed) },
      ]}
    />
  );
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid gap-3.5 tablet:gap-5">
      <p className="sr-only">Loading</p>
      <div className="grid gap-3.5 tablet:gap-5 desktop:grid-cols-2">
        {['owed', 'held'].map((side) => (
          <Card key={side} className="h-72 p-6">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="mt-3 h-8 w-56" />
            <Skeleton className="mt-8 h-32 w-full" />
          </Card>
        ))}
      </div>
      <Card className="h-25" />
      <Card className="h-100 p-6">
        <Skeleton className="h-full w-full" />
      </Card>
    </div>
  );
}

function LedgerCheck({ check }: { check: Books['check'] }) {
  const { busy, act } = useAct(checkbooks);
  const { state, title, text } = wordsOf(check);
  const run = () =>
    act(
      {},
      {
        done: ({ findings }) =>
          findings.length === 0
            ? 'Ledger check passed'
            : `The ledger check found ${counted(findings.length, 'difference')}`,
      },
    );
  return (
    <FindingLine
      label="Ledger check"
      state={state}
      title={title}
      text={
        <>
          {text}
          {check && check.findings.length > 0 && (
            <ul className="mt-1.5 list-disc pl-5 wrap-anywhere">
              {check.findings.map((finding) => (
                <li key={finding}>{finding}</li>
              ))}
            </ul>
          )}
        </>
      }
    >
      <Button size="small" aria-busy={busy} onClick={run} className="aria-busy:cursor-progress">
        {busy && <Spinner />}
        {busy ? 'Running' : 'Run now'}
      </Button>
    </FindingLine>
  );
}

function wordsOf(check: Books['check']): {
  state: 'passed' | 'failed' | 'unknown';
  title: string;
  text: string;
} {
  if (!check) {
    return { state: 'unknown', title: 'The ledger was never checked.', text: 'Run the check to see.' };
  }
  const scope = `${counted(check.entries, 'entry', 'entries')} in ${counted(check.accounts, 'account')}`;
  const when = `Run ${dayOf(check.at)} at ${timeOf(check.at)}.`;
  if (check.findings.length > 0) {
    return { state: 'failed', title: 'Ledger check failed.', text: `${scope}. ${when}` };
  }
  const text = `${scope} sum to zero, every chain unbroken. ${when}`;
  return { state: 'passed', title: 'Ledger check passed.', text };
}

/** All withdrawals stand still until somebody has looked into it and says so. */
function BooksFrozen({ why, check }: { why: string; check: Books['check'] }) {
  const [isOpen, setOpen] = useState(false);
  const hasPassed = check !== null && check.findings.length === 0;
  return (
    <>
      <FindingLine
        label="Withdrawals"
        state="failed"
        title="All withdrawals are frozen."
        text={
          <>
            {why}
            {!hasPassed && ' They can be unfrozen once a ledger check has passed.'}
          </>
        }
      >
        <Button size="small" disabled={!hasPassed} onClick={() => setOpen(true)}>
          Unfreeze
        </Button>
      </FindingLine>
      {isOpen && (
        <ReasonModal
          title="Unfreeze withdrawals"
          call={unfreezebooks}
          inputOf={(reason) => ({ body: { reason } })}
          done="Withdrawals go on"
          onClose={() => setOpen(false)}
        >
          Withdrawals of all investors can be approved and paid again. Say what was found and done.
        </ReasonModal>
      )}
    </>
  );
}
