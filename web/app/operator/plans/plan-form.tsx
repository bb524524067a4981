import { zodResolver } from '@hookform/resolvers/zod';
import type { WireBounds } from '@tallystick/contract/bounds';
import type { CallAnswer } from '@tallystick/contract/call';
import { formatUsd } from '@tallystick/contract/money';
import { addplan, type OfferedPlan, replaceplan } from '@tallystick/contract/operator/plans';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { Beside, EffectBox } from '../../domain/forms/form-notes.tsx';
import { PlanCard } from '../../domain/plans/plan-card.tsx';
import { dollarsText } from '../../domain/plans/plan-offer.ts';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { useFirstFocus } from '../../ui/forms/first-focus.ts';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { boundsOf } from '../facts/wording.ts';
import { useAct } from '../forms/act.ts';
import { TickField } from '../forms/tick-field.tsx';
import { UnitField } from '../forms/unit-field.tsx';
import {
  bodyOf,
  type Draft,
  type DraftInput,
  draftFields,
  draftOf,
  isSame,
  paysBack,
  previewOf,
  versionSentence,
  whyTwoSave,
} from './draft.ts';

interface PlanFormProps {
  /** The version that the new one takes the place of; null for a plan that was never there. */
  plan: OfferedPlan | null;
  /** Another operator has put a newer version in its place. */
  isReplaced: boolean;
  /** What one operator may offer alone. */
  bounds: WireBounds;
  onClose: () => void;
}

export function PlanForm({ plan, isReplaced, bounds, onClose }: PlanFormProps) {
  const title = plan ? `New version of ${plan.planname}` : 'New plan';
  const form = useForm({ resolver: zodResolver(draftFields), defaultValues: draftOf(plan) });
  const typed = { ...draftOf(plan), ...useWatch({ control: form.control }) };
  const { busy, reason, save } = useSave(plan, JSON.stringify(typed), onClose);
  const was = plan && changedFrom(plan, typed);
  const because = whyTwoSave(typed, boundsOf(bounds));
  const needsTwo = because.length > 0;
  useFirstFocus('planname');

  return (
    <Card
      aria-label={title}
      className="grid gap-7 p-5 tablet:px-7 tablet:pt-6.5 tablet:pb-7 desktop:grid-cols-[minmax(0,1fr)_340px] desktop:gap-10"
    >
      <form noValidate onSubmit={form.handleSubmit(save)} className="grid content-start gap-5">
        <div>
          <h2 className="text-[1.125rem]/6 tracking-[-0.015em]">{title}</h2>
          <p className="mt-1 text-label text-2 tabular-nums">
            {plan ? versionSentence(plan, needsTwo) : newSentence(needsTwo)}
          </p>
        </div>
        <PlanFields field={fieldsOf(form)} was={was} />
        <Effects typed={typed} />
        <div role="status" className="empty:absolute">
          {needsTwo && (
            <QuietNotice>
              <b className="font-semibold text-1">A second operator has to agree.</b> {because.join('; ')}.
            </QuietNotice>
          )}
        </div>
        {isReplaced && (
          <QuietNotice role="alert">
            Another operator has saved a newer version meanwhile. Discard this one and begin again from the
            newest.
          </QuietNotice>
        )}
        {reason && <QuietNotice role="alert">{reason}</QuietNotice>}
        <div className="flex flex-wrap gap-3 max-tablet:grid max-tablet:*:w-full">
          <SubmitButton narrow busy={busy} busyLabel="Saving">
            {saveLabel(plan, needsTwo)}
          </SubmitButton>
          <Button look="quiet" busy={busy} onClick={onClose}>
            Discard
          </Button>
        </div>
      </form>
      <PlanPreview typed={typed} />
    </Card>
  );
}

const newSentence = (needsTwo: boolean) =>
  `It stands last on the site, and on, once ${needsTwo ? 'a second operator has agreed' : 'you save it'}.`;

function saveLabel(plan: OfferedPlan | null, needsTwo: boolean): string {
  if (needsTwo) return plan ? `Ask for version ${plan.version + 1}` : 'Ask for this plan';
  return plan ? `Save as version ${plan.version + 1}` : 'Save plan';
}

interface PlanFieldsProps {
  field: ReturnType<typeof fieldsOf<DraftInput, unknown, Draft>>;
  was: ReturnType<typeof changedFrom> | null;
}

