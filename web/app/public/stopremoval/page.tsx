import { stopremoval } from '@tallystick/contract/removals';
import { useState } from 'react';
import { callApi } from '../../api.ts';
import { brand, pageMeta } from '../../brand.ts';
import { useMailToken } from '../../domain/mail-token.ts';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { LinkForm } from '../auth/code-forms.tsx';
import { AuthLead, AuthScreen, AuthTitle, AuthUnder, backToSite, SoloCard } from '../auth/screen.tsx';

export const meta = () =>
  pageMeta('Keep Your Second Factors', 'Stop the removal of the second factors of your account.');

/** The link of our letters leads here. It acts by a press: mail programs open links by themselves. */
export default function StopRemoval() {
  const token = useMailToken('stop');
  const [stopped, setStopped] = useState<string | null>(null);
  return (
    <AuthScreen back={backToSite}>
      <SoloCard pending={token === undefined}>
        <AuthTitle>Keep your second factors</AuthTitle>
        {token ? (
          <Asked key={token} isStopped={stopped === token} token={token} onStopped={setStopped} />
        ) : (
          <AuthLead>
            Open the link of our letter about the removal: what it needs to be stopped stands in it.
          </AuthLead>
        )}
        <AuthUnder>
          Questions? Write to{' '}
          <a className="textlink" href={`mailto:${brand.supportEmail}`}>
            {brand.supportEmail}
          </a>
          .
        </AuthUnder>
      </SoloCard>
    </AuthScreen>
  );
}

interface AskedProps {
  token: string;
  isStopped: boolean;
  onStopped: (token: string) => void;
}

function Asked({ token, isStopped, onStopped }: AskedProps) {
  async function follow() {
    await callApi(stopremoval, { body: { token } });
    onStopped(token);
  }
  if (isStopped) {
    return (
      <div className="mt-7 grid gap-3.5">
        <QuietNotice role="status">
          <p className="font-semibold text-1">It is stopped.</p>
          <p className="mt-0.5">
            Your second factors stay as they are. If you did not ask for the removal, set a new password, too.
          </p>
        </QuietNotice>
        <TextLink to="/forgotpass">Set a new password</TextLink>
      </div>
    );
  }
  return (
    <>
      <AuthLead>
        Two of our operators have agreed to remove the second factors of your account. If you did not ask for
        it, or have found one of them, stop it.
      </AuthLead>
      <LinkForm
        submitLabel="Stop the removal"
        failedText="It was not stopped: it may be too late"
        onFollow={follow}
        whenDead="Use the one in our last letter, or write to us."
      />
    </>
  );
}
