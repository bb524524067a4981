import type { PlanProposal } from '@tallystick/contract/bounds';
import { planproposals } from '@tallystick/contract/operator-offers';
import { useId } from 'react';
import { agoOf, dayOf, timeOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useAct } from '../act.ts';
import { termsText } from '../bounds-words.ts';
import { useWho } from '../who.ts';

/** Plans and versions beyond the bounds, which one operator asked for and another must agree to. */
export function PlanProposals({ proposals }: { proposals: readonly PlanProposal[] }) {
  const now = useNow();
  if (proposals.length === 0) return null;
  return (
    <Card aria-label="Waits for a second operator">
      <h2 className="px-5 pt-4.5 text-body tracking-[-0.01em] tablet:px-6">Waits for a second operator</h2>
      <ul>
        {proposals.map((proposal) => (
          <li
            key={proposal._id}
            className="grid gap-x-6 gap-y-4 border-line px-5 py-4.5 not-first:border-t tablet:grid-cols-[minmax(0,1fr)_auto] tablet:px-6"
          >
            <div className="min-w-0 text-control/5 tabular-nums">
              <b className="font-semibold wrap-anywhere">
                {proposal.replaces === null
                  ? `New plan ${proposal.planname}`
                  : `New version of ${proposal.planname}`}
              </b>
              <p className="mt-0.5">{termsText(proposal)}</p>
              {proposal.because.length > 0 && <p className="mt-0.5 text-2">{proposal.because.join('; ')}.</p>}
              <p
                className="mt-0.5 text-caption text-3"
                title={`${dayOf(proposal.askedat)}, ${timeOf(proposal.askedat)}`}
              >
                Asked by {proposal.askedby} {agoOf(proposal.askedat, now)}
              </p>
            </div>
            <Decision proposal={proposal} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Decision({ proposal: { _id, planname, askedbyid } }: { proposal: PlanProposal }) {
  const isMine = useWho().operator._id === askedbyid;
  const agreeing = useAct(planproposals.confirm);
  const discarding = useAct(planproposals.discard);
  const busy = agreeing.busy || discarding.busy;
  const noteId = useId();
  const input = { params: { id: _id } };
  // The row goes, and the focus with it; the page's beginning is the next best place.
  const onDone = () => document.getElementById('main')?.focus({ preventScroll: true });
  return (
    <div className="grid content-center gap-2.5 tablet:w-60">
      <div className="flex gap-2.5 *:flex-1 tablet:justify-end">
        <Button
          look="primary"
          disabled={isMine || busy}
          aria-describedby={noteId}
          onClick={() => agreeing.act(input, { done: `${planname} is on the site`, onDone })}
          className="disabled:cursor-not-allowed disabled:bg-sunken disabled:text-3 disabled:inset-ring disabled:inset-ring-line"
        >
          Agree<span className="sr-only"> to {planname}</span>
        </Button>
        <Button
          disabled={busy}
          onClick={() => discarding.act(input, { done: `The draft of ${planname} was discarded`, onDone })}
        >
          Discard<span className="sr-only"> {planname}</span>
        </Button>
      </div>
      <p id={noteId} className="text-caption text-3">
        {isMine
          ? 'You asked for it, so another operator agrees.'
          : 'What is already open keeps its terms either way.'}
      </p>
    </div>
  );
}
