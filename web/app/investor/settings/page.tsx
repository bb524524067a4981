import {
  Bell,
  ChevronRight,
  Headset,
  Info,
  KeyRound,
  LogOut,
  type LucideIcon,
  ShieldCheck,
  SunMoon,
  UserRound,
  UserRoundPen,
  WalletMinimal,
} from 'lucide-react';
import { Link } from 'react-router';
import { pageMeta } from '../../brand.ts';
import { PageHead } from '../../domain/page/page-head.tsx';
import { signOut } from '../../domain/sign-out.ts';
import { useSession } from '../../storage.ts';
import { chooseTheme, type Theme, useTheme } from '../../theme.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Segments } from '../../ui/lists/filter.tsx';

export const meta = () => pageMeta('Settings', 'Your profile, your password and how the site looks.');

const places: readonly { name: string; path: string; Icon: LucideIcon }[] = [
  { name: 'User Profile', path: '/mobileuserprofile', Icon: UserRoundPen },
  { name: 'Password Change', path: '/passwordchange', Icon: KeyRound },
  { name: 'Security', path: '/security', Icon: ShieldCheck },
  { name: 'Addresses', path: '/addresses', Icon: WalletMinimal },
  { name: 'Notices', path: '/notices', Icon: Bell },
  { name: 'About Us', path: '/mobileaboutus', Icon: Info },
  { name: 'Contact Us', path: '/mobilecontactus', Icon: Headset },
];

const themes: readonly { value: Theme; name: string }[] = [
  { value: 'system', name: 'System' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
];

const rowClass = 'flex min-h-14 w-full items-center gap-3.5 px-5 text-left text-body font-medium';

/** Written for the phone; on a wide screen it is the same column. */
export default function Settings() {
  return (
    <div className="grid w-full max-w-160 grid-cols-[minmax(0,1fr)] gap-3.5">
      <PageHead title="Settings" />
      <Who />
      <Card aria-label="Places" className="py-1.5">
        <ul>
          {places.map(({ name, path, Icon }) => (
            <li key={path} className="border-line not-first:border-t">
              <Link to={path} prefetch="intent" className={`${rowClass} hover:bg-sunken`}>
                <RowMark Icon={Icon} />
                {name}
                <ChevronRight className="ml-auto size-4 text-3" aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      <Appearance />
      <Card aria-label="Session" className="py-1.5">
        <button type="button" onClick={signOut} className={`${rowClass} hover:bg-sunken`}>
          <RowMark Icon={LogOut} />
          Logout
        </button>
      </Card>
    </div>
  );
}

function RowMark({ Icon }: { Icon: LucideIcon }) {
  return <Icon className="size-5 shrink-0 text-3" strokeWidth={1.75} aria-hidden="true" />;
}

function Who() {
  const session = useSession();
  return (
    <Card aria-label="Signed in" className="flex items-center gap-3.5 p-5">
      <span className="grid size-12 shrink-0 place-items-center rounded-full bg-accent-tint text-accent-text">
        <UserRound className="size-5" strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div className="min-w-0">
        <p className="text-[1.125rem]/6 font-semibold tracking-[-0.01em] wrap-anywhere">
          {session?.fullname || 'No name yet'}
        </p>
        <p className="text-label text-2 wrap-anywhere">{session?.email}</p>
      </div>
    </Card>
  );
}

function Appearance() {
  return (
    <Card aria-label="Appearance" className="py-1.5">
      <div className={rowClass}>
        <RowMark Icon={SunMoon} />
        Appearance
      </div>
      <div className="px-5 pt-0.5 pb-3.5">
        <Segments
          label="Appearance"
          choices={themes}
          value={useTheme()}
          onChoose={chooseTheme}
          className="flex w-full"
        />
      </div>
    </Card>
  );
}
