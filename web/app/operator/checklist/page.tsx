import type { BoundsChange, WireBounds } from '@tallystick/contract/bounds';
import type { CallAnswer } from '@tallystick/contract/call';
import { roiToWire, toWire } from '@tallystick/contract/money';
import { boundschanges, checklist, proposebounds } from '@tallystick/contract/operator/checklist';
import { PlanDraft } from '@tallystick/contract/operator/plans';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { z } from 'zod';
import { pageMeta } from '../../brand.ts';
import { agoOf, counted } from '../../domain/dates.ts';
import { LiveList } from '../../domain/lists/list-states.tsx';
import { useLive } from '../../domain/live.ts';
import { TypedAmount } from '../../domain/money/typed-amount.ts';
import { useNow } from '../../domain/now.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { useFirstFocus } from '../../ui/forms/first-focus.ts';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { boundsChanges, boundsLines } from '../facts/wording.ts';
import { useActForm } from '../forms/act-form.ts';
import { AgreeButton, useSecondDecision } from '../forms/second-decision.tsx';
import { UnitField } from '../forms/unit-field.tsx';
import { typedDays, typedDollars, typedPercent } from '../plans/draft.ts';

export const meta = () => pageMeta('Checklist', 'What is missing before real people use it.');

type Item = CallAnswer<typeof checklist>['items'][number];

/** Where in the console something can be done about it; the rest is done on the server. */
const places: Partial<Record<Item['key'], { to: string; name: string }>> = {
  payments: { to: '/operator/methods', name: 'Open Methods' },
  check: { to: '/operator/books', name: 'Open Books' },
};

export default function ChecklistPage() {
  const query = useLive(checklist, {}, 'Error fetching the checklist:');
  const { data } = query;
  return (
    <>
      <PageHead title="Checklist" note={data && missingSentence(data.items)} />
      <div className="grid items-start gap-3.5 tablet:gap-5 desktop:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]">
        <Card aria-label="Before real people use it">
          <LiveList
            query={query}
            rows={data?.items}
            ifFailed="The checklist could not be fetched."
            skeleton={{ height: 'h-20' }}
            empty={null}
            phone={(items) => (
              <ul>
                {items.map((item) => (
                  <ChecklistItem key={item.key} item={item} />
                ))}
              </ul>
            )}
          />
        </Card>
        {data && <Bounds bounds={data.bounds} change={data.boundschange} />}
      </div>
    </>
  );
}

function missingSentence(items: readonly Item[]): string {
  const missing = items.filter(({ done }) => !done).length;
  if (missing === 0) return 'Everything is in place.';
  return `${counted(missing, 'thing')} missing before real people use it.`;
}

function ChecklistItem({ item: { key, title, done, detail } }: { item: Item }) {
  const Icon = done ? CircleCheck : CircleAlert;
  const place = done ? undefined : places[key];
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3.5 gap-y-1 border-line px-5 py-4 not-first:border-t tablet:px-6">
      <Icon className={`mt-px size-5 ${done ? 'text-3' : 'text-1'}`} strokeWidth={1.75} aria-hidden="true" />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <b className="text-control font-semibold">{title}</b>
        <span className={`text-caption ${done ? 'text-3' : 'font-semibold'}`}>
          {done ? 'Done' : 'Missing'}
        </span>
      </div>
      <div className="col-start-2 text-label text-2">
        <p className="wrap-anywhere">{detail}</p>
        {place && (
          <Link to={place.to} className="textlink mt-1 inline-block py-1">
            {place.name}
          </Link>
        )}
      </div>
    </li>
  );
}

/** What one operator may do alone. Narrower or wider, another set takes two. */
function Bounds({ bounds, change }: { bounds: WireBounds; change: BoundsChange | null }) {
  const [isAsking, setAsking] = useState(false);
  const asking = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAsking(false);
    requestAnimationFrame(() => asking.current?.focus());
  };
  return (
    <Card aria-label="What one operator may do alone" className="grid gap-4.5 p-5 tablet:p-6">
      <div>
        <h2 className="text-[1.125rem]/6 tracking-[-0.015em]">What one operator may do alone</h2>
        <p className="mt-1 text-control text-2">
          Beyond this a second operator has to agree. Deposits and payouts of a day are added up: by investor,
          by the address they go to, and by the operator who decides alone. What a chain shows is added
          without anybody; above its own bound one operator agrees.
        </p>
      </div>
      <dl className="grid gap-2.5 text-control tabular-nums">
        {boundsLines(bounds).map(({ name, value, isMost }) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-2">{name}</dt>
            <dd className="ml-auto font-semibold">{isMost ? `up to ${value}` : value}</dd>
          </div>
        ))}
      </dl>
      {change ? (
        <WaitingChange change={change} />
      ) : isAsking ? (
        <BoundsForm bounds={bounds} onClose={close} />
      ) : (
        <Button ref={asking} className="justify-self-start max-tablet:w-full" onClick={() => setAsking(true)}>
          Ask for other bounds
        </Button>
      )}
    </Card>
  );
}

