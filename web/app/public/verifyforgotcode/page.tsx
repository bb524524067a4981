import { userText } from '@tallystick/contract/errors';
import { resetlink, verifyforgortpasscode } from '@tallystick/contract/users';
import { useNavigate } from 'react-router';
import { callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { writeStored } from '../../storage.ts';
import { Steps } from '../../ui/notches.tsx';
import { AuthLead, AuthScreen, AuthTitle, backToLogin, SoloCard } from '../auth-screen.tsx';
import { useCodeEntry } from '../code-entry.ts';
import { CodeForm } from '../code-form.tsx';
import { HowToBegin } from '../how-to-begin.tsx';
import { LinkForm } from '../link-form.tsx';
import { ResendCode } from '../resend-code.tsx';
import { TextLink } from '../text-link.tsx';

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
        {entry.kind === 'link' && <ResetByLink key={entry.token} token={entry.token} />}
        {entry.kind === 'begin' && <Begin />}
        {entry.kind === 'pending' && <ResetByCode userid="" />}
        {entry.kind === 'code' && <ResetByCode userid={entry.userid} sentAt={entry.mail.sentAt} />}
      </SoloCard>
    </AuthScreen>
  );
}

function ResetByCode({ userid, sentAt }: { userid: string; sentAt?: number | undefined }) {
  const navigate = useNavigate();

  async function verify(code: string) {
    await callApi(verifyforgortpasscode, { body: { code } });
    await navigate('/updatepass');
  }

  return (
    <>
      <AuthLead>Kindly enter the 4 digit code that was sent to email INBOX/SPAM</AuthLead>
      <CodeForm
        submitLabel="Verify"
        titleOf={(refusal) => (refusal.status === 422 ? userText.codeWrong : userText.formFailed)}
        onCode={verify}
      />
      <ResendCode userid={userid} purpose="reset" sentAt={sentAt}>
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

function Begin() {
  return (
    <HowToBegin>
      No reset was begun in this browser. <TextLink to="/forgotpass">Enter your e-mail</TextLink> and we send
      a code.
    </HowToBegin>
  );
}
