import { hasOutputs } from '@tallystick/contract/chain';
import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { listcold } from '@tallystick/contract/operator/books';
import { Name } from '@tallystick/contract/operator/fields';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { FormChoice } from '../../domain/forms/form-choice.tsx';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Field, TextAreaField } from '../../ui/forms/field.tsx';
import { useActForm } from '../forms/act-form.ts';
import { FormModal } from '../forms/form-modal.tsx';

/** A coin a line; commas do as well. What is wrong with one is said of the field. */
export const TypedCoins = z.string().transform((typed, context): string[] => {
  const read = listcold.body.shape.coins.safeParse(typed.split(/[\s,]+/).filter(Boolean));
  if (read.success) return read.data;
  context.addIssue({ code: 'custom', message: read.error.issues[0]?.message ?? '' });
  return z.NEVER;
});

const fields = z.object({
  network: z.enum(networkIds, 'Choose a network.'),
  label: Name,
  address: z.string().trim().min(1, 'Enter the address.').pipe(listcold.body.shape.address),
  coins: TypedCoins,
});

/** Nothing is chosen at first, which the form's type does not know. */
const noNetwork = '' as Network;

interface ListColdProps {
  /** Those that are read. */
  networks: readonly Network[];
  onClose: () => void;
}

export function ListCold({ networks: read, onClose }: ListColdProps) {
  const [only] = read;
  const form = useActForm({
    call: listcold,
    fields,
    values: { network: read.length === 1 && only ? only : noNetwork, label: '', address: '', coins: '' },
    first: 'label',
  });
  const { control, field } = form;
  const network = useWatch({ control, name: 'network' });
  const hasCoins = network !== noNetwork && hasOutputs(network);
  const onSubmit = form.handleSubmit(({ coins, ...cold }) =>
    form.send(
      { body: { ...cold, coins: hasCoins ? coins : [] } },
      { done: `${cold.label} waits for a second operator`, onDone: onClose },
    ),
  );
  return (
    <FormModal
      title="List a cold address"
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      busyLabel="Looking"
      button="List the address"
      finePrint="It counts once another operator has agreed. It moves no money."
    >
      <Field
        label="Name"
        hint="What it is called among us, such as the vault it belongs to."
        autoComplete="off"
        {...field('label')}
      />
      <FormChoice
        control={control}
        name="network"
        label="Network"
        prompt="Choose a network"
        options={read.map((id) => ({
          value: id,
          name: networks[id].name,
          mark: <CoinMark coin={id} size={28} />,
        }))}
      />
      <Field label="Address" autoComplete="off" spellCheck={false} {...field('address')} />
      {hasCoins && (
        <TextAreaField
          label="Coins that lie there already"
          hint="One a line, as transaction id, colon, number of the output. The node is asked for each. Payments from the next block on count by themselves."
          spellCheck={false}
          {...field('coins')}
        />
      )}
    </FormModal>
  );
}
