import type { PlanProposal } from '@tallystick/contract/bounds';
import { planproposals } from '@tallystick/contract/operator/plans';
import { agoOf, dayOf, timeOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { Card } from '../../ui/layout/card.tsx';
import { termsText } from '../bounds-words.ts';
import { SecondDecision } from '../second-decision.tsx';

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
            <SecondDecision
              calls={planproposals}
              id={proposal._id}
              askedbyid={proposal.askedbyid}
              agree={{
                label: (
                  <>
                    Agree<span className="sr-only"> to {proposal.planname}</span>
                  </>
                ),
                done: `${proposal.planname} is on the site`,
              }}
              discard={{
                label: (
                  <>
                    Discard<span className="sr-only"> {proposal.planname}</span>
                  </>
                ),
                done: `The draft of ${proposal.planname} was discarded`,
              }}
              note={{
                own: 'You asked for it, so another operator agrees.',
                others: 'What is already open keeps its terms either way.',
              }}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
