import { pageMeta } from '../../brand.ts';
import { TextLink } from '../../ui/actions/links.tsx';
import { RecordCard } from '../auth/record-card.tsx';
import { AuthLead, AuthScreen, AuthTitle, AuthUnder, backToSite } from '../auth/screen.tsx';
import { AlreadySignedIn } from '../auth/signed-in.tsx';
import { SignupForm } from './signup-form.tsx';

export function meta() {
  return pageMeta('Sign Up', 'Create a personal account with your name, e-mail address and a password.');
}

export default function Signup() {
  return (
    <AuthScreen back={backToSite}>
      <RecordCard>
        <AuthTitle>Create A Personal Account</AuthTitle>
        <AuthLead>Full name, e-mail and a password. Then a code by e-mail.</AuthLead>
        <AlreadySignedIn />
        <SignupForm />
        <AuthUnder>
          Have an account? <TextLink to="/login">Log In</TextLink>
        </AuthUnder>
      </RecordCard>
    </AuthScreen>
  );
}
