import { type OperatorFactors, operatorfactors } from '@tallystick/contract/operator/factors';
import { useState } from 'react';
import { pageMeta } from '../../brand.ts';
import { counted } from '../../domain/dates.ts';
import { useLive } from '../../domain/live.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Card, CardTitle } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { useWho } from '../frame/who.ts';
import { Passkeys } from './passkeys.tsx';
import { RemoveAuthenticator } from './remove.tsx';

export const meta = () => pageMeta('Your account', 'What you sign in to the console with.');

export default function Account() {
  const { operator } = useWho();
  const { data, isError, refetch } = useLive(operatorfactors, {}, 'Error fetching the second factors:');
  return (
    <>
      <PageHead title="Your account" note={`${operator.name}, ${operator.email}`} />
      {data && (
        <>
          <Passkeys factors={data} />
          <Authenticator factors={data} />
        </>
      )}
      {!data && isError && <Failed onRetry={refetch}>What you sign in with could not be fetched.</Failed>}
      {!data && !isError && (
        <Card aria-busy="true" className="p-5 tablet:p-7">
          <p className="sr-only">Loading</p>
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="mt-3 h-3 w-4/5" />
        </Card>
      )}
    </>
  );
}

function Authenticator({ factors }: { factors: OperatorFactors }) {
  const [isOpen, setOpen] = useState(false);
  const { authenticator, passkey, recoverycodesleft } = factors;
  const text = authenticator
    ? `A code of your app opens the console after the password. ${counted(recoverycodesleft, 'recovery code')} left.`
    : `It was removed: after the password a passkey opens the console. To have one again, ask whoever runs the server for npm run operator -- reset-totp. ${counted(recoverycodesleft, 'recovery code')} left.`;
  return (
    <Card aria-label="Authenticator app">
      <div className={`px-5 pt-5 tablet:px-7 tablet:pt-6 ${authenticator ? 'pb-3' : 'pb-5 tablet:pb-6'}`}>
        <CardTitle>Authenticator app</CardTitle>
        <p className="mt-1 text-label text-2">{text}</p>
      </div>
      {authenticator && (
        <div className="flex flex-wrap items-center gap-2.5 border-t border-line px-5 py-4 tablet:px-7">
          <Button disabled={passkey.length === 0} onClick={() => setOpen(true)}>
            Do without it
          </Button>
          {passkey.length === 0 && (
            <p className="min-w-0 flex-1 basis-48 text-label text-2">
              Add a passkey first: one way has to stay.
            </p>
          )}
        </div>
      )}
      {isOpen && <RemoveAuthenticator factors={factors} onClose={() => setOpen(false)} />}
    </Card>
  );
}
