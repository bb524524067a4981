import { type ReactNode, Suspense } from 'react';

/** What is not seen at first is not taken over in one go with the rest: a phone answers its first touch sooner. */
export function Below({ children }: { children: ReactNode }) {
  return <Suspense>{children}</Suspense>;
}
