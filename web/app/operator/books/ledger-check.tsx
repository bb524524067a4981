import { checkbooks, unfreezebooks } from '@tallystick/contract/operator/books';
import { useState } from 'react';
import { counted, dayOf, timeOf } from '../../domain/dates.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Spinner } from '../../ui/facts/spinner.tsx';
import { FindingLine } from '../facts/finding-line.tsx';
import { useAct } from '../forms/act.ts';
import { ReasonModal } from '../forms/form-modal.tsx';
import type { Books } from './sums.ts';

export function LedgerCheck({ check }: { check: Books['check'] }) {
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
export function BooksFrozen({ why, check }: { why: string; check: Books['check'] }) {
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
