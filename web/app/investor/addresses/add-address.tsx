import { zodResolver } from '@hookform/resolvers/zod';
import { addressLabelMax, addressWaitHours, saveaddress } from '@tallystick/contract/addresses';
import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { type ApiRefusal, callApi } from '../../api.ts';
import { whenOf } from '../../domain/dates.ts';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { FormChoice } from '../../domain/forms/form-choice.tsx';
import { Beside } from '../../domain/forms/form-notes.tsx';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Field, FieldFrame, inputClass } from '../../ui/forms/field.tsx';
import { useFirstFocus } from '../../ui/forms/first-focus.ts';
import { Modal, ModalBody, ModalHead, useUnsent } from '../../ui/overlays/modal.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { isGivenUp } from '../security/act.ts';
import { useRereadBook } from './book.ts';

const fields = z.object({
  label: saveaddress.body.shape.label,
  network: saveaddress.body.shape.network,
  address: z.string().trim().pipe(saveaddress.body.shape.address),
  tag: z
    .string()
    .trim()
    .transform((tag) => tag || undefined)
    .pipe(saveaddress.body.shape.tag),
});

const options = networkIds.map((id) => ({
  value: id,
  name: networks[id].name,
  mark: <CoinMark coin={id} size={28} />,
}));

interface AddAddressProps {
  /** Then it takes a confirmation. */
  isProtected: boolean;
  onClose: () => void;
}

export function AddAddress(props: AddAddressProps) {
  return (
    <Modal onClose={props.onClose}>
      <ModalHead>Add an address</ModalHead>
      <ModalBody>
        <AddForm {...props} />
      </ModalBody>
    </Modal>
  );
}

/** In the modal, not around it: what is to have the focus is there only then. */
function AddForm({ isProtected, onClose }: AddAddressProps) {
  const reread = useRereadBook();
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { label: '', network: '' as Network, address: '', tag: '' },
  });
  useFirstFocus('label');
  useUnsent(form.formState.isDirty);

  /** What is about the address stands beneath it. */
  const { busy, failure, submit } = useSubmission((refusal) => {
    if (isGivenUp(refusal)) return null;
    if (!isOfAddress(refusal)) return refusal.message || 'The address was not saved.';
    form.setError('address', { message: refusal.message }, { shouldFocus: true });
    return null;
  });

  const onSubmit = form.handleSubmit(({ tag, ...typed }) =>
    submit(async () => {
      const body = { ...typed, ...(hasTags(typed.network) && tag !== undefined && { tag }) };
      const { savedaddress } = await callApi(saveaddress, { body });
      await reread();
      const from = savedaddress.usablefrom;
      toastSuccess(
        `Saved ${savedaddress.label}`,
        from ? `It can be used from ${whenOf(from)}.` : 'Choose it when you withdraw.',
      );
      onClose();
    }),
  );

  return (
    <form noValidate method="post" onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <AddressFields form={form} />
      {isProtected && <Waits />}
      <FormFailure failure={failure} />
      <SubmitButton busy={busy} busyLabel="Saving">
        Save address
      </SubmitButton>
    </form>
  );
}

type Typed = z.input<typeof fields>;
type AddressForm = UseFormReturn<Typed, unknown, z.output<typeof fields>>;

const hasTags = (network: Network) => Boolean(network) && networks[network].family === 'xrp';

function AddressFields({ form }: { form: AddressForm }) {
  const network = useWatch({ control: form.control, name: 'network' });
  const field = fieldsOf(form);
  return (
    <>
      <Field
        label="Name"
        autoComplete="off"
        maxLength={addressLabelMax}
        hint="So that you recognise it, like the name of your wallet."
        {...field('label')}
      />
      <FormChoice
        control={form.control}
        name="network"
        label="Network"
        prompt="Choose a network"
        options={options}
        onChosen={() => {
          form.clearErrors('address');
          // It belongs to an address of the network that was chosen before.
          form.resetField('tag');
        }}
      />
      <FieldFrame
        label="Address"
        hint="Only you can tell that it is yours."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...field('address')}
      >
        {(input) => <input {...input} type="text" className={`${inputClass} font-mono`} />}
      </FieldFrame>
      {hasTags(network) && (
        <Field
          label="Destination tag"
          required={false}
          inputMode="numeric"
          autoComplete="off"
          beside={<Beside>If the address has one</Beside>}
          hint="Exchanges need it; a wallet of your own mostly has none."
          {...field('tag')}
        />
      )}
    </>
  );
}

const isOfAddress = ({ code }: ApiRefusal) => code === 'address_wrong' || code === 'already_saved';

function Waits() {
  return (
    <QuietNotice>
      Your addresses are protected, so you confirm that it is you, and we tell you by e-mail. Without a second
      factor, or with one that is newer than the protection, the address can be used after {addressWaitHours}{' '}
      hours.
    </QuietNotice>
  );
}
