import { type Network, type NetworkFacts, networks } from '@tallystick/contract/networks';
import { type Signing, signaddress } from '@tallystick/contract/operator/signing';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { CopyButton } from '../../ui/actions/copy.tsx';
import { Field, TextAreaField } from '../../ui/forms/field.tsx';
import { Modal, ModalBody, ModalHead } from '../../ui/overlays/modal.tsx';
import { useActForm } from './act-form.ts';
import { FormModal } from './form-modal.tsx';

const howToSign: Record<NetworkFacts['family'], string> = {
  bitcoin:
    'In Bitcoin Core, Electrum, Sparrow or Trezor Suite choose ‘Sign message’ for this address and paste the message. Either format is taken, the older one and BIP-322.',
  evm: 'In a wallet with ‘Sign message’, such as MyEtherWallet with a hardware wallet, choose this account and paste the message. A contract wallet cannot sign it.',
  xrp: 'With xrpl.js, on a machine without a network if you like, sign the message with the master key of this account, and copy the public key as well.',
};

export interface Signable {
  /** As in `the Bitcoin address`. */
  what: string;
  network: Network;
  address: string;
  signing: Signing;
}

/** What an address has signed, or is to sign. */
export function SignAddress({ of, onClose }: { of: Signable; onClose: () => void }) {
  return of.signing.signed ? (
    <Signed of={of} signed={of.signing.signed} onClose={onClose} />
  ) : (
    <Unsigned of={of} onClose={onClose} />
  );
}

const { signature, publickey } = signaddress.body.shape;
const plainFields = z.object({ signature, publickey: z.string() });
const keyFields = z.object({ signature, publickey: publickey.unwrap() });
const values = { signature: '', publickey: '' };

function Unsigned({ of, onClose }: { of: Signable; onClose: () => void }) {
  const { what, network, address, signing } = of;
  const { family } = networks[network];
  const hasKey = family === 'xrp';
  const fields = hasKey ? keyFields : plainFields;
  const form = useActForm({ call: signaddress, fields, values, first: 'signature' });
  const onSubmit = form.handleSubmit((typed) => {
    const key = hasKey && { publickey: typed.publickey };
    return form.send(
      { body: { network, address, signature: typed.signature, ...key } },
      {
        done: 'The signature holds and stands in the public log',
        onDone: onClose,
        // Where there are two fields, the reason may lie in either: it stands below both.
        ...(!hasKey && {
          onRefused: (message) => form.setError('signature', { message }, { shouldFocus: true }),
        }),
      },
    );
  });
  return (
    <FormModal
      title={`Sign ${what}`}
      onClose={onClose}
      form={form}
      onSubmit={onSubmit}
      button="Check and publish"
      busyLabel="Checking"
      finePrint="Once it holds, it stands in the public log for good. The key stays in your wallet."
    >
      <p className="text-control text-2">
        The address can say itself that it is ours: its key signs this message, and anyone can check that on
        the page of proof.
      </p>
      <Copied what="the message" name="Message">
        {signing.message}
      </Copied>
      <p className="text-label text-2">{howToSign[family]}</p>
      <TextAreaField
        label="Signature"
        autoComplete="off"
        spellCheck={false}
        rows={3}
        {...form.field('signature')}
      />
      {hasKey && (
        <Field label="Public key" autoComplete="off" spellCheck={false} {...form.field('publickey')} />
      )}
    </FormModal>
  );
}

interface SignedProps {
  of: Signable;
  signed: NonNullable<Signing['signed']>;
  onClose: () => void;
}

function Signed({ of, signed, onClose }: SignedProps) {
  const { what, signing } = of;
  return (
    <Modal onClose={onClose}>
      <ModalHead note={`Entered by ${signed.by}, ${dayOf(signed.at)}, ${timeOf(signed.at)}`}>
        {`Signature of ${what}`}
      </ModalHead>
      <ModalBody>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4.5">
          <Copied what="the message" name="Message">
            {signing.message}
          </Copied>
          <Copied what="the signature" name="Signature">
            {signed.signature}
          </Copied>
          {signed.publickey && (
            <Copied what="the public key" name="Public key">
              {signed.publickey}
            </Copied>
          )}
          <p className="text-label text-2">
            Anyone can check it on the page of proof, also with others’ tools. Another address has another
            message and begins unsigned.
          </p>
        </div>
      </ModalBody>
    </Modal>
  );
}

/** A text that has to be taken along letter by letter. */
function Copied({ name, what, children }: { name: string; what: string; children: string }): ReactNode {
  return (
    <div className="rounded-code bg-sunken px-4 pt-2 pb-3.5 text-label inset-ring inset-ring-line">
      <div className="flex items-center justify-between gap-3">
        <p className="text-2">{name}</p>
        <span className="-mr-3">
          <CopyButton text={children} label={`Copy ${what}`} />
        </span>
      </div>
      <p className="font-mono text-[0.93em] wrap-anywhere">{children}</p>
    </div>
  );
}
