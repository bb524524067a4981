import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useMailToken } from '../../domain/mail-token.ts';
import { useStored } from '../../storage.ts';
import { TextLink } from '../../ui/actions/links.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';

/** What one page tells the next about the code it asked for. It travels in the browser's history, not in the address. */
export interface CodeMail {
  email: string;
  /** Milliseconds since 1970; absent where this visit did not send the code. */
  sentAt?: number;
}

/** The ways into a page that asks for a code. */
type CodeEntry =
  /** The prerendered page: what this browser remembers is not known yet. */
  | { kind: 'pending' }
  /** The long link of the e-mail was opened. */
  | { kind: 'link'; token: string }
  | { kind: 'code'; userid: string; mail: Partial<CodeMail> }
  /** Nobody has asked for a code in this browser. */
  | { kind: 'begin' };

export type WithoutLink = Exclude<CodeEntry, { kind: 'link' }>;

/** Whom a code is for, and what is known of the letter that brought it. */
export function codeOf(entry: WithoutLink): { userid: string | null } & Partial<CodeMail> {
  return entry.kind === 'code' ? { userid: entry.userid, ...entry.mail } : { userid: null };
}

export function useCodeEntry(): CodeEntry {
  const token = useMailToken('link');
  const userid = useStored('useridkey');
  const { state } = useLocation();
  if (token === undefined || userid === undefined) return { kind: 'pending' };
  if (token !== null) return { kind: 'link', token };
  return userid ? { kind: 'code', userid, mail: codeMailOf(state) } : { kind: 'begin' };
}

/** History entries outlive releases, so their content is looked at before it is believed. */
function codeMailOf(state: unknown): Partial<CodeMail> {
  if (typeof state !== 'object' || state === null) return {};
  const { email, sentAt } = state as Record<string, unknown>;
  return {
    ...(typeof email === 'string' && { email }),
    ...(typeof sentAt === 'number' && { sentAt }),
  };
}

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
