import { useSession } from '../storage.ts';
import { greetingAt } from './greeting.ts';
import { useProfile } from './profile.ts';

/** The name as it was at sign-in, until the server has said what it is now. */
export function WelcomeBanner({ children }: { children: string }) {
  const session = useSession();
  const fullname = useProfile()?.fullname ?? session?.fullname;
  return (
    <section className="on-ink rounded-card bg-ink p-5 text-on-ink tablet:px-7 tablet:py-6">
      <h1 className="text-panel break-words">
        {greetingAt(new Date())}, {fullname}
      </h1>
      <p className="mt-0.5 text-control text-on-ink-2">{children}</p>
    </section>
  );
}
