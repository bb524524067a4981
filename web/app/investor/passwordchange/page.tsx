import { pageMeta } from '../../brand.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { BackToSettings } from '../frame/back-to-settings.tsx';
import { PasswordForm } from './password-form.tsx';

export const meta = () => pageMeta('Password Change', 'Choose a new password.');

/** The phone's screen of the tab Change Password. */
export default function PasswordChange() {
  return (
    <>
      <BackToSettings always />
      <PageHead title="Password Change" />
      <div className="w-full max-w-160">
        <PasswordForm />
      </div>
    </>
  );
}
