import type { ErrorCode } from '@tallystick/contract/errors';
import { useState } from 'react';
import { ApiRefusal, ApiUnreachable } from '../../api.ts';
import { logFailure } from '../../log.ts';
import { ErrorNotice, QuietNotice } from '../../ui/facts/notice.tsx';

/** `detail` is the server's own reason, where it says more than the title. */
type Failure =
  | { kind: 'refused'; title: string; detail?: string }
  | { kind: 'unreachable' }
  | { kind: 'unsent'; why: string };

/** Something has to be done elsewhere first, so nothing was sent; the message says what. */
export class NotSent extends Error {
  override name = 'NotSent';
}

/**
 * One form's way to the server: busy while it waits, then either done or a failure to show.
 * `titleOf` turns a refusal into the catalogue's text, or null where the form shows it at a field itself.
 */
export function useSubmission(titleOf: (refusal: ApiRefusal) => string | null) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function submit(send: () => Promise<void>): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await send();
    } catch (error) {
      setFailure(failureOf(error, titleOf));
    } finally {
      setBusy(false);
    }
  }

  return { busy, failure, submit };
}

/** Refusals whose reason is the title in other words. */
const saidByTitle: readonly ErrorCode[] = ['wrong_credentials', 'email_exists'];

function failureOf(error: unknown, titleOf: (refusal: ApiRefusal) => string | null): Failure | null {
  if (error instanceof ApiUnreachable) {
    logFailure('The form could not be sent:', error);
    return { kind: 'unreachable' };
  }
  if (error instanceof NotSent) return { kind: 'unsent', why: error.message };
  if (!(error instanceof ApiRefusal)) throw error;
  const title = titleOf(error);
  if (title === null) return null;
  const adds = error.message && error.message !== title && !saidByTitle.includes(error.code);
  if (!adds) return { kind: 'refused', title };
  return { kind: 'refused', title, detail: error.message };
}

export function FormFailure({ failure }: { failure: Failure | null }) {
  if (failure === null) return null;
  if (failure.kind === 'refused') return <ErrorNotice title={failure.title} detail={failure.detail} />;
  if (failure.kind === 'unsent')
    return <QuietNotice role="alert">Nothing was sent. {failure.why}</QuietNotice>;
  return (
    <QuietNotice role="alert">
      The server could not be reached, so nothing was sent. Check your connection and try again.
    </QuietNotice>
  );
}

/** What stands beneath the catalogue's words: the server's own reason, that it failed, or that it was never reached. */
export function failureDetail(error: unknown): string | undefined {
  if (error instanceof ApiUnreachable) return 'The server could not be reached. Please try again.';
  if (error instanceof ApiRefusal && error.message) return error.message;
  return undefined;
}
