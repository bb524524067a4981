import { userText } from '@tallystick/contract/errors';
import { resetlink, verifyforgortpasscode } from '@tallystick/contract/users';
import { useNavigate } from 'react-router';
import { callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { NotSent } from '../../domain/forms/submission.tsx';
import { AuthLead, AuthTitle } from '../../domain/page/auth-head.tsx';
import { writeStored } from '../../storage.ts';
import { TextLink } from '../../ui/actions/links.tsx';
import { Steps } from '../../ui/brand/notches.tsx';
import { BeginReset, codeOf, resetNotBegun, useCodeEntry, type WithoutLink } from '../auth/code-entry.tsx';
import { CodeForm, LinkForm, ResendCode } from '../auth/code-forms.tsx';
import { AuthScreen, backToLogin, SoloCard } from '../auth/screen.tsx';

export function meta() {
  return pageMeta('Verify Code', 'Enter the 4 digit code from your e-mail to choose a new password.');
}

export default function VerifyForgotCode() {
  const entry = useCodeEntry();
  return (
    <AuthScreen back={backToLogin}>
      <SoloCard pending={entry.kind === 'pending'}>
        <Steps now={2} of={3} />
        <AuthTitle>{entry.kind === 'link' ? 'Reset your password' : 'Enter the code'}</AuthTitle>
        {entry.kind === 'link' ? (
          <ResetByLink key={entry.token} token={entry.token} />
        ) : (
          <ResetByCode entry={entry} />
        )}
      </SoloCard>
    </AuthScreen>
  );
}

function ResetByCode({ entry }: { entry: WithoutLink }) {
  const navigate = useNavigate();
  const { userid, sentAt } = codeOf(entry);

  async function verify(code: string) {
    if (userid === null) throw new NotSent(resetNotBegun);
    await callApi(verifyforgortpasscode, { body: { code } });
    await navigate('/updatepass');
  }

  return (
    <>
      <AuthLead>Kindly enter the 4 digit code that was sent to email INBOX/SPAM</AuthLead>
      {entry.kind === 'begin' && <BeginReset />}
      <CodeForm
        submitLabel="Verify"
        titleOf={(refusal) => (refusal.status === 422 ? userText.codeWrong : userText.formFailed)}
        onCode={verify}
      />
      <ResendCode key={userid} userid={userid} notBegun={resetNotBegun} purpose="reset" sentAt={sentAt}>
        The code works for ten minutes.
      </ResendCode>
    </>
  );
}

function ResetByLink({ token }: { token: string }) {
  const navigate = useNavigate();

  async function follow() {
    const { userid } = await callApi(resetlink, { body: { token } });
    writeStored('useridkey', userid);
    await navigate('/updatepass');
  }

  return (
    <>
      <AuthLead>You opened the link of our e-mail. Continue to choose a new password.</AuthLead>
      <LinkForm
        submitLabel="Continue"
        failedText={userText.formFailed}
        onFollow={follow}
        whenDead={
          <>
            <TextLink to="/forgotpass">Begin again</TextLink> and we send a new e-mail.
          </>
        }
      />
    </>
  );
}
