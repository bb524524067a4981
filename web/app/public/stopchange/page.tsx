import { stopchange } from '@tallystick/contract/addresses';
import { stopremoval } from '@tallystick/contract/removals';
import type { Stoppable } from '@tallystick/contract/stopping';
import { type ReactNode, useState } from 'react';
import { callApi } from '../../api.ts';
import { brand, pageMeta } from '../../brand.ts';
import { useMailLink } from '../../domain/mail-token.ts';
import { AuthLead, AuthTitle } from '../../domain/page/auth-head.tsx';
import { ButtonLink } from '../../ui/actions/button.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { SuccessMark } from '../../ui/facts/success-mark.tsx';
import { takeFocus } from '../../ui/forms/first-focus.ts';
import { LinkForm } from '../auth/code-forms.tsx';
import { AuthScreen, backToSite, SoloCard } from '../auth/screen.tsx';

export const meta = () =>
  pageMeta('Stop a Change', 'Stop a change of your account that one of our letters told you of.');

interface Words {
  title: string;
  lead: string;
  label: string;
  failed: string;
  /** What to do where the link no longer works. */
  dead: ReactNode;
  done: string;
  after: string;
}

const seeAddresses = (
  <>
    <TextLink to="/login">Log in</TextLink> and look under Addresses how it stands.
  </>
);
const signedIn =
  'If it was not you who began this, somebody is signed in to your account. A new password signs them out.';

const words: Record<Stoppable, Words> = {
  address: {
    title: 'Take the address away?',
    lead: 'We told you by e-mail that a new address was saved in your account. One press takes it away again: then no new withdrawal goes there.',
    label: 'Take this address away',
    failed: 'It could not be stopped.',
    dead: seeAddresses,
    done: 'The address was taken away',
    after: signedIn,
  },
  protection: {
    title: 'Keep your addresses protected?',
    lead: 'We told you by e-mail that the protection of your addresses is about to end. One press and it stays on.',
    label: 'Keep my addresses protected',
    failed: 'It could not be stopped.',
    dead: seeAddresses,
    done: 'Your addresses stay protected',
    after: signedIn,
  },
  removal: {
    title: 'Keep your second factors?',
    lead: 'Two of our operators have agreed to remove the second factors of your account. If you did not ask for it, or have found one of them, stop it.',
    label: 'Stop the removal',
    failed: 'It was not stopped: it may be too late.',
    dead: `Use the one in our last letter, or write to ${brand.supportEmail}.`,
    done: 'Your second factors stay',
    after: `If you did not ask for the removal, somebody pretends to be you: write to ${brand.supportEmail}, and set a new password, too.`,
  },
};

const stop = (what: Stoppable, token: string): Promise<{ message: string }> =>
  what === 'removal'
    ? callApi(stopremoval, { body: { token } })
    : callApi(stopchange, { body: { what, token } });

const stoppable = Object.keys(words) as Stoppable[];

function readLink(hash: URLSearchParams): { what: Stoppable; token: string } | null {
  const what = stoppable.find((each) => hash.has(each));
  const token = what && hash.get(what);
  return token ? { what, token } : null;
}

/** Where every link leads that stops something. Nobody has to be signed in here: whoever is, may be the thief. */
export default function StopChange() {
  const link = useMailLink(readLink);
  return (
    <AuthScreen back={backToSite}>
      <SoloCard pending={link === undefined}>
        {link ? <ByLink key={link.token} {...link} /> : <WithoutLink />}
      </SoloCard>
    </AuthScreen>
  );
}

function ByLink({ what, token }: { what: Stoppable; token: string }) {
  const [stands, setStands] = useState<string | null>(null);
  const { title, lead, label, failed, dead, done, after } = words[what];
  // Of the others the title says it all.
  if (stands !== null) return <Done title={done} stands={what === 'address' ? stands : null} after={after} />;
  return (
    <>
      <AuthTitle>{title}</AuthTitle>
      <AuthLead>{lead}</AuthLead>
      <LinkForm
        submitLabel={label}
        failedText={failed}
        onFollow={async () => {
          setStands((await stop(what, token)).message);
        }}
        whenDead={dead}
      />
    </>
  );
}

/** What was asked for before is not taken back by it: how it stands is the server's to say. */
function Done({ title, stands, after }: { title: string; stands: string | null; after: string }) {
  return (
    <div role="status" ref={takeFocus} tabIndex={-1} className="outline-none">
      <SuccessMark />
      <AuthTitle>{title}</AuthTitle>
      {stands && <AuthLead>{stands}</AuthLead>}
      <AuthLead>{after}</AuthLead>
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
        Open the link in the letter that told you of it: what it needs to be stopped stands in it. Or{' '}
        <TextLink to="/login">log in</TextLink> and look how it stands.
      </AuthLead>
    </>
  );
}
