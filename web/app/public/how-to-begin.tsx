import type { ReactNode } from 'react';
import { QuietNotice } from '../ui/facts/notice.tsx';
import { TextLink } from './text-link.tsx';

/** Stands above the form of a step that was opened without the steps before it. */
export function HowToBegin({ children }: { children: ReactNode }) {
  return (
    <div className="mt-7">
      <QuietNotice>{children}</QuietNotice>
    </div>
  );
}

/** What pressing the button of a reset's step comes to then. */
export const resetNotBegun = 'No reset was begun in this browser: enter your e-mail first.';

export function BeginReset() {
  return (
    <HowToBegin>
      No reset was begun in this browser.{' '}
      <TextLink to="/forgotpass">
        Enter your <span className="whitespace-nowrap">e-mail</span>
      </TextLink>{' '}
      and we send a code.
    </HowToBegin>
  );
}
