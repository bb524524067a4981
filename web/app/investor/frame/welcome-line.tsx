import { useFullname } from '../profile/use-profile.ts';

/** The welcome banner of every screen that is not the dashboard: one slim line of the frame. */
export function WelcomeLine() {
  const fullname = useFullname();
  return (
    <section
      aria-label="Welcome"
      className="on-ink min-w-0 rounded-large bg-ink px-5 py-2 text-label text-on-ink-2 tablet:px-7"
    >
      <p className="wrap-anywhere">
        {fullname ? 'Welcome, ' : 'Welcome'}
        <b className="font-semibold text-on-ink">{fullname}</b>
      </p>
    </section>
  );
}
