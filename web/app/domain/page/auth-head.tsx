import type { ReactNode } from 'react';

/** What heads a card at which somebody signs in or up, on the site and at the console. */
export function AuthTitle({ children }: { children: string }) {
  return <h1 className="text-heading">{children}</h1>;
}

/** One sentence under the title. */
export function AuthLead({ children }: { children: ReactNode }) {
  return <p className="mt-2 text-2">{children}</p>;
}
