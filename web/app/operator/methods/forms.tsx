import { type Network, networkIds, networkNameOf, networkOf, networks } from '@tallystick/contract/networks';
import { Name } from '@tallystick/contract/operator/fields';
import {
  addpaymentmethod,
  addwithdrawalmethod,
  type OfferedPaymentMethod,
  type PaymentSource,
  proposeaddress,
} from '@tallystick/contract/operator/methods';
import { useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { FormChoice } from '../../domain/forms/form-choice.tsx';
import { FinePrint } from '../../domain/forms/form-notes.tsx';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { sourceText } from '../facts/sources.ts';
import { useActForm } from '../forms/act-form.ts';
import { FormModal } from '../forms/form-modal.tsx';
import { useKeyPreview } from './key-preview.ts';
import { SourceFields } from './source-fields.tsx';
import { notCompared, wayFields, wayOf } from './way.ts';

const network = z.enum(networkIds, 'Choose a network.');
const withdrawalFields = addwithdrawalmethod.body.extend({ network });

/** Nothing is chosen at first, which the form's type does not know. */
const noNetwork = '' as Network;

const networkChoice = {
  name: 'network',
  label: 'Network',
  prompt: 'Choose a network',
  options: networkIds.map((id) => ({
    value: id,
    name: networks[id].name,
    mark: <CoinMark coin={id} size={28} />,
  })),
} as const;

interface FormProps {
  onClose: () => void;
}

export function NewPaymentMethod({ onClose }: FormProps) {
  const [source, setSource] = useState<PaymentSource>('fixed');
  const fields = useMemo(() => z.object({ paymentname: Name, network, ...wayFields(source) }), [source]);
  const form = useActForm({
    call: addpaymentmethod,
    fields,
    values: { paymentname: '', network: noNetwork, paymentaddress: '', key: '' },
    first: 'paymentname',
  });
  const { control, field } = form;
  const chosen = networkOf(useWatch({ control, name: 'network' }));
  const preview = useKeyPreview(chosen, useWatch({ control, name: 'key' }));
  const onSubmit = form.handleSubmit((typed) => {
    if (source === 'derived' && !preview.preview) {
      return form.setError('key', { message: preview.wrong ?? notCompared });
    }
    const { paymentname } = typed;
    const body = { paymentname, network: typed.network, ...wayOf(source, typed) };
    return form.send({ body }, { done: `${paymentname} waits for a second operator`, onDone: onClose });
  });
  return (
    <FormModal
      title="New payment method"
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      button="Add payment method"
    >
      <Field
        label="Name"
        hint="Investors choose by it, and their entries carry it."
        autoComplete="off"
        {...field('paymentname')}
      />
      {/* Another network may not know what was chosen for the one before. */}
      <FormChoice control={control} {...networkChoice} onChosen={() => setSource('fixed')} />
      <SourceFields
        network={chosen}
        source={source}
        onSource={setSource}
        address={{ label: 'Address', ...field('paymentaddress') }}
        accountKey={field('key')}
        preview={preview}
      />
      <p className="text-label text-2">
        It shows on the site once a second operator has agreed to its{' '}
        {source === 'derived' ? 'key' : 'address'}.
      </p>
    </FormModal>
  );
}

export function NewWithdrawalMethod({ onClose }: FormProps) {
  const form = useActForm({
    call: addwithdrawalmethod,
    fields: withdrawalFields,
    values: { methodname: '', network: noNetwork },
    first: 'methodname',
  });
  const onSubmit = form.handleSubmit((body) =>
    form.send({ body }, { done: `${body.methodname} added`, onDone: onClose }),
  );
  return (
    <FormModal
      title="New withdrawal method"
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      button="Add withdrawal method"
    >
      <Field label="Name" hint="Investors choose by it." autoComplete="off" {...form.field('methodname')} />
      <FormChoice control={form.control} {...networkChoice} />
      <FinePrint>An investor’s address is checked for this network.</FinePrint>
    </FormModal>
  );
}

const values = { paymentaddress: '', key: '' };

/** An address on the site is where other people's money goes: nobody changes it alone. */
export function ChangeAddress({ method, onClose }: { method: OfferedPaymentMethod; onClose: () => void }) {
  const network = networkOf(method.coin);
  const [source, setSource] = useState(method.source);
  const fields = useMemo(() => z.object(wayFields(source)), [source]);
  const first = source === 'derived' ? 'key' : 'paymentaddress';
  const form = useActForm({ call: proposeaddress, fields, values, first });
  const preview = useKeyPreview(network, useWatch({ control: form.control, name: 'key' }));
  const asksFor = source === 'derived' ? 'key' : 'address';
  const isKey = method.source === 'derived';

  const onSubmit = form.handleSubmit((typed) => {
    if (source === 'derived' && !preview.preview) {
      return form.setError('key', { message: preview.wrong ?? notCompared });
    }
    return form.send(
      { params: { id: method._id }, body: wayOf(source, typed) },
      {
        done: `The new ${method.paymentname} ${asksFor} waits for a second operator`,
        onDone: onClose,
        onRefused: (message) => form.setError(first, { message }, { shouldFocus: true }),
      },
    );
  });

  return (
    <FormModal
      title={`Change the ${method.paymentname} ${isKey ? 'key' : 'address'}`}
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      button={`Ask for this ${asksFor}`}
    >
      <div className="rounded-code bg-sunken px-4 py-3.5 text-label inset-ring inset-ring-line">
        <p className="text-2">
          {method.source === 'fixed' ? 'Address' : sourceText(method)} now, {networkNameOf(method.network)}
        </p>
        <p className="mt-1 font-mono break-all">{method.path ?? (method.paymentaddress || 'None yet')}</p>
      </div>
      <SourceFields
        network={network}
        source={source}
        onSource={setSource}
        address={{ label: 'New address', ...form.field('paymentaddress') }}
        accountKey={form.field('key')}
        preview={preview}
      />
      <p className="text-label text-2">
        Until a second operator has confirmed it, the site keeps showing{' '}
        {isKey ? 'addresses of the key' : 'the address'} that is there now.
      </p>
    </FormModal>
  );
}
