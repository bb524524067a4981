import { pageMeta } from '../../brand.ts';
import { TextLink } from '../../ui/actions/links.tsx';
import { RecordCard } from '../auth/record-card.tsx';
import { AuthLead, AuthScreen, AuthTitle, AuthUnder, backToSite } from '../auth/screen.tsx';
import { AlreadySignedIn } from '../auth/signed-in.tsx';
import { LoginForm } from './login-form.tsx';

export function meta() {
  return pageMeta('Log In', 'Log in to see your half of the record.');
}

export default function Login() {
  return (
    <AuthScreen back={backToSite}>
      <RecordCard>
        <AuthTitle>Welcome back</AuthTitle>
        <AuthLead>Log in to see your half.</AuthLead>
        <AlreadySignedIn />
        <LoginForm />
        <AuthUnder>
          New here? <TextLink to="/signup">Sign Up</TextLink>
        </AuthUnder>
      </RecordCard>
    </AuthScreen>
  );
}
