import { type Passkey, passkeysMax } from '@tallystick/contract/factors';
import type { OperatorFactors } from '@tallystick/contract/operator/factors';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { agoOf, dayOf } from '../../domain/dates.ts';
import { hasPasskeys } from '../../domain/factors/passkeys.ts';
import { useNow } from '../../domain/now.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card, CardTitle, RowIcon } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { RemovePasskey } from './remove.tsx';

export function Passkeys({ factors }: { factors: OperatorFactors }) {
  const [doing, setDoing] = useState<'add' | Passkey | null>(null);
  const close = () => setDoing(null);
  const { passkey: passkeys, authenticator } = factors;
  const isOnly = passkeys.length === 1 && !authenticator;
  const why = whyNone(passkeys.length);
  return (
    <Card aria-label="Passkeys">
      <div className="px-5 pt-5 pb-3 tablet:px-7 tablet:pt-6">
        <CardTitle>Passkeys</CardTitle>
        <p className="mt-1 text-label text-2">
          After your password, your finger, your face or a PIN instead of a code. A false page gets nothing.
        </p>
      </div>
      {passkeys.length > 0 && (
        <ul className="tabular-nums">
          {passkeys.map((passkey) => (
            <Row key={passkey._id} passkey={passkey} isOnly={isOnly} onRemove={() => setDoing(passkey)} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-2.5 border-t border-line px-5 py-4 tablet:px-7">
        <Button disabled={why !== null} onClick={() => setDoing('add')}>
          Add a passkey
        </Button>
        {why && <p className="min-w-0 flex-1 basis-48 text-label text-2">{why}</p>}
      </div>
      {doing === 'add' && <AddPasskey factors={factors} onClose={close} />}
      {doing !== null && doing !== 'add' && (
        <RemovePasskey factors={factors} passkey={doing} onClose={close} />
      )}
    </Card>
  );
}

/** A passkey belongs to a name, and a demo is mostly opened by its number. */
function whyNone(count: number): string | null {
  if (count >= passkeysMax) return `${passkeysMax} are the most that one can have.`;
  if (hasPasskeys()) return null;
  const { hostname, port } = location;
  return hostname === '127.0.0.1' && 'PublicKeyCredential' in window
    ? `A passkey belongs to a name, not to a number: open http://localhost:${port}/operator to try it.`
    : 'This browser has no passkeys.';
}

interface RowProps {
  passkey: Passkey;
  /** Nothing else is left to sign in with. */
  isOnly: boolean;
  onRemove: () => void;
}

function Row({ passkey: { name, backedup, createdat, usedat }, isOnly, onRemove }: RowProps) {
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
      <div className="max-tablet:col-start-2">
        <Button size="small" disabled={isOnly} onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
        {isOnly && <Small className="mt-1">Your only one</Small>}
      </div>
    </li>
  );
}
