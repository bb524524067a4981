import { Download, Fingerprint, Split } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { riskLine } from '../../domain/plans/plan-offer.ts';
import { signOut } from '../../domain/sign-out.ts';
import { useSession } from '../../storage.ts';
import { Button, ButtonLink } from '../../ui/actions/button.tsx';
import { Stick } from '../../ui/brand/stick.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';

const promises = [
  { Icon: Split, text: 'Each deposit, investment and payout is written to your half and to ours.' },
  { Icon: Fingerprint, text: 'Both halves carry the same code. You can check it any time.' },
  { Icon: Download, text: 'Download your half whenever you like.' },
];

/** The seam card of Sign Up and Log In: the form is the reader's half, the record's terms are ours. */
export function RecordCard({ children }: { children: ReactNode }) {
  return (
    <div className="seam">
      <div className="bg-surface tablet:py-10 tablet:pr-11 tablet:pl-9 desktop:pt-12 desktop:pr-15 desktop:pb-11 desktop:pl-12">
        {children}
      </div>
      <section className="on-ink flex flex-col bg-ink text-on-ink max-tablet:hidden tablet:py-10 tablet:pr-7 tablet:pl-11 desktop:pt-12 desktop:pr-11 desktop:pb-11 desktop:pl-15">
        <h2 className="text-panel">You keep one half of every record.</h2>
        <ul className="mt-7 grid gap-5">
          {promises.map(({ Icon, text }) => (
            <li key={text} className="grid grid-cols-[20px_1fr] gap-3.5 text-control text-on-ink-2">
              <Icon className="mt-px size-5 text-hazel-hi" strokeWidth={1.75} aria-hidden="true" />
              {text}
            </li>
          ))}
        </ul>
        <svg
          viewBox="0 0 380 96"
          className="mt-auto block w-[calc(100%+28px)] pt-6 desktop:w-[calc(100%+44px)]"
          aria-hidden="true"
        >
          <Stick
            y={4}
            half={40}
            gap={8}
            upperEnd={380}
            lowerEnd={300}
            notchWidth={14}
            notchDepth={26}
            notches={[44, 84, 124, 188, 228]}
            bleeds
          />
        </svg>
        <p className="pt-7 text-caption/5 text-on-ink-2">{riskLine}</p>
      </section>
    </div>
  );
}

/**
 * Stands above a form for those who are signed in already: who they are here, the way on, and the way to be somebody
 * else. Who it is comes with the scripts, so name and address have one line each from the beginning.
 */
export function AlreadySignedIn() {
  const session = useSession();
  const [hasLeft, setLeft] = useState(false);
  const place = useRef<HTMLDivElement>(null);

  function leave() {
    signOut();
    setLeft(true);
    // The button goes away with the session; whoever pressed it goes on in the form.
    place.current?.parentElement?.querySelector('input')?.focus();
  }

  return (
    <div ref={place}>
      <section
        aria-label="Signed in"
        className="member-only mt-6 rounded-code bg-sunken p-4 inset-ring inset-ring-line"
      >
        <p className="text-label text-2">You are signed in as</p>
        <p className="min-h-6 truncate font-semibold" title={session?.fullname}>
          {session?.fullname}
        </p>
        <p className="min-h-5 truncate text-label text-2" title={session?.email}>
          {session?.email}
        </p>
        <div className="mt-3 flex flex-wrap gap-2.5">
          <ButtonLink to="/dashboard">Dashboard</ButtonLink>
          <Button onClick={leave}>Use another account</Button>
        </div>
      </section>
      {hasLeft && !session && (
        <div className="mt-6">
          <QuietNotice role="status">You are signed out.</QuietNotice>
        </div>
      )}
    </div>
  );
}
