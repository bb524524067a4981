import type { PlanProposal } from '@tallystick/contract/bounds';
import { planproposals } from '@tallystick/contract/operator/plans';
import { agoOf, dayOf, timeOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { termsText } from '../facts/wording.ts';
import { ProposalCard, ProposalRow } from '../forms/second-decision.tsx';

/** Plans and versions beyond the bounds, which one operator asked for and another must agree to. */
export function PlanProposals({ proposals }: { proposals: readonly PlanProposal[] }) {
  const now = useNow();
  if (proposals.length === 0) return null;
  return (
    <ProposalCard>
      {proposals.map(({ _id, planname, replaces, because, askedby, askedbyid, askedat, ...terms }) => (
        <ProposalRow
          key={_id}
          calls={planproposals}
          id={_id}
          askedbyid={askedbyid}
          agree={{ label: 'Agree', about: `to ${planname}`, done: `${planname} is on the site` }}
          discard={{ label: 'Discard', about: planname, done: `The draft of ${planname} was discarded` }}
          note={{
            own: 'You asked for it, so another operator agrees.',
            others: 'What is already open keeps its terms either way.',
          }}
        >
          <div className="min-w-0 text-control/5 tabular-nums">
            <b className="font-semibold wrap-anywhere">
              {replaces === null ? `New plan ${planname}` : `New version of ${planname}`}
            </b>
            <p className="mt-0.5">{termsText(terms)}</p>
            {because.length > 0 && <p className="mt-0.5 text-2">{because.join('; ')}.</p>}
            <p className="mt-0.5 text-caption text-3" title={`${dayOf(askedat)}, ${timeOf(askedat)}`}>
              Asked by {askedby} {agoOf(askedat, now)}
            </p>
          </div>
        </ProposalRow>
      ))}
    </ProposalCard>
  );
}
