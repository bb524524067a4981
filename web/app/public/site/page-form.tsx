import type { ComponentProps } from 'react';
import { useHydrated } from '../../hydrated.ts';

/**
 * The browser's own checks hold until the app has taken over, then ours speak. `post` is the net beneath: a form
 * that is sent without the app never puts its fields into the address bar.
 */
export function PageForm({ children, ...form }: ComponentProps<'form'>) {
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
