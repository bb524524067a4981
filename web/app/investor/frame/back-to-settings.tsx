import { BackLink } from '../../ui/actions/links.tsx';

/** The phone's way back; wide screens have no settings page to come from. */
export function BackToSettings({ always = false }: { always?: boolean }) {
  return (
    <BackLink
      to="/mobilesettings"
      prefetch="intent"
      className={`-my-2 justify-self-start ${always ? '' : 'tablet:hidden'}`}
    >
      Settings
    </BackLink>
  );
}
