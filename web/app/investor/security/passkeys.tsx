import { type Passkey, passkeysMax, removepasskey } from '@tallystick/contract/factors';
import { useState } from 'react';
import { callApi } from '../../api.ts';
import { PasskeyRow } from '../../domain/factors/passkey-row.tsx';
import { whyNoPasskeys } from '../../domain/factors/passkeys.ts';
import { Button } from '../../ui/actions/button.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { useFactorAct } from './act.ts';
import { FactorCard } from './factor-card.tsx';
import { AddPasskey, RenamePasskey } from './name-passkey.tsx';
import { RemoveModal, withoutFactor } from './remove-modal.tsx';

type Doing = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

interface PasskeysProps {
  passkeys: readonly Passkey[];
  /** Whether one of them is the only factor there is. */
  isLast: boolean;
}

export function Passkeys({ passkeys, isLast }: PasskeysProps) {
  const { busy, act } = useFactorAct();
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);

  const remove = ({ _id, name }: Passkey) =>
    act('The passkey was not removed', async () => {
      await callApi(removepasskey, { params: { passkeyid: _id } });
      toastSuccess(`Removed ${name}`);
      close();
    });

  return (
    <FactorCard
      title="Passkeys"
      text="Sign in with your finger, your face or the PIN of a device. There is nothing to type, and a false page gets nothing."
      foot={<AddFoot isFull={passkeys.length >= passkeysMax} onAdd={() => setDoing({ kind: 'add' })} />}
    >
      {passkeys.length > 0 && (
        <ul>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey._id} passkey={passkey}>
              <div className="flex gap-2">
                <Button
                  size="small"
                  onClick={() => setDoing({ kind: 'rename', passkey })}
                  aria-label={`Rename ${passkey.name}`}
                >
                  Rename
                </Button>
                <Button
                  size="small"
                  onClick={() => setDoing({ kind: 'remove', passkey })}
                  aria-label={`Remove ${passkey.name}`}
                >
                  Remove
                </Button>
              </div>
            </PasskeyRow>
          ))}
        </ul>
      )}
      {doing?.kind === 'add' && <AddPasskey onClose={close} />}
      {doing?.kind === 'rename' && <RenamePasskey passkey={doing.passkey} onClose={close} />}
      {doing?.kind === 'remove' && (
        <RemoveModal
          title={`Remove ${doing.passkey.name}?`}
          text={withoutFactor(isLast)}
          busy={busy}
          onRemove={() => remove(doing.passkey)}
          onClose={close}
        />
      )}
    </FactorCard>
  );
}

function AddFoot({ isFull, onAdd }: { isFull: boolean; onAdd: () => void }) {
  const why = isFull ? `${passkeysMax} are the most that an account can have.` : whyNoPasskeys('/security');
  return (
    <>
      <Button disabled={why !== null} onClick={onAdd}>
        Add a passkey
      </Button>
      {why && <p className="min-w-0 flex-1 basis-48 text-label text-2">{why}</p>}
    </>
  );
}
