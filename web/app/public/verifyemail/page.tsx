import { userText } from '@tallystick/contract/errors';
import { verifycode, verifylink } from '@tallystick/contract/users';
import { useNavigate } from 'react-router';
import { callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { AuthLead, AuthScreen, AuthTitle, backToSite, SoloCard } from '../auth-screen.tsx';
import { useCodeEntry } from '../code-entry.ts';
import { CodeForm } from '../code-form.tsx';
import { HowToBegin } from '../how-to-begin.tsx';
import { LinkForm } from '../link-form.tsx';
import { ResendCode } from '../resend-code.tsx';
import { TextLink } from '../text-link.tsx';

export function meta() {
  return pageMeta(
    'Activate Your Account',
    'Enter the 4-digit code from your e-mail to activate your account.',
  );
}

export default function VerifyEmail() {
  const entry = useCodeEntry();
  return (
    <AuthScreen back={backToSite}>
      <SoloCard pending={entry.kind === 'pending'}>
        <AuthTitle>Activate Your Account</AuthTitle>
        {entry.kind === 'link' && <ActivateByLink key={entry.token} token={entry.token} />}
        {entry.kind === 'begin' && <Begin />}
        {entry.kind === 'pending' && <ActivateByCode userid="" />}
        {entry.kind === 'code' && <ActivateByCode userid={entry.userid} {...entry.mail} />}
      </SoloCard>
    </AuthScreen>
  );
}

function ActivateByCode({ userid, email, sentAt }: { userid: string; email?: string; sentAt?: number }) {
  const navigate = useNavigate();

  async function verify(code: string) {
    await callApi(verifycode, { params: { userid }, body: { code } });
    await navigate('/emailsuccess');
  }

  return (
    <>
      <AuthLead>
        Enter the 4-digit code we sent {email ? <To email={email} /> : 'you'}. Check your{' '}
        <span className="whitespace-nowrap">e-mail</span> and the spam folder.
      </AuthLead>
      <CodeForm
        submitLabel="Submit"
        titleOf={(refusal) => (refusal.status === 422 ? userText.codeWrong : userText.verifyFailed)}
        onCode={verify}
      />
      <ResendCode userid={userid} purpose="verify" sentAt={sentAt}>
        No code yet?
      </ResendCode>
    </>
  );
}

function To({ email }: { email: string }) {
  return (
    <>
      to <b className="font-semibold break-words text-1">{email}</b>
    </>
  );
}

function ActivateByLink({ token }: { token: string }) {
  const navigate = useNavigate();

  async function follow() {
    await callApi(verifylink, { body: { token } });
    await navigate('/emailsuccess');
  }

  return (
    <>
      <AuthLead>You opened the link of our e-mail. One press and your account is active.</AuthLead>
      <LinkForm
        submitLabel="Activate my account"
        failedText={userText.verifyFailed}
        onFollow={follow}
        whenDead={
          <>
            <TextLink to="/login">Log in</TextLink> with your e-mail and password: while the account is not
            active, that leads to the code page, where Resend Code sends a new e-mail.
          </>
        }
      />
    </>
  );
}

function Begin() {
  return (
    <HowToBegin>
      No account waits for a code in this browser. <TextLink to="/signup">Sign up</TextLink> to get one by
      e-mail, or <TextLink to="/login">log in</TextLink>: an account that is not active yet comes back to this
      page.
    </HowToBegin>
  );
}
