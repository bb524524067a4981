import { type Cents, formatUsd, toWire } from '@tallystick/contract/money';
import { Reason } from '@tallystick/contract/operator/fields';
import { proposecorrection } from '@tallystick/contract/operator/investors';
import type { ComponentProps } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { Beside, EffectBox } from '../../domain/forms/form-notes.tsx';
import { readTyped, TypedAmount } from '../../domain/money/typed-amount.ts';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { MoneyField } from '../../ui/forms/money-field.tsx';
import { useActForm } from '../forms/act-form.ts';
import { FormModal } from '../forms/form-modal.tsx';

interface CorrectionProps {
  id: string;
  name: string;
  availableCents: Cents;
  onClose: () => void;
}

const fields = z.object({ direction: z.enum(['add', 'take']), amount: TypedAmount, reason: Reason });

const values = { direction: 'add' as const, amount: '', reason: '' };

/** One operator asks, another posts it: an entry of its own, never a change of one that is there. */
export function Correction({ id, name, availableCents, onClose }: CorrectionProps) {
  const form = useActForm({ call: proposecorrection, fields, values, first: 'amount' });
  const { control, field } = form;
  const [direction, typed] = useWatch({ control, name: ['direction', 'amount'] });
  const afterCents = afterOf(availableCents, direction, readTyped(typed));

  const onSubmit = form.handleSubmit(({ direction, amount, reason }) => {
    if (direction === 'take' && amount > availableCents) {
      const message = `Only ${formatUsd(availableCents)} is available.`;
      return form.setError('amount', { message }, { shouldFocus: true });
    }
    return form.send(
      { params: { id }, body: { direction, amount: toWire(amount), reason } },
      { done: 'The correction waits for a second operator', onDone: onClose },
    );
  });

  return (
    <FormModal
      title="Correction"
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      button="Ask for this correction"
      finePrint="A second operator must agree before anything is posted."
    >
      <DirectionField {...form.register('direction')} />
      <MoneyField
        label="Amount"
        beside={<Beside>Available {formatUsd(availableCents)}</Beside>}
        {...field('amount')}
      />
      <TextAreaField label="Reason" hint={`${name} will read it beside the entry.`} {...field('reason')} />
      <EffectBox
        rows={[
          { name: 'Available now', value: formatUsd(availableCents) },
          { name: 'Available after', value: afterText(afterCents) },
          { name: 'Entry', value: 'Correction' },
        ]}
      />
    </FormModal>
  );
}

function afterText(afterCents: Cents | null): string {
  if (afterCents === null) return 'Not known yet';
  return afterCents < 0n ? 'More than there is' : formatUsd(afterCents);
}

function afterOf(availableCents: Cents, direction: 'add' | 'take', amountCents: Cents | null): Cents | null {
  if (amountCents === null) return null;
  return direction === 'add' ? availableCents + amountCents : availableCents - amountCents;
}

const ways = [
  { value: 'add', name: 'Add to the wallet' },
  { value: 'take', name: 'Take from the wallet' },
] as const;

/** Two rows to choose from; the field's own props go to both. */
function DirectionField(radio: ComponentProps<'input'>) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-label font-label">Direction</legend>
      <div className="grid gap-2.5 tablet:grid-cols-2">
        {ways.map(({ value, name }) => (
          <label
            key={value}
            className="flex min-h-12 cursor-pointer items-center gap-2.5 rounded-control bg-surface px-3.5 text-control inset-ring inset-ring-line-strong has-checked:inset-ring-2 has-checked:inset-ring-accent-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text"
          >
            <input
              {...radio}
              type="radio"
              value={value}
              className="size-4.5 shrink-0 accent-accent outline-none"
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
