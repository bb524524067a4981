import type { ComponentProps } from 'react';
import type { Failure } from '../submission.ts';
import { useHydrated } from '../ui/hydrated.ts';
import { ErrorNotice, QuietNotice } from '../ui/notice.tsx';

/**
 * The browser's own checks hold until the app has taken over, then ours speak. `post` is the net beneath: a form
 * that is sent without the app never puts its fields into the address bar.
 */
export function AuthForm({ children, ...form }: ComponentProps<'form'>) {
  const hydrated = useHydrated();
  return (
    <form method="post" noValidate={hydrated} className="mt-7 grid gap-[18px]" {...form}>
      {children}
      <noscript>
        <p className="text-label text-2">
          This form needs JavaScript. Please switch it on and load the page again.
        </p>
      </noscript>
    </form>
  );
}

export function FormFailure({ failure }: { failure: Failure | null }) {
  if (failure === null) return null;
  if (failure.kind === 'refused') return <ErrorNotice title={failure.title} detail={failure.detail} />;
  return (
    <QuietNotice role="alert">
      The server could not be reached, so nothing was sent. Check your connection and try again.
    </QuietNotice>
  );
}
