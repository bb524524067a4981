import { zodResolver } from '@hookform/resolvers/zod';
import {
  type AddressProtection,
  addressLabelMax,
  nameaddress,
  removeaddress,
  type SavedAddress,
} from '@tallystick/contract/addresses';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { callApi } from '../../api.ts';
import { agoOf, dayOf, whenOf } from '../../domain/dates.ts';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { FormFailure, useSubmission } from '../../domain/forms/submission.tsx';
import { useNow } from '../../domain/now.ts';
import { CoinMark } from '../../domain/prices/coin-mark.tsx';
import { Button, SubmitButton } from '../../ui/actions/button.tsx';
import { Copyable } from '../../ui/actions/copy.tsx';
import { Chip } from '../../ui/facts/chip.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { useFirstFocus } from '../../ui/forms/first-focus.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Empty } from '../../ui/lists/empty.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { useMoneyOff } from '../offline/reach.ts';
import { RemoveModal } from '../security/remove-modal.tsx';
import { networkText, useBookAct, useRereadBook } from './book.ts';

interface AddressListProps {
  addresses: readonly SavedAddress[];
  protection: AddressProtection;
}

type Doing = { kind: 'rename' | 'remove'; saved: SavedAddress };

export function AddressList({ addresses, protection }: AddressListProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const isProtected = protection.state !== 'off';
  return (
    <Card aria-label="Saved addresses" className="tabular-nums">
      {addresses.length === 0 ? (
        <Empty title="No address is saved yet" text="Add one here, or save it with your next withdrawal." />
      ) : (
        <ul>
          {addresses.map((saved) => (
            <AddressRow
              key={saved._id}
              saved={saved}
              isWaiting={isProtected && saved.usablefrom !== null}
              onDo={(kind) => setDoing({ kind, saved })}
            />
          ))}
        </ul>
      )}
      {doing?.kind === 'rename' && <RenameAddress saved={doing.saved} onClose={close} />}
      {doing?.kind === 'remove' && (
        <RemoveAddress saved={doing.saved} isProtected={isProtected} onClose={close} />
      )}
    </Card>
  );
}

interface AddressRowProps {
  saved: SavedAddress;
  isWaiting: boolean;
  onDo: (kind: Doing['kind']) => void;
}

function AddressRow({ saved, isWaiting, onDo }: AddressRowProps) {
  const { label, network, address, savedat, lastpaidat, usablefrom } = saved;
  const now = useNow();
  const off = useMoneyOff();
  const used = lastpaidat ? `last paid to ${agoOf(lastpaidat, now)}` : 'not paid to yet';
  return (
    <li className="grid grid-cols-[36px_minmax(0,1fr)] items-start gap-x-3.5 gap-y-2.5 border-line px-5 py-4 not-first:border-t tablet:px-7 min-[1181px]:grid-cols-[36px_minmax(0,1fr)_auto]">
      <CoinMark coin={network} size={36} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <b className="text-control/5 font-label wrap-anywhere">{label}</b>
          {isWaiting && <Chip look="waiting">New</Chip>}
        </div>
        <Small>{networkText(saved)}</Small>
        <p className="mt-1 text-label break-all">
          <Copyable what="the address">{address}</Copyable>
        </p>
        <Small>{`Saved ${dayOf(savedat)}, ${used}`}</Small>
        {isWaiting && usablefrom && <Small>{`Can be used from ${whenOf(usablefrom)}`}</Small>}
      </div>
      <div className="col-start-2 flex gap-2 min-[1181px]:col-start-3">
        <Button size="small" onClick={() => onDo('rename')} aria-label={`Rename ${label}`} {...off}>
          Rename
        </Button>
        <Button size="small" onClick={() => onDo('remove')} aria-label={`Remove ${label}`} {...off}>
          Remove
        </Button>
      </div>
    </li>
  );
}

interface RenameProps {
  saved: SavedAddress;
  onClose: () => void;
}

function RenameAddress(props: RenameProps) {
  return (
    <Modal narrow onClose={props.onClose}>
      <ModalHead>Rename the address</ModalHead>
      <ModalBody>
        <RenameForm {...props} />
      </ModalBody>
    </Modal>
  );
}

function RenameForm({ saved, onClose }: RenameProps) {
  const reread = useRereadBook();
  const form = useForm({ resolver: zodResolver(nameaddress.body), defaultValues: { label: saved.label } });
  const { busy, failure, submit } = useSubmission((refusal) => refusal.message || 'It was not saved.');
  useFirstFocus('label');
  const onSubmit = form.handleSubmit((body) =>
    submit(async () => {
      await callApi(nameaddress, { params: { addressid: saved._id }, body });
      await reread();
      onClose();
    }),
  );
  return (
    <form noValidate method="post" onSubmit={onSubmit} className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
      <Field label="Name" autoComplete="off" maxLength={addressLabelMax} {...fieldsOf(form)('label')} />
      <FormFailure failure={failure} />
      <SubmitButton busy={busy} busyLabel="Saving">
        Save
      </SubmitButton>
    </form>
  );
}

interface RemoveAddressProps {
  saved: SavedAddress;
  isProtected: boolean;
  onClose: () => void;
}

function RemoveAddress({ saved, isProtected, onClose }: RemoveAddressProps) {
  const { busy, act } = useBookAct();
  const remove = () =>
    act('The address was not removed', async () => {
      await callApi(removeaddress, { params: { addressid: saved._id } });
      toastSuccess(`Removed ${saved.label}`);
      onClose();
    });
  const text = isProtected
    ? 'No withdrawal goes there any more. To use it again you save it anew, with a confirmation.'
    : 'It is no longer offered when you withdraw. You can still type it.';
  return (
    <RemoveModal
      title={`Remove ${saved.label}?`}
      text={`${text} Withdrawals that you have asked for already stay as they are.`}
      busy={busy}
      onRemove={remove}
      onClose={onClose}
    />
  );
}
