import type { SavedAddress } from '@tallystick/contract/addresses';
import { networkOf, networks } from '@tallystick/contract/networks';
import type { WithdrawalMethod } from '@tallystick/contract/withdrawal';
import { TriangleAlert, Wallet, WalletMinimal } from 'lucide-react';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { localTimeOf, longDayOf, timeOf, whenOf } from '../../domain/dates.ts';
import { fieldsOf } from '../../domain/forms/fields.ts';
import { Beside } from '../../domain/forms/form-notes.tsx';
import { shortAddress } from '../../domain/money/short-address.ts';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { ChoiceField } from '../../ui/forms/choice-field.tsx';
import { Field, FieldFrame, type FieldProps, inputClass } from '../../ui/forms/field.tsx';
import { useAddressBook } from '../addresses/book.ts';
import { useProfile } from '../profile/use-profile.ts';

/** What this part of the form fills in. */
interface AddressTyped {
  withdrawaladdress: string;
  withdrawaltag: string;
}

const another = 'another';

/** The saved addresses of a network; while they are protected, those that can be used, and no other. */
export function useOfferedAddresses(network: string) {
  const { data } = useAddressBook();
  const isProtected = data !== undefined && data.protection.state !== 'off';
  const saved = data?.savedaddress.filter((each) => each.network === network) ?? [];
  const waiting = isProtected ? saved.filter(({ usablefrom }) => usablefrom !== null) : [];
  return { isProtected, waiting, offered: saved.filter((each) => !waiting.includes(each)) };
}

/** Saved ones first. One that is typed works as ever, unless addresses are protected. */
export function WithdrawAddress({ method }: { method: WithdrawalMethod }) {
  const { isProtected, waiting, offered } = useOfferedAddresses(method.network);
  return (
    <>
      {offered.length > 0 ? (
        <SavedChoice method={method} offered={offered} isProtected={isProtected} />
      ) : (
        <TypedAddress method={method} />
      )}
      {waiting.map((each) => (
        <QuietNotice key={each._id}>{waitingText(each)}</QuietNotice>
      ))}
      <NewAddressesWait />
    </>
  );
}

const waitingText = ({ label, usablefrom }: SavedAddress) =>
  `${label} is new: it can be used from ${usablefrom ? whenOf(usablefrom) : 'now'}.`;

interface SavedChoiceProps {
  method: WithdrawalMethod;
  offered: readonly SavedAddress[];
  isProtected: boolean;
}

function SavedChoice({ method, offered, isProtected }: SavedChoiceProps) {
  const form = useFormContext<AddressTyped>();
  // What was typed before the saved ones were there stays typed.
  const [chosen, setChosen] = useState(() => (form.getValues('withdrawaladdress') ? another : ''));
  const one = offered.find(({ _id }) => _id === chosen);
  const isTyping = chosen === another && !isProtected;
  const { error } = fieldsOf(form)('withdrawaladdress');

  function choose(id: string) {
    setChosen(id);
    const saved = offered.find(({ _id }) => _id === id);
    form.clearErrors(['withdrawaladdress', 'withdrawaltag']);
    form.setValue('withdrawaladdress', saved?.address ?? '', { shouldDirty: true });
    form.setValue('withdrawaltag', saved?.tag ?? '', { shouldDirty: true });
  }

  return (
    <>
      <div className="grid gap-1.5">
        <ChoiceField
          label="Send to"
          name="savedaddress"
          prompt="Choose an address"
          options={[
            ...offered.map(optionOf),
            ...(isProtected
              ? []
              : [{ value: another, name: 'Another address', mark: <Mark Icon={WalletMinimal} /> }]),
          ]}
          value={one || isTyping ? chosen : ''}
          onChoose={choose}
          error={isTyping ? undefined : error && (one ? error : 'Choose where to send it.')}
          beside={<Beside>{isProtected ? 'Protected: saved ones only' : 'Saved addresses'}</Beside>}
        />
        {one && (
          <p className="font-mono text-caption/[19px] break-all text-2">
            {one.address}
            {/* On a line of its own: a number that is cut in two is read wrongly. */}
            {one.tag !== null && <span className="block">tag {one.tag}</span>}
          </p>
        )}
        {isProtected && (
          <p className="text-caption text-3">
            To send it elsewhere, first save that under <TextLink to="/addresses">Addresses</TextLink>.
          </p>
        )}
      </div>
      {isTyping && <TypedAddress method={method} />}
    </>
  );
}

function Mark({ Icon }: { Icon: typeof Wallet }) {
  return <Icon className="size-5 shrink-0 text-3" strokeWidth={1.75} aria-hidden="true" />;
}

const optionOf = ({ _id, label, address, tag }: SavedAddress) => ({
  value: _id,
  name: `${label} · ${shortAddress(address)}${tag === null ? '' : ` · tag ${tag}`}`,
  mark: <Mark Icon={Wallet} />,
});

function TypedAddress({ method }: { method: WithdrawalMethod }) {
  const field = fieldsOf(useFormContext<AddressTyped>());
  return (
    <>
      <FieldFrame
        label={`${method.methodname} address`}
        hint="Only you can tell that it is yours."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...field('withdrawaladdress')}
      >
        {(input) => <input {...input} type="text" className={`${inputClass} font-mono`} />}
      </FieldFrame>
      {hasTags(method) && <DestinationTag {...field('withdrawaltag')} />}
    </>
  );
}

/** Nothing can be sent over this network before an address of it is saved. */
export function NothingSaved({
  method,
  waiting,
}: {
  method: WithdrawalMethod;
  waiting: readonly SavedAddress[];
}) {
  return (
    <QuietNotice>
      <p>
        <b className="font-semibold text-1">Your addresses are protected,</b> and none can be used with{' '}
        {method.methodname} now. Save one under <TextLink to="/addresses">Addresses</TextLink>.
      </p>
      {waiting.map((each) => (
        <p key={each._id} className="mt-1">
          {waitingText(each)}
        </p>
      ))}
    </QuietNotice>
  );
}

const hasTags = ({ network }: WithdrawalMethod) => {
  const known = networkOf(network);
  return known !== null && networks[known].family === 'xrp';
};

/** Where many share an address, as at an exchange, only the tag says whose a payment is. */
function DestinationTag(field: Omit<FieldProps, 'label'>) {
  return (
    <>
      <Field
        label="Destination tag"
        required={false}
        inputMode="numeric"
        autoComplete="off"
        beside={<Beside>If the address has one</Beside>}
        {...field}
      />
      <p className="-mt-2 grid grid-cols-[18px_1fr] gap-2.5 text-label text-2">
        <TriangleAlert className="mt-px size-4.5" strokeWidth={1.75} aria-hidden="true" />
        Exchanges need it. Without their tag they cannot tell that the payment is yours, and it may be lost. A
        wallet of your own mostly has none.
      </p>
    </>
  );
}

/** After a password reset: told before someone types an address that would be refused. */
function NewAddressesWait() {
  const until = useProfile().data?.newaddressesafter;
  if (!until) return null;
  const local = localTimeOf(until);
  return (
    <QuietNotice>
      Your password was reset, or your second factors were removed. Until {longDayOf(until)}, {timeOf(until)}
      {local && ` (${local})`}, withdrawals go only to addresses that you were paid to before.
    </QuietNotice>
  );
}
