import type { PlanProposal, WireBounds } from '@tallystick/contract/bounds';
import { type OfferedPlan, planproposals, plans as plansCall } from '@tallystick/contract/operator/plans';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { pageMeta } from '../../brand.ts';
import { agoOf, dayOf, timeOf } from '../../domain/dates.ts';
import { useListAddress } from '../../domain/lists/list-address.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { useNow } from '../../domain/now.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { exitText } from '../../domain/plans/plan-offer.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { termsText } from '../facts/wording.ts';
import { ProposalCard, ProposalRow } from '../forms/second-decision.tsx';
import { useOrder } from './order.ts';
import { PlanForm } from './plan-form.tsx';
import { editButtonId, PlanBlocks, PlanTable } from './plan-list.tsx';

export const meta = () => pageMeta('Plans', 'What is offered to investors, and on which terms.');

const newPlan = 'new';

export default function Plans() {
  const query = useLive(plansCall, {}, 'Error fetching plans:');
  const { data } = query;
  const { params, change } = useListAddress();
  const wish = params.get('plan') ?? '';
  const { shown, said, move } = useOrder(data?.plans ?? []);
  const list = { editing: wish, onEdit: (id: string) => change({ plan: id }), onMove: move };

  function close() {
    change({ plan: '' }, { replace: true });
    (document.getElementById(editButtonId(wish)) ?? document.getElementById('main'))?.focus();
  }

  return (
    <>
      <PageHead title="Plans" note="A change makes a new version. What is already open keeps its terms.">
        <Button
          id={editButtonId(newPlan)}
          className="max-tablet:w-full"
          onClick={() => change({ plan: newPlan })}
        >
          <Plus className="size-4" aria-hidden="true" />
          New plan
        </Button>
      </PageHead>
      {data && <PlanProposals proposals={data.proposals} />}
      <Card aria-label="Plans" className="overflow-hidden">
        <LiveList
          query={query}
          rows={data && shown}
          ifFailed="The plans could not be fetched. Nothing about them has changed."
          empty={
            <Empty title="No plan yet" text="Visitors see the plans that you offer here.">
              <Button look="primary" onClick={() => change({ plan: newPlan })}>
                New plan
              </Button>
            </Empty>
          }
          skeleton={{ height: 'h-[280px]', count: 3 }}
          phone={(plans) => <PlanBlocks plans={plans} {...list} />}
          wide={(plans) => <PlanTable plans={plans} {...list} />}
        >
          <p role="status" className="sr-only">
            {said}
          </p>
        </LiveList>
      </Card>
      {data && <Editor key={wish} wish={wish} plans={data.plans} bounds={data.bounds} onClose={close} />}
    </>
  );
}

interface EditorProps {
  wish: string;
  plans: readonly OfferedPlan[];
  bounds: WireBounds;
  onClose: () => void;
}

/** Keeps what was opened: when another operator replaces the plan meanwhile, nothing that was typed is lost. */
function Editor({ wish, plans, ...form }: EditorProps) {
  const found = plans.find(({ _id }) => _id === wish);
  const [opened] = useState(found ?? null);
  if (wish === newPlan) return <PlanForm plan={null} isReplaced={false} {...form} />;
  if (!opened) return null;
  return <PlanForm plan={opened} isReplaced={!found} {...form} />;
}

/** Plans and versions beyond the bounds, which one operator asked for and another must agree to. */
function PlanProposals({ proposals }: { proposals: readonly PlanProposal[] }) {
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
            {terms.exit && <p className="mt-0.5">{exitText(terms.exit)}</p>}
            {terms.reinvestable && <p className="mt-0.5">What it pays back may be invested again.</p>}
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
