import { pageMeta } from '../../brand.ts';
import { SuccessScreen } from '../auth/screen.tsx';

export function meta() {
  return pageMeta('Email Verification Successful', 'Your account is active. Log in to begin.');
}

export default function EmailSuccess() {
  return (
    <SuccessScreen
      title="Email Verification Successful"
      text="Your account has been successfully verified!"
    />
  );
}
