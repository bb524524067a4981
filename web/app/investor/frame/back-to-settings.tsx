import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';

/** The phone's way back; wide screens have no settings page to come from. */
export function BackToSettings({ always = false }: { always?: boolean }) {
  return (
    <Link
      to="/mobilesettings"
      prefetch="intent"
      className={`-my-2 inline-flex min-h-11 items-center gap-1.5 justify-self-start text-control font-label text-2 hover:text-1 ${always ? '' : 'tablet:hidden'}`}
    >
      <ArrowLeft className="size-4" aria-hidden="true" />
      Settings
    </Link>
  );
}
