import type { ReactNode } from 'react';
import { useFullname } from '../profile/use-profile.ts';
import { greetingAt } from './greeting.ts';

/** The dashboard's; every other screen has `WelcomeLine`. */
export function WelcomeBanner({ beside, children }: { beside?: ReactNode; children: string }) {
  const fullname = useFullname();
  return (
    <section
      aria-label="Welcome"
      className="on-ink items-center justify-between gap-6 rounded-card bg-ink p-5 text-on-ink tablet:px-7 tablet:py-6 desktop:flex"
    >
      <div className="min-w-0">
        <h1 className="text-panel break-words">
          {[greetingAt(new Date()), fullname].filter(Boolean).join(', ')}
        </h1>
        <p className="mt-0.5 text-control text-on-ink-2 max-tablet:min-h-11">{children}</p>
      </div>
      {beside}
    </section>
  );
}
