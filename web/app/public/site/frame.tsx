import type { ReactNode } from 'react';
import { SiteFooter } from './footer.tsx';
import { SiteHeader } from './header.tsx';

/** `strip` stands between the header and the content, where the link that skips the header skips it too. */
export function SiteFrame({ strip, children }: { strip?: ReactNode; children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      {strip}
      <main id="main" tabIndex={-1} className="flex-1">
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
