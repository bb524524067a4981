import { type Factors, factors } from '@tallystick/contract/factors';
import { pageMeta } from '../../brand.ts';
import { useLive } from '../../domain/live.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';
import { BackToSettings } from '../frame/back-to-settings.tsx';
import { AddressesLine } from './addresses-line.tsx';
import { Authenticator } from './authenticator.tsx';
import { MailedLink } from './mailed-link.tsx';
import { Passkeys } from './passkeys.tsx';
import { Recovery } from './recovery.tsx';
import { StepUpAbove } from './step-up-above.tsx';

export const meta = () => pageMeta('Security', 'Your passkeys, your authenticator and your recovery codes.');

export default function Security() {
  const query = useLive(factors, {}, 'Error fetching the second factors:');
  return (
    <>
      <BackToSettings />
      <PageHead title="Security" note={query.data ? noteOf(query.data) : ''} />
      <MailedLink />
      {query.data && <Cards factors={query.data} />}
      {!query.data && query.isError && (
        <Failed onRetry={query.refetch}>Your second factors could not be fetched.</Failed>
      )}
      {!query.data && !query.isError && <Loading />}
    </>
  );
}

const countOf = ({ authenticator, passkey }: Factors) => passkey.length + (authenticator ? 1 : 0);

const noteOf = (known: Factors) =>
  countOf(known) > 0
    ? 'A second factor is on: your password alone does not sign you in.'
    : 'Your password alone signs you in. A second factor keeps out whoever has nothing but that.';

/** In columns that share the height, so that a phone and the keyboard have every way to sign in before what hangs on it. */
const columnsClass =
  '-mb-3.5 min-[901px]:-mb-5 min-[901px]:columns-2 min-[901px]:gap-5 *:mb-3.5 *:break-inside-avoid min-[901px]:*:mb-5';

function Cards({ factors: known }: { factors: Factors }) {
  const isLast = countOf(known) === 1;
  const isOn = countOf(known) > 0;
  return (
    <div className={columnsClass}>
      <Passkeys passkeys={known.passkey} isLast={isLast} />
      <Authenticator authenticator={known.authenticator} isLast={isLast} />
      {isOn && <Recovery left={known.recoverycodesleft} />}
      {isOn && <StepUpAbove above={known.stepupabove} />}
      {isOn && <AddressesLine />}
    </div>
  );
}

/** In the places of the two cards that are always there. */
function Loading() {
  return (
    <div aria-busy="true" className={columnsClass}>
      {['Passkeys', 'Authenticator app'].map((name) => (
        <Card key={name} className="p-5 tablet:p-7">
          <p className="sr-only">Loading</p>
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="mt-3 h-3 w-4/5" />
          <Skeleton className="mt-10 h-11 w-32" />
        </Card>
      ))}
    </div>
  );
}
