import { type Passkey, passkeysMax, removepasskey } from '@tallystick/contract/factors';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { callApi } from '../../api.ts';
import { agoOf, dayOf } from '../../domain/dates.ts';
import { hasPasskeys } from '../../domain/factors/passkeys.ts';
import { useNow } from '../../domain/now.ts';
import { Button } from '../../ui/actions/button.tsx';
import { RowIcon } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { toastSuccess } from '../../ui/overlays/toast.tsx';
import { useFactorAct } from './act.ts';
import { FactorCard } from './factor-card.tsx';
import { AddPasskey, RenamePasskey } from './name-passkey.tsx';
import { RemoveModal } from './remove-modal.tsx';

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
            <PasskeyRow
              key={passkey._id}
              passkey={passkey}
              onRename={() => setDoing({ kind: 'rename', passkey })}
              onRemove={() => setDoing({ kind: 'remove', passkey })}
            />
          ))}
        </ul>
      )}
      {doing?.kind === 'add' && <AddPasskey onClose={close} />}
      {doing?.kind === 'rename' && <RenamePasskey passkey={doing.passkey} onClose={close} />}
      {doing?.kind === 'remove' && (
        <RemoveModal
          title={`Remove ${doing.passkey.name}?`}
          isLast={isLast}
          busy={busy}
          onRemove={() => remove(doing.passkey)}
          onClose={close}
        />
      )}
    </FactorCard>
  );
}

function AddFoot({ isFull, onAdd }: { isFull: boolean; onAdd: () => void }) {
  const why = isFull ? `${passkeysMax} are the most that an account can have.` : whyNot();
  return (
    <>
      <Button disabled={why !== null} onClick={onAdd}>
        Add a passkey
      </Button>
      {why && <p className="min-w-0 flex-1 basis-48 text-label text-2">{why}</p>}
    </>
  );
}

/** A passkey belongs to a name, and a demo is mostly opened by its number. */
function whyNot(): string | null {
  if (hasPasskeys()) return null;
  const { hostname, port } = location;
  return hostname === '127.0.0.1' && 'PublicKeyCredential' in window
    ? `A passkey belongs to a name, not to a number: open http://localhost:${port}/security to try it.`
    : 'This browser has no passkeys.';
}

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { name, backedup, createdat, usedat } = passkey;
  const now = useNow();
  const used = usedat ? `last used ${agoOf(usedat, now)}` : 'not used yet';
  return (
    <li className="grid grid-cols-[36px_minmax(0,1fr)] items-center gap-x-3.5 gap-y-2.5 border-t border-line px-5 py-3.5 tablet:grid-cols-[36px_minmax(0,1fr)_auto] tablet:px-7">
      <RowIcon Icon={Fingerprint} />
      <div>
        <b className="block text-control/5 font-label wrap-anywhere">{name}</b>
        <Small>{`Added ${dayOf(createdat)}, ${used}`}</Small>
        <Small>{backedup ? 'Kept by its provider, on more than one device' : 'On one device only'}</Small>
      </div>
      <div className="flex gap-2 max-tablet:col-start-2">
        <Button size="small" onClick={onRename} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        <Button size="small" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </div>
    </li>
  );
}
