import { zodResolver } from '@hookform/resolvers/zod';
import { formatUsd, toWire } from '@tallystick/contract/money';
import { type ThresholdChange, thresholdchanges } from '@tallystick/contract/operator';
import { setthreshold } from '@tallystick/contract/operator-records';
import { useId, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { centsOf, usd } from '../../domain/amount.ts';
import { agoOf } from '../../domain/dates.ts';
import { useNow } from '../../domain/now.ts';
import { readTyped, TypedAmount } from '../../domain/typed-amount.ts';
import { Button, SubmitButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { MoneyField } from '../../ui/money-field.tsx';
import { QuietNotice } from '../../ui/notice.tsx';
import { useAct } from '../act.ts';
import { useWho } from '../who.ts';

interface ThresholdProps {
  threshold: number;
  change: ThresholdChange | null;
}

/** Above which amount two operators approve a withdrawal. Making it stricter counts at once, looser takes two. */
export function Threshold({ threshold, change }: ThresholdProps) {
  return (
    <Card aria-label="Two approvals" className="grid gap-4.5 p-5 tablet:p-6">
      <div>
        <h2 className="text-[1.125rem]/6 tracking-[-0.015em]">Two approvals</h2>
        <p className="mt-1 text-control text-2 tabular-nums">
          Withdrawals above <b className="font-semibold text-1">{usd(threshold)}</b> need two operators,
          counted with what was approved for the same investor within a day.
        </p>
      </div>
      {change ? <WaitingChange change={change} /> : <ThresholdForm threshold={threshold} />}
    </Card>
  );
}

const fields = z.object({ amount: TypedAmount });

function ThresholdForm({ threshold }: { threshold: number }) {
  const { register, control, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(fields),
    defaultValues: { amount: '' },
  });
  const [refusal, setRefusal] = useState<string | null>(null);
  const { busy, act } = useAct(setthreshold);
  const cents = readTyped(useWatch({ control, name: 'amount' }));
  const isHigher = cents !== null && cents > centsOf(threshold);

  const onSubmit = handleSubmit(({ amount }) => {
    setRefusal(null);
    return act(
      { body: { amount: toWire(amount) } },
      {
        done:
          amount > centsOf(threshold)
            ? 'The higher threshold waits for a second operator'
            : `Above ${formatUsd(amount)} two operators approve`,
        onDone: () => reset(),
        onRefused: setRefusal,
      },
    );
  });

  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4.5">
      <MoneyField
        label="New threshold"
        end={<span className="pr-1.5 text-3">USD</span>}
        hint={
          isHigher
            ? 'This is higher, so it waits for a second operator.'
            : 'A lower one counts at once; a higher one waits for a second operator.'
        }
        error={formState.errors.amount?.message}
        {...register('amount')}
      />
      {refusal && <QuietNotice role="alert">{refusal}</QuietNotice>}
      <SubmitButton narrow busy={busy} busyLabel="Sending">
        {isHigher ? 'Ask for it' : 'Set threshold'}
      </SubmitButton>
    </form>
  );
}

function WaitingChange({ change }: { change: ThresholdChange }) {
  const { operator } = useWho();
  const now = useNow();
  const sentence = useId();
  const confirm = useAct(thresholdchanges.confirm);
  const discard = useAct(thresholdchanges.discard);
  const isOwn = change.askedbyid === operator._id;
  const busy = confirm.busy || discard.busy;
  const input = { params: { id: change._id } };
  return (
    <div className="grid gap-3.5 rounded-code bg-sunken p-4 inset-ring inset-ring-line">
      <div className="text-control text-2 tabular-nums">
        <p>
          <b className="font-semibold text-1">{`${usd(change.from)} becomes ${usd(change.to)}`}</b>, asked by{' '}
          {isOwn ? 'you' : change.askedby}, {agoOf(change.askedat, now)}.
        </p>
        <p id={sentence} className="mt-1">
          {isOwn
            ? 'You asked for this, so another operator must confirm it.'
            : 'It waits for a second operator.'}
        </p>
      </div>
      <div className="flex gap-2 max-tablet:*:flex-1">
        <Button
          disabled={busy}
          onClick={() => discard.act(input, { done: 'The higher threshold was discarded' })}
        >
          Discard
        </Button>
        <Button
          look="primary"
          disabled={busy || isOwn}
          aria-describedby={sentence}
          onClick={() => confirm.act(input, { done: `Above ${usd(change.to)} two operators approve` })}
          className="disabled:cursor-not-allowed disabled:bg-sunken disabled:text-3 disabled:inset-ring disabled:inset-ring-line"
        >
          Confirm
        </Button>
      </div>
    </div>
  );
}
