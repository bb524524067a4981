import { type ReactNode, Suspense } from 'react';

/**
 * What is not seen at first is neither laid out before it comes near nor taken over in one go with the rest: a phone
 * answers its first touch sooner.
 */
export function Below({ children }: { children: ReactNode }) {
  return (
    <Suspense>
      <div className="[contain-intrinsic-size:auto_720px] [content-visibility:auto]">{children}</div>
    </Suspense>
  );
}
