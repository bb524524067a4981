import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { AuthLead, AuthTitle } from '../../domain/page/auth-head.tsx';
import { BrandLink } from '../../domain/page/brand-link.tsx';
import { ButtonLink } from '../../ui/actions/button.tsx';
import { SuccessMark } from '../../ui/facts/success-mark.tsx';

interface AuthScreenProps {
  back?: { to: string; name: string };
  children: ReactNode;
}

/** The frame of every sign-in page: the brand, one way back, one card. */
export function AuthScreen({ back, children }: AuthScreenProps) {
  return (
    <div className="flex flex-1 flex-col bg-surface tablet:bg-signin">
      <header className="flex h-20 items-center justify-between px-5 tablet:px-10">
        <BrandLink to="/" />
        {back && (
          <Link
            to={back.to}
            className="inline-flex min-h-11 items-center gap-1.5 font-medium text-2 underline-offset-3 hover:underline"
          >
            <ArrowLeft className="size-4" aria-hidden="true" />
            {back.name}
          </Link>
        )}
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="grid flex-1 grid-cols-[minmax(0,1fr)] px-5 pt-3 pb-8 tablet:place-items-center tablet:pt-2 tablet:pb-14"
      >
        {children}
      </main>
    </div>
  );
}

export const backToSite = { to: '/', name: 'Back to site' };
export const backToLogin = { to: '/login', name: 'Back to login' };

/**
 * One card for one question. On phones the page itself is the card. `pending` keeps it out of sight until the browser
 * has said what it remembers, so that the card never shows one thing and then jumps to another.
 */
export function SoloCard({ pending = false, children }: { pending?: boolean; children: ReactNode }) {
  return (
    <div
      className={`tablet:w-[480px] tablet:rounded-panel tablet:bg-surface tablet:p-12 tablet:shadow-card tablet:inset-ring tablet:inset-ring-line ${pending ? '[:root[data-scripts]_&]:invisible' : ''}`}
    >
      {children}
    </div>
  );
}

/** The line beneath a form that leads elsewhere. */
export function AuthUnder({ children }: { children: ReactNode }) {
  return <p className="mt-5 text-control text-2">{children}</p>;
}

interface SuccessScreenProps {
  title: string;
  text: string;
  /** Where it goes on, unless it is with signing in. */
  next?: { to: string; name: string };
}

/** The end of a flow: what was done, and the way on. */
export function SuccessScreen({ title, text, next }: SuccessScreenProps) {
  return (
    <AuthScreen>
      <SoloCard>
        <SuccessMark />
        <AuthTitle>{title}</AuthTitle>
        <AuthLead>{text}</AuthLead>
        <ButtonLink to={next?.to ?? '/login'} size="large" className="mt-7 w-full">
          {next?.name ?? 'Continue'}
        </ButtonLink>
      </SoloCard>
    </AuthScreen>
  );
}
