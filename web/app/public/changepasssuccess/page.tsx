import { pageMeta } from '../../brand.ts';
import { SuccessScreen } from '../auth/screen.tsx';

export function meta() {
  return pageMeta('Password Change Successfuly', 'Your new password works from now on.');
}

export default function ChangePassSuccess() {
  return (
    <SuccessScreen
      title="Password Change Successfuly"
      text="Other devices were signed out. Log in with the new password."
    />
  );
}
