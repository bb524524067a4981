import { type Investment, makeinvestment, type Plan } from '@tallystick/contract/investment';
import { type Cents, formatUsd, parseAmount, profitOf, toDecimal, toWire } from '@tallystick/contract/money';
import { Layers } from 'lucide-react';
import type { CSSProperties } from 'react';
import { FormProvider, useFormContext, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { localTimeOf, longDayOf, timeOf } from '../../domain/dates.ts';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { FormChoice } from '../../domain/forms/form-choice.tsx';
import { Beside, FinePrint } from '../../domain/forms/form-notes.tsx';
import { centsOf, usd } from '../../domain/money/amount.ts';
import { toastCommandFailure } from '../../domain/money/money-command.ts';
import { readTyped, TypedAmount } from '../../domain/money/typed-amount.ts';
import { useNow } from '../../domain/now.ts';
import { dollarsText, exitText, maturityOf, planRiskLine } from '../../domain/plans/plan-offer.ts';
import { useSession } from '../../storage.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { MaxButton, MoneyField } from '../../ui/forms/money-field.tsx';
import { useAvailable } from './balance.ts';
import {
  type CommandFormProps,
  CommandModal,
  Mono,
  RecordCode,
  Success,
  useCommandForm,
} from './command-modal.tsx';
import { usePlans } from './offers.tsx';

export function InvestModal({ onClose }: { onClose: () => void }) {
  return (
    <CommandModal
      title="Invest"
      query={usePlans()}
      ifFailed="The plans could not be fetched."
      ifNone="There is no plan to invest in at the moment. Please come back later."
      onClose={onClose}
      Form={InvestForm}
      Done={InvestDone}
    />
  );
}

function InvestDone({ made, onClose }: { made: Investment; onClose: () => void }) {
  const due = centsOf(made.investinvestmemntamount) + centsOf(made.profit);
  return (
    <Success
      title="Investment started"
      text="It is written in your half and in ours, under the same code."
      receipt={[
        { name: 'Amount', value: usd(made.investinvestmemntamount) },
        { name: `Due ${longDayOf(made.maturesat)}`, value: formatUsd(due) },
        { name: 'At', value: timeOf(made.maturesat) },
        { name: 'Transaction ID', value: <Mono>{made.investmentransactionid}</Mono> },
        { name: 'Record code', value: <RecordCode transactionid={made.investmentransactionid} /> },
      ]}
      onClose={onClose}
    />
  );
}

const amountName = 'investinvestmemntamount';

const fields = z.object({ planid: z.string().min(1, 'Choose a plan.'), [amountName]: TypedAmount });

function InvestForm({ offers: plans, onDone }: CommandFormProps<Investment, Plan>) {
  const { form, busy, reason, send } = useCommandForm({
    call: makeinvestment,
    fields,
    values: { planid: '', [amountName]: '' },
    first: 'planid',
    fieldOf: { outside_range: amountName, insufficient_funds: amountName },
    onFailed: (error) => toastCommandFailure(error, 'investment'),
  });
  const { control } = form;
  const { errors } = form.formState;
  const userid = useSession()?._id ?? '';
  const [planid, typed] = useWatch({ control, name: ['planid', amountName] });
  const plan = plans.find(({ _id }) => _id === planid);
  const amountCents = readTyped(typed);
  const isOutside = plan !== undefined && amountCents !== null && !isWithin(plan, amountCents);

  const onSubmit = form.handleSubmit((values) => {
    const body = { userid, planid: values.planid, [amountName]: toWire(values[amountName]) };
    return send({ body }, ({ investment }) => onDone(investment));
  });

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
        <FormChoice
          control={control}
          name="planid"
          label="Plan"
          prompt="Choose a plan"
          options={plans.map(optionOf)}
        />
        {plan && <PlanFacts plan={plan} />}
        {plan?.exit && <p className="-mt-2.5 text-caption text-2 tabular-nums">{exitText(plan.exit)}</p>}
        <InvestAmount plan={plan} />
        <div role="status" className="-mt-3 text-caption font-label text-2 empty:absolute">
          {isOutside && !errors[amountName] && `${plan.planname} takes ${rangeOf(plan)}.`}
        </div>
        {plan && amountCents !== null && !isOutside && <PlanPreview plan={plan} amountCents={amountCents} />}
        {reason && <QuietNotice role="alert">{reason}</QuietNotice>}
        <SubmitButton busy={busy} busyLabel="Sending">
          {amountCents === null ? 'Invest' : `Invest ${formatUsd(amountCents)}`}
        </SubmitButton>
        <FinePrint>
          {plan && stayText(plan)}
          {planRiskLine}
        </FinePrint>
      </form>
    </FormProvider>
  );
}

