import { ShieldCheck, WalletMinimal } from 'lucide-react';
import type { ReactNode } from 'react';
import { pageMeta } from '../../brand.ts';
import { useListAddress } from '../../domain/lists/list-address.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { ButtonLink } from '../../ui/actions/button.tsx';
import { PageTabs } from '../../ui/layout/tabs.tsx';
import { AccountCards } from '../account/account-cards.tsx';
import { BackToSettings } from '../frame/back-to-settings.tsx';
import { PasswordForm } from '../passwordchange/password-form.tsx';
import { Devices } from './devices.tsx';
import { ProfileForm } from './profile-form.tsx';

export const meta = () => pageMeta('Profile', 'Your name, your password and where you are signed in.');

export default function ProfilePage() {
  const { params, change } = useListAddress();
  const selected = params.get('tab') === 'password' ? 'password' : 'profile';
  return (
    <>
      <BackToSettings />
      <PageHead title="Profile">
        <ButtonLink look="secondary" to="/addresses">
          <WalletMinimal className="size-4" aria-hidden="true" />
          Addresses
        </ButtonLink>
        <ButtonLink look="secondary" to="/security">
          <ShieldCheck className="size-4" aria-hidden="true" />
          Security
        </ButtonLink>
      </PageHead>
      <PageTabs
        label="Profile"
        selected={selected}
        onSelect={(id) => change({ tab: id === 'profile' ? '' : id })}
        tabs={[
          {
            id: 'profile',
            name: 'Profile',
            panel: <WithDevices form={<ProfileForm />} more={<AccountCards />} />,
          },
          { id: 'password', name: 'Change Password', panel: <WithDevices form={<PasswordForm />} /> },
        ]}
      />
    </>
  );
}

/** Devices stand beside both forms: whoever finds a stranger there changes the password next. */
function WithDevices({ form, more }: { form: ReactNode; more?: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3.5 min-[901px]:grid-cols-2 min-[901px]:gap-5">
      {form}
      <Devices />
      {more}
    </div>
  );
}
