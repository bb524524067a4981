import { type Passkey, passkeysMax } from '@tallystick/contract/factors';
import type { OperatorFactors } from '@tallystick/contract/operator/factors';
import { useState } from 'react';
import { PasskeyRow } from '../../domain/factors/passkey-row.tsx';
import { whyNoPasskeys } from '../../domain/factors/passkeys.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Card, CardTitle } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { RemovePasskey } from './remove.tsx';

export function Passkeys({ factors }: { factors: OperatorFactors }) {
  const [doing, setDoing] = useState<'add' | Passkey | null>(null);
  const close = () => setDoing(null);
  const { passkey: passkeys, authenticator } = factors;
  const isOnly = passkeys.length === 1 && !authenticator;
  const isFull = passkeys.length >= passkeysMax;
  const why = isFull ? `${passkeysMax} are the most that one can have.` : whyNoPasskeys('/operator');
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
            <PasskeyRow key={passkey._id} passkey={passkey}>
              <Button
                size="small"
                disabled={isOnly}
                onClick={() => setDoing(passkey)}
                aria-label={`Remove ${passkey.name}`}
              >
                Remove
              </Button>
              {isOnly && <Small className="mt-1">Your only one</Small>}
            </PasskeyRow>
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
