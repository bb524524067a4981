import type { Passkey } from '@tallystick/contract/factors';
import { Fingerprint } from 'lucide-react';
import type { ReactNode } from 'react';
import { RowIcon } from '../../ui/layout/card.tsx';
import { Small } from '../../ui/lists/table.tsx';
import { agoOf, dayOf } from '../dates.ts';
import { useNow } from '../now.ts';

interface PasskeyRowProps {
  passkey: Passkey;
  /** What can be done with it. */
  children: ReactNode;
}

export function PasskeyRow({ passkey: { name, backedup, createdat, usedat }, children }: PasskeyRowProps) {
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
      <div className="max-tablet:col-start-2">{children}</div>
    </li>
  );
}
