import { zodResolver } from '@hookform/resolvers/zod';
import { type Investment, makeinvestment, type Plan } from '@tallystick/contract/investment';
import { type Cents, formatUsd, toDecimal, toWire } from '@tallystick/contract/money';
import { Layers } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Controller, FormProvider, useForm, useFormContext, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { ApiRefusal } from '../../api.ts';
import { longDayOf, timeOf } from '../../domain/dates.ts';
import { Beside, FinePrint } from '../../domain/forms/form-notes.tsx';
import { centsOf, usd } from '../../domain/money/amount.ts';
import {
  type CommandFailure,
  reasonOf,
  toastCommandFailure,
  useMoneyCommand,
} from '../../domain/money/money-command.ts';
import { readTyped, TypedAmount } from '../../domain/money/typed-amount.ts';
import { dollarsText, planRiskLine } from '../../domain/plans/plan-offer.ts';
import { usePlans } from '../../domain/plans/use-plans.ts';
import { useSession } from '../../storage.ts';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { ChoiceField } from '../../ui/forms/choice-field.tsx';
import { MaxButton, MoneyField } from '../../ui/forms/money-field.tsx';
import { useAvailable } from './balance.ts';
import { type CommandFormProps, CommandModal, Mono, RecordCode, Success } from './command-modal.tsx';
import { OfferStates } from './offers.tsx';
import { PlanFacts, PlanPreview } from './plan-preview.tsx';

export function InvestModal({ onClose }: { onClose: () => void }) {
  return <CommandModal title="Invest" onClose={onClose} Form={InvestForm} Done={InvestDone} />;
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

function InvestForm(props: CommandFormProps<Investment>) {
  return (
    <OfferStates
      query={usePlans()}
      ifFailed="The plans could not be fetched."
      ifNone="There is no plan to invest in at the moment. Please come back later."
    >
      {(plans) => <FilledInvestForm plans={plans} {...props} />}
    </OfferStates>
  );
}

type FilledProps = CommandFormProps<Investment> & { plans: readonly Plan[] };

function FilledInvestForm({ plans, onDone }: FilledProps) {
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { planid: '', [amountName]: '' },
  });
  const { control, handleSubmit, setError, setFocus } = form;
  const { errors } = form.formState;
  const [reason, setReason] = useState<string | null>(null);
  const { busy, send } = useMoneyCommand(makeinvestment);
  const userid = useSession()?._id ?? '';
  const [planid, typed] = useWatch({ control, name: ['planid', amountName] });
  const plan = plans.find(({ _id }) => _id === planid);
  const amountCents = readTyped(typed);
  const isOutside = plan !== undefined && amountCents !== null && !isWithin(plan, amountCents);
  useEffect(() => setFocus('planid'), [setFocus]);

  function onFailed(error: CommandFailure) {
    toastCommandFailure(error, 'investment');
    const isAboutAmount =
      error instanceof ApiRefusal && ['outside_range', 'insufficient_funds'].includes(error.code);
    if (isAboutAmount) setError(amountName, { message: reasonOf(error) }, { shouldFocus: true });
    else setReason(reasonOf(error));
  }

  const onSubmit = handleSubmit((values) => {
    setReason(null);
    const body = { userid, planid: values.planid, [amountName]: toWire(values[amountName]) };
    return send({ body }, { onDone: ({ investment }) => onDone(investment), onFailed });
  });

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
        <Controller
          control={control}
          name="planid"
          render={({ field: { onChange, ...field } }) => (
            <ChoiceField
              {...field}
              label="Plan"
              prompt="Choose a plan"
              options={plans.map(optionOf)}
              onChoose={onChange}
              error={errors.planid?.message}
            />
          )}
        />
        {plan && <PlanFacts plan={plan} />}
        <InvestAmount plan={plan} />
        <div role="status" className="-mt-3 text-caption font-label text-2 empty:hidden">
          {isOutside && !errors[amountName] && `${plan.planname} takes ${rangeOf(plan)}.`}
        </div>
        {plan && amountCents !== null && !isOutside && <PlanPreview plan={plan} amountCents={amountCents} />}
        {reason && <QuietNotice role="alert">{reason}</QuietNotice>}
        <SubmitButton busy={busy} busyLabel="Sending">
          {amountCents === null ? 'Invest' : `Invest ${formatUsd(amountCents)}`}
        </SubmitButton>
        <FinePrint>
          {plan && `The amount stays invested for the full ${plan.duration} days. `}
          {planRiskLine}
        </FinePrint>
      </form>
    </FormProvider>
  );
}

function InvestAmount({ plan }: { plan: Plan | undefined }) {
  const { register, setValue, formState } = useFormContext<z.input<typeof fields>>();
  const availableCents = useAvailable();
  const enterMax = () =>
    setValue(amountName, toDecimal(mostOf(availableCents ?? 0n, plan)), {
      shouldDirty: true,
      shouldValidate: true,
    });
  return (
    <MoneyField
      label="Amount"
      beside={availableCents !== null && <Beside>Available {formatUsd(availableCents)}</Beside>}
      end={<MaxButton disabled={!availableCents} onClick={enterMax} />}
      error={formState.errors[amountName]?.message}
      {...register(amountName)}
    />
  );
}

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
