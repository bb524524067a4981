import { userText } from '@tallystick/contract/errors';
import { verifycode, verifylink } from '@tallystick/contract/users';
import { useNavigate } from 'react-router';
import { callApi } from '../../api.ts';
import { pageMeta } from '../../brand.ts';
import { NotSent } from '../../domain/forms/submission.tsx';
import { AuthLead, AuthTitle } from '../../domain/page/auth-head.tsx';
import { TextLink } from '../../ui/actions/links.tsx';
import { codeOf, HowToBegin, useCodeEntry, type WithoutLink } from '../auth/code-entry.tsx';
import { CodeForm, LinkForm, ResendCode } from '../auth/code-forms.tsx';
import { AuthScreen, backToSite, SoloCard } from '../auth/screen.tsx';

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
        {entry.kind === 'link' ? (
          <ActivateByLink key={entry.token} token={entry.token} />
        ) : (
          <ActivateByCode entry={entry} />
        )}
      </SoloCard>
    </AuthScreen>
  );
}

const notBegun = 'No account waits for a code in this browser: sign up or log in first.';

function ActivateByCode({ entry }: { entry: WithoutLink }) {
  const navigate = useNavigate();
  const { userid, email, sentAt } = codeOf(entry);

  async function verify(code: string) {
    if (userid === null) throw new NotSent(notBegun);
    await callApi(verifycode, { params: { userid }, body: { code } });
    await navigate('/emailsuccess');
  }

  return (
    <>
      <AuthLead>
        Enter the 4-digit code we sent {email ? <To email={email} /> : 'you'}. Check your{' '}
        <span className="whitespace-nowrap">e-mail</span> and the spam folder.
      </AuthLead>
      {entry.kind === 'begin' && <Begin />}
      <CodeForm
        submitLabel="Submit"
        titleOf={(refusal) => (refusal.status === 422 ? userText.codeWrong : userText.verifyFailed)}
        onCode={verify}
      />
      <ResendCode key={userid} userid={userid} notBegun={notBegun} purpose="verify" sentAt={sentAt}>
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