function InvestAmount({ plan }: { plan: Plan | undefined }) {
  const form = useFormContext<z.input<typeof fields>>();
  const availableCents = useAvailable();
  const enterMax = () =>
    form.setValue(amountName, toDecimal(mostOf(availableCents ?? 0n, plan)), {
      shouldDirty: true,
      shouldValidate: true,
    });
  return (
    <MoneyField
      label="Amount"
      beside={availableCents !== null && <Beside>Available {formatUsd(availableCents)}</Beside>}
      end={<MaxButton disabled={!availableCents} onClick={enterMax} />}
      {...fieldsOf(form)(amountName)}
    />
  );
}

const stayText = ({ duration, exit }: Plan) =>
  `The amount stays invested for the full ${duration} days${exit ? ', unless you leave early' : ''}. `;

const isWithin = (plan: Plan, cents: Cents) => cents >= centsOf(plan.from) && cents <= centsOf(plan.to);

const rangeOf = ({ from, to }: Plan) => `${dollarsText(from)} to ${dollarsText(to)}`;

/** All that is there, but no more than the plan takes. */
function mostOf(availableCents: Cents, plan: Plan | undefined): Cents {
  const planMost = plan ? centsOf(plan.to) : availableCents;
  return availableCents < planMost ? availableCents : planMost;
}

function optionOf({ _id, planname }: Plan) {
  const mark = <Layers className="size-5 shrink-0 text-3" strokeWidth={1.75} aria-hidden="true" />;
  return { value: _id, name: planname, mark };
}

/** What the plan fixes. */
function PlanFacts({ plan }: { plan: Plan }) {
  const facts = [
    { name: 'Range', value: `${dollarsText(plan.from)} – ${dollarsText(plan.to)}` },
    { name: 'Duration', value: `${plan.duration} DAYS` },
    { name: 'ROI', value: `${plan.roi}%` },
  ];
  return (
    <dl className="grid grid-cols-[1.5fr_1fr_1fr] rounded-control bg-sunken tabular-nums inset-ring inset-ring-line max-[350px]:grid-cols-2 max-[350px]:*:first:col-span-2">
      {facts.map(({ name, value }) => (
        <div key={name} className="border-line px-3 py-[11px] not-first:border-l tablet:px-3.5">
          <dt className="text-caption text-3">{name}</dt>
          <dd className="text-control font-semibold whitespace-nowrap">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const notchMiddles = [34, 68];
const leftNotches = notchMiddles.map((y) => `100% ${y - 8}px, calc(100% - 8px) ${y}px, 100% ${y + 8}px`);
const rightNotches = notchMiddles.toReversed().map((y) => `0 ${y + 8}px, 8px ${y}px, 0 ${y - 8}px`);
const leftHalf: CSSProperties = {
  clipPath: `polygon(0 0, 100% 0, ${leftNotches.join(', ')}, 100% 100%, 0 100%)`,
};
const rightHalf: CSSProperties = {
  clipPath: `polygon(0 0, 100% 0, 100% 100%, 0 100%, ${rightNotches.join(', ')})`,
};

/** The two sides of the deal, to the cent, before it is made. */
function PlanPreview({ plan, amountCents }: { plan: Plan; amountCents: Cents }) {
  const now = useNow();
  const roiPoints = parseAmount(plan.roi);
  if (roiPoints === null) return null;
  const profitCents = profitOf(amountCents, Number(roiPoints));
  const maturesAt = maturityOf(now, plan.duration);
  const local = localTimeOf(maturesAt);
  return (
    <div className="grid gap-4.5 tabular-nums">
      <div className="grid grid-cols-2 gap-2">
        <div style={leftHalf} className="rounded-l-code bg-sunken p-4 tablet:px-5">
          <p className="text-label text-2">You pay</p>
          <Figure cents={amountCents} />
          <p className="text-caption text-3">today</p>
        </div>
        <div style={rightHalf} className="rounded-r-code bg-ink py-4 pr-4 pl-6 text-on-ink tablet:pl-7">
          <p className="text-label text-on-ink-2">You receive</p>
          <Figure cents={amountCents + profitCents} />
          <p className="text-caption text-on-ink-2">{formatUsd(profitCents)} profit</p>
        </div>
      </div>
      <div className="flex flex-wrap justify-between gap-x-4 text-control">
        <p className="text-2">Matures on</p>
        <p className="ml-auto text-right">
          <b className="block font-semibold">
            {longDayOf(maturesAt)}, {timeOf(maturesAt)}
          </b>
          {local && <span className="block text-caption text-3">{local}, by your clock</span>}
        </p>
      </div>
    </div>
  );
}

function Figure({ cents }: { cents: Cents }) {
  return (
    <p className="text-[1.1875rem]/8 font-semibold tracking-[-0.02em] min-[380px]:text-[1.375rem]/8 tablet:text-[1.5rem]/8">
      {formatUsd(cents)}
    </p>
  );
}