function PlanFields({ field, was }: PlanFieldsProps) {
  return (
    <div className="grid gap-x-4 gap-y-4.5 tablet:grid-cols-2">
      <div className="tablet:col-span-2">
        <Field label="Plan name" autoComplete="off" beside={was?.planname} {...field('planname')} />
      </div>
      <MoneyField label="From" end={null} beside={was?.from} {...field('from')} />
      <MoneyField label="To" end={null} beside={was?.to} {...field('to')} />
      <UnitField
        label="Duration"
        unit="days"
        inputMode="numeric"
        beside={was?.duration}
        {...field('duration')}
      />
      <UnitField label="ROI for the term" unit="%" beside={was?.roi} {...field('roi')} />
      <TickField label="What it pays back may be invested again" {...field('reinvestable')} />
      <fieldset className="grid gap-x-4 gap-y-4.5 tablet:col-span-2 tablet:grid-cols-3">
        <legend className="mb-3 text-label text-2">
          Leaving early: empty for a plan that runs to its end.
        </legend>
        <UnitField
          label="From day"
          unit="days"
          inputMode="numeric"
          beside={was?.exitfrom}
          {...field('exitfrom')}
        />
        <UnitField label="Keeps of the profit" unit="%" beside={was?.exitkeeps} {...field('exitkeeps')} />
        <UnitField label="Fee on the amount" unit="%" beside={was?.exitfee} {...field('exitfee')} />
      </fieldset>
    </div>
  );
}

/** A reason belongs to what stood in the form then: it goes as soon as something is changed. */
function useSave(plan: OfferedPlan | null, typed: string, onClose: () => void) {
  const adding = useAct(addplan);
  const replacing = useAct(replaceplan);
  const [refusal, setRefusal] = useState<{ why: string; typed: string } | null>(null);
  const setReason = (why: string) => setRefusal({ why, typed });

  async function save(draft: Draft) {
    setRefusal(null);
    const body = bodyOf(draft);
    const outcome = { onDone: onClose, onRefused: setReason };
    const doneWith = (text: string) => (answer: CallAnswer<typeof addplan>) =>
      answer.plan ? text : `${body.planname} waits for a second operator`;
    if (!plan) {
      return adding.act({ body }, { ...outcome, done: doneWith(`${body.planname} is on the site`) });
    }
    // One that is off may be asked for again as it stands: that puts it on the site.
    if (plan.active && isSame(draft, plan)) {
      setReason(`Change something first: this is version ${plan.version} as it stands.`);
      return;
    }
    const done = doneWith(`${body.planname} is at version ${plan.version + 1}`);
    return replacing.act({ params: { id: plan._id }, body }, { ...outcome, done });
  }

  const reason = refusal?.typed === typed ? refusal.why : null;
  return { busy: adding.busy || replacing.busy, reason, save };
}

function Effects({ typed }: { typed: ReturnType<typeof draftOf> }) {
  const { smallest, largest } = paysBack(typed);
  const text = (cents: bigint | null) => (cents === null ? 'Not known yet' : formatUsd(cents));
  return (
    <EffectBox
      rows={[
        { name: 'Smallest amount pays back', value: text(smallest) },
        { name: 'Largest amount pays back', value: text(largest) },
      ]}
    />
  );
}

/** Beside every field that is being changed stands what it was. */
function changedFrom(plan: OfferedPlan, typed: ReturnType<typeof draftOf>) {
  const before = draftOf(plan);
  const was = (name: Exclude<keyof typeof before, 'reinvestable'>, text: string) =>
    typed[name].trim() === before[name] ? undefined : <Beside>Was {text}</Beside>;
  return {
    planname: was('planname', plan.planname),
    from: was('from', dollarsText(plan.from)),
    to: was('to', dollarsText(plan.to)),
    duration: was('duration', `${plan.duration} days`),
    roi: was('roi', `${plan.roi}%`),
    exitfrom: was('exitfrom', plan.exit ? `day ${plan.exit.fromday}` : 'empty'),
    exitkeeps: was('exitkeeps', plan.exit ? `${plan.exit.keeps}%` : 'empty'),
    exitfee: was('exitfee', plan.exit ? `${plan.exit.fee}%` : 'empty'),
  };
}

/** The card as visitors will see it, while it is being written. Its button leads nowhere from here. */
function PlanPreview({ typed }: { typed: DraftInput }) {
  const plan = previewOf(typed);
  return (
    <section aria-label="As visitors will see it" className="max-w-[380px] desktop:max-w-none">
      <p className="mb-3 text-label text-2">As visitors will see it</p>
      {plan ? (
        <PlanCard plan={plan}>
          <span className="inline-flex min-h-11 items-center justify-center rounded-control bg-accent-tint text-control font-semibold text-accent-text">
            Get Started
          </span>
        </PlanCard>
      ) : (
        <p className="grid min-h-60 place-items-center rounded-card border border-dashed border-line-strong p-7 text-center text-control text-2">
          The card appears once all fields can be read.
        </p>
      )}
    </section>
  );
}
