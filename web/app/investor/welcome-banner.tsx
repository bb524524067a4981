import type { ReactNode } from 'react';
import { useSession } from '../storage.ts';
import { greetingAt } from './greeting.ts';
import { useProfile } from './use-profile.ts';

/** The name as it was at sign-in, until the server has said what it is now. */
export function WelcomeBanner({ beside, children }: { beside?: ReactNode; children: string }) {
  const session = useSession();
  const fullname = useProfile().data?.fullname ?? session?.fullname;
  return (
    <section
      aria-label="Welcome"
      className="on-ink items-center justify-between gap-6 rounded-card bg-ink p-5 text-on-ink tablet:flex tablet:px-7 tablet:py-6"
    >
      <div className="min-w-0">
        <h1 className="text-panel break-words">
          {greetingAt(new Date())}
          {fullname && `, ${fullname}`}
        </h1>
        <p className="mt-0.5 text-control text-on-ink-2 max-tablet:min-h-11">{children}</p>
      </div>
      {beside}
    </section>
  );
}
