import { ButtonLink } from '../ui/actions/button.tsx';
import { SuccessMark } from '../ui/facts/success-mark.tsx';
import { AuthLead, AuthScreen, AuthTitle, SoloCard } from './auth-screen.tsx';

/** The end of a flow: what was done, and the way to the sign-in. */
export function SuccessScreen({ title, text }: { title: string; text: string }) {
  return (
    <AuthScreen>
      <SoloCard>
        <SuccessMark />
        <AuthTitle>{title}</AuthTitle>
        <AuthLead>{text}</AuthLead>
        <ButtonLink to="/login" size="large" className="mt-7 w-full">
          Continue
        </ButtonLink>
      </SoloCard>
    </AuthScreen>
  );
}