function WaitingChange({ change }: { change: BoundsChange }) {
  const decision = useSecondDecision(boundschanges, change.askedbyid);
  const { isOwn, agree, discard } = decision;
  const now = useNow();
  const sentence = useId();
  const input = { params: { id: change._id } };
  return (
    <div className="grid gap-3.5 rounded-code bg-sunken p-4 inset-ring inset-ring-line">
      <div className="text-control text-2 tabular-nums">
        <ul>
          {boundsChanges(change).map(({ name, from, to }) => (
            <li key={name}>
              {name}: {from} becomes <b className="font-semibold text-1">{to}</b>
            </li>
          ))}
        </ul>
        <p id={sentence} className="mt-2">
          {isOwn ? 'You asked for this' : `${change.askedby} asked for this`}, {agoOf(change.askedat, now)}.{' '}
          {isOwn ? 'Another operator must agree.' : 'It waits for a second operator.'}
        </p>
      </div>
      <div className="flex gap-2 max-tablet:*:flex-1">
        <Button
          busy={decision.busy}
          onClick={() => discard(input, { done: 'The other bounds were discarded' })}
        >
          Discard
        </Button>
        <AgreeButton
          decision={decision}
          aria-describedby={sentence}
          onClick={() => agree(input, { done: 'The new bounds count from now on' })}
        >
          Agree
        </AgreeButton>
      </div>
    </div>
  );
}

const fields = z
  .object({
    threshold: TypedAmount,
    chainthreshold: TypedAmount,
    roiperday: typedPercent.pipe(PlanDraft.shape.roi),
    daysmin: typedDays,
    daysmax: typedDays,
    planmax: TypedAmount,
  })
  .refine(({ daysmin, daysmax }) => daysmin <= daysmax, {
    path: ['daysmax'],
    message: 'The longest term is below the shortest.',
  });

function BoundsForm({ bounds, onClose }: { bounds: WireBounds; onClose: () => void }) {
  const form = useActForm({
    call: proposebounds,
    fields,
    values: {
      threshold: typedDollars(bounds.threshold),
      chainthreshold: typedDollars(bounds.chainthreshold),
      roiperday: String(bounds.roiperday),
      daysmin: String(bounds.daysmin),
      daysmax: String(bounds.daysmax),
      planmax: typedDollars(bounds.planmax),
    },
    first: 'threshold',
  });

  const { field, handleSubmit, send, busy, refusal } = form;
  useFirstFocus(form.first);

  const onSubmit = handleSubmit(({ threshold, chainthreshold, roiperday, planmax, ...days }) => {
    const body = {
      ...days,
      threshold: toWire(threshold),
      chainthreshold: toWire(chainthreshold),
      roiperday: roiToWire(roiperday),
      planmax: toWire(planmax),
    };
    return send({ body }, { onDone: onClose });
  });

  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4.5">
      <MoneyField label="A deposit or a payout, up to" end={null} {...field('threshold')} />
      <MoneyField label="A deposit its chain shows, up to" end={null} {...field('chainthreshold')} />
      <UnitField label="A plan’s return, up to" unit="% a day" {...field('roiperday')} />
      <div className="grid grid-cols-2 gap-4">
        <UnitField label="A plan’s term, from" unit="days" inputMode="numeric" {...field('daysmin')} />
        <UnitField label="A plan’s term, to" unit="days" inputMode="numeric" {...field('daysmax')} />
      </div>
      <MoneyField label="A plan’s largest amount, up to" end={null} {...field('planmax')} />
      {refusal && <QuietNotice role="alert">{refusal}</QuietNotice>}
      <p className="-mt-1.5 text-caption text-3">
        They count once a second operator has agreed, narrower ones too.
      </p>
      <div className="flex flex-wrap gap-3 max-tablet:grid max-tablet:*:w-full">
        <SubmitButton narrow busy={busy} busyLabel="Sending">
          Ask for these
        </SubmitButton>
        <Button look="quiet" busy={busy} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
