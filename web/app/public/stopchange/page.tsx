import { stopchange, type stoppedThings } from '@tallystick/contract/addresses';
import { useState } from 'react';
import { callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { useMailToken } from '../../domain/mail-token.ts';
import { ButtonLink } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { SuccessMark } from '../../ui/facts/success-mark.tsx';
import { LinkForm } from '../auth/code-forms.tsx';
import { AuthLead, AuthScreen, AuthTitle, backToSite, SoloCard } from '../auth/screen.tsx';

type Stopped = (typeof stoppedThings)[number];

export const meta = () =>
  pageMeta('Stop a change', 'Take away a new address, or keep your addresses protected.');

const words = {
  address: {
    title: 'Take the address away?',
    lead: 'We told you by e-mail that a new address was saved in your account. One press takes it away again: then no new withdrawal goes there.',
    label: 'Take this address away',
    done: 'The address was taken away',
  },
  protection: {
    title: 'Keep your addresses protected?',
    lead: 'We told you by e-mail that the protection of your addresses is about to end. One press and it stays on.',
    label: 'Keep my addresses protected',
    done: 'Your addresses stay protected',
  },
} as const;

/** Where the links of two letters lead. Nobody has to be signed in here: whoever is, may be the thief. */
export default function StopChange() {
  const address = useMailToken('address');
  const protection = useMailToken('protection');
  const token = address ?? protection;
  return (
    <AuthScreen back={backToSite}>
      <SoloCard pending={token === undefined}>
        {token ? (
          <ByLink key={token} what={address ? 'address' : 'protection'} token={token} />
        ) : (
          <WithoutLink />
        )}
      </SoloCard>
    </AuthScreen>
  );
}

function ByLink({ what, token }: { what: Stopped; token: string }) {
  const [stands, setStands] = useState<string | null>(null);
  const { title, lead, label, done } = words[what];
  // Of protection the title says it all.
  if (stands !== null) return <Done title={done} stands={what === 'address' ? stands : null} />;
  return (
    <>
      <AuthTitle>{title}</AuthTitle>
      <AuthLead>{lead}</AuthLead>
      <LinkForm
        submitLabel={label}
        failedText="It could not be stopped."
        onFollow={async () => {
          setStands((await callApi(stopchange, { body: { what, token } })).message);
        }}
        whenDead={
          <>
            <TextLink to="/login">Log in</TextLink> and look under Addresses how it stands.
          </>
        }
      />
    </>
  );
}

/** What was asked for before is not taken back by it: how it stands is the server's to say. */
function Done({ title, stands }: { title: string; stands: string | null }) {
  return (
    <div role="status">
      <SuccessMark />
      <AuthTitle>{title}</AuthTitle>
      {stands && <AuthLead>{stands}</AuthLead>}
      <AuthLead>
        If it was not you who began this, somebody is signed in to your account. A new password signs them
        out.
      </AuthLead>
      <ButtonLink to="/forgotpass" size="large" className="mt-7 w-full">
        Set a new password
      </ButtonLink>
    </div>
  );
}

function WithoutLink() {
  return (
    <>
      <AuthTitle>Stop a change</AuthTitle>
      <AuthLead>
        Open the link in the e-mail that told you of a new address, or that your protection is about to end.
        Or <TextLink to="/login">log in</TextLink> and look under Addresses.
      </AuthLead>
    </>
  );
}
