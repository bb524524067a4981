import type { ReactNode } from 'react';
import { QuietNotice } from '../ui/notice.tsx';

/** Stands where a step of a flow was opened without the steps before it. */
export function HowToBegin({ children }: { children: ReactNode }) {
  return (
    <div className="mt-7">
      <QuietNotice>{children}</QuietNotice>
    </div>
  );
}
