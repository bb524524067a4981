import { type Network, networks } from '@tallystick/contract/networks';
import type { PaymentSource } from '@tallystick/contract/operator/methods';
import { Field, type FieldProps } from '../../ui/forms/field.tsx';
import { RadioRows } from '../../ui/forms/radio-rows.tsx';
import { KeyAddresses } from '../facts/key-addresses.tsx';
import type { KeyPreview } from './key-preview.ts';
import { sourcesOf } from './way.ts';

const choices: Record<PaymentSource, { name: string; hint: string }> = {
  fixed: { name: 'One address', hint: 'Everyone sends to the same one.' },
  derived: {
    name: 'An account’s key',
    hint: 'Every investor has addresses of their own, and each payment is known by its address.',
  },
  tagged: {
    name: 'One address with tags',
    hint: 'Every investor has a tag of their own, and each payment is known by its tag.',
  },
};

interface SourceFieldsProps {
  network: Network | null;
  source: PaymentSource;
  onSource: (source: PaymentSource) => void;
  address: Omit<FieldProps, 'hint'>;
  accountKey: Omit<FieldProps, 'label'>;
  preview: KeyPreview;
}

/** Where investors send to, in the ways that the network knows. */
export function SourceFields(props: SourceFieldsProps) {
  const { network, source, onSource, address, accountKey, preview } = props;
  const sources = sourcesOf(network);
  return (
    <>
      {sources.length > 1 && (
        <RadioRows
          legend="Investors send to"
          choices={sources.map((value) => ({ value, ...choices[value] }))}
          chosen={source}
          onChoose={onSource}
        />
      )}
      {source === 'derived' ? (
        <>
          <Field
            label="Public key of the account"
            hint={keyHint(network)}
            autoComplete="off"
            spellCheck={false}
            {...accountKey}
            error={accountKey.error ?? preview.wrong}
          />
          <Preview preview={preview} />
        </>
      ) : (
        <Field autoComplete="off" spellCheck={false} hint={addressHint(network)} {...address} />
      )}
    </>
  );
}

/** A file to sign names its keys by their origin: a hardware wallet does not know them again without. */
const keyHint = (network: Network | null) =>
  network && networks[network].family === 'bitcoin'
    ? 'As your hardware wallet gives it out, with its origin in front, like [73c5da0a/84h/0h/0h]zpub…: payouts are signed by that. Nobody can spend with it.'
    : 'As your hardware wallet gives it out. Nobody can spend with it.';

const addressHint = (network: Network | null) =>
  network
    ? `A real address on ${networks[network].name}: investors will send real money to it.`
    : 'Where investors send to. It is checked for its network.';

function Preview({ preview: { preview } }: { preview: KeyPreview }) {
  return (
    <div role="status" className="empty:absolute">
      {preview && (
        <div className="grid gap-3 rounded-code bg-sunken px-4 py-3.5 inset-ring inset-ring-line">
          <p className="text-label">
            <b className="font-semibold">Compare these with your hardware wallet.</b>{' '}
            <span className="text-2">
              They must be the first receiving addresses that it shows for the account{' '}
              <span className="font-mono text-[0.93em] whitespace-nowrap">{preview.path}</span>. If one of
              them differs, this is another key.
            </span>
          </p>
          <KeyAddresses addresses={preview.addresses} />
        </div>
      )}
    </div>
  );
}
