import { pageMeta } from '../../brand.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { AccountCards } from '../account/account-cards.tsx';
import { BackToSettings } from '../frame/back-to-settings.tsx';
import { Devices } from '../profile/devices.tsx';
import { ProfileForm } from '../profile/profile-form.tsx';

export const meta = () => pageMeta('User Profile', 'Your name and where you are signed in.');

/** The phone's screen of the tab Profile. */
export default function MobileUserProfile() {
  return (
    <>
      <BackToSettings always />
      <PageHead title="User Profile" />
      <div className="grid w-full max-w-160 grid-cols-[minmax(0,1fr)] gap-3.5">
        <ProfileForm />
        <Devices />
        <AccountCards />
      </div>
    </>
  );
}
