import { pageMeta } from '../../brand.ts';
import { SuccessScreen } from '../auth/screen.tsx';

export function meta() {
  return pageMeta('Account closed', 'Where closing an account ends.');
}

export default function AccountClosed() {
  return (
    <SuccessScreen
      title="Your account is closed"
      text="We have sent you a letter that says what is kept, and for how long."
      next={{ to: '/', name: 'To the home page' }}
    />
  );
}
