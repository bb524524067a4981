import { networkNameOf, networkOf } from '@tallystick/contract/networks';
import { type OfferedPaymentMethod, proposeaddress } from '@tallystick/contract/operator/methods';
import { useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { sourceText } from '../facts/sources.ts';
import { useActForm } from '../forms/act-form.ts';
import { FormModal, ModalForm } from '../forms/form-modal.tsx';
import { useKeyPreview } from './key-preview.ts';
import { SourceFields } from './source-fields.tsx';
import { notCompared, wayFields, wayOf } from './way.ts';

interface ChangeAddressProps {
  method: OfferedPaymentMethod;
  onClose: () => void;
}

/** An address on the site is where other people's money goes: nobody changes it alone. */
export function ChangeAddress({ method, onClose }: ChangeAddressProps) {
  return (
    <FormModal title={`Change the ${method.paymentname} address`} onClose={onClose}>
      <AddressForm method={method} onClose={onClose} />
    </FormModal>
  );
}

const values = { paymentaddress: '', key: '' };

function AddressForm({ method, onClose }: ChangeAddressProps) {
  const network = networkOf(method.coin);
  const [source, setSource] = useState(method.source);
  const fields = useMemo(() => z.object(wayFields(source)), [source]);
  const first = source === 'derived' ? 'key' : 'paymentaddress';
  const form = useActForm({ call: proposeaddress, fields, values, first });
  const preview = useKeyPreview(network, useWatch({ control: form.control, name: 'key' }));
  const asksFor = source === 'derived' ? 'key' : 'address';

  const onSubmit = form.handleSubmit((typed) => {
    if (source === 'derived' && !preview.preview) {
      return form.setError('key', { message: preview.wrong ?? notCompared });
    }
    return form.send(
      { params: { id: method._id }, body: wayOf(source, typed) },
      {
        done: `The new ${method.paymentname} ${asksFor} waits for a second operator`,
        onDone: onClose,
        onRefused: (message) => form.setError(first, { message }),
      },
    );
  });

  return (
    <ModalForm onSubmit={onSubmit} busy={form.busy} button={`Ask for this ${asksFor}`}>
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
        Until a second operator has confirmed it, the site keeps showing the address that is there now.
      </p>
    </ModalForm>
  );
}
