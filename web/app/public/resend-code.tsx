import { userText } from '@tallystick/contract/errors';
import { resend, resendDelaySeconds } from '@tallystick/contract/users';
import { useEffect, useState } from 'react';
import { callApi } from '../api.ts';
import { FormFailure } from '../domain/forms/form-failure.tsx';
import { NotSent, useSubmission } from '../submission.ts';

interface ResendCodeProps {
  /** Null where nobody has asked for a code in this browser. */
  userid: string | null;
  /** What is told then. */
  notBegun: string;
  purpose: 'verify' | 'reset';
  /** When the last code was sent, if this visit knows. */
  sentAt?: number | undefined;
  /** Stands before the button in the same line. */
  children: string;
}

export function ResendCode({ userid, notBegun, purpose, sentAt, children }: ResendCodeProps) {
  const [lastSentAt, setLastSentAt] = useState(sentAt);
  const [announcement, setAnnouncement] = useState('');
  const secondsLeft = useSecondsLeft(lastSentAt);
  // The server's own sentence says what is wrong and when to try again; there is no text of the catalogue for it.
  const { busy, failure, submit } = useSubmission((refusal) => refusal.message || userText.formFailed);
  const waits = busy || secondsLeft > 0;

  const ask = () =>
    submit(async () => {
      setAnnouncement('');
      if (userid === null) throw new NotSent(notBegun);
      await callApi(resend, { params: { userid }, body: { purpose } });
      setLastSentAt(Date.now());
      setAnnouncement('A new code is on its way. The older code no longer works.');
    });

  return (
    <div className="mt-5 grid gap-3 text-control text-2">
      <p>
        {children}{' '}
        {/* Not `disabled`: that would take the keyboard's place away at the moment the button was pressed. */}
        <button
          type="button"
          aria-disabled={waits}
          onClick={() => waits || ask()}
          className={`-my-2.5 min-h-11 whitespace-nowrap tabular-nums ${waits ? 'cursor-default' : 'font-semibold text-accent-text underline underline-offset-3'}`}
        >
          {secondsLeft > 0 ? `Resend Code in ${clockOf(secondsLeft)}` : 'Resend Code'}
        </button>
      </p>
      <p role="status" className="empty:hidden">
        {announcement}
      </p>
      <FormFailure failure={failure} />
    </div>
  );
}

function useSecondsLeft(sentAt: number | undefined): number {
  const leftNow = () =>
    sentAt === undefined ? 0 : Math.max(0, Math.ceil(resendDelaySeconds - (Date.now() - sentAt) / 1000));
  const [, tick] = useState(0);
  const left = leftNow();
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => tick((count) => count + 1), 1000);
    return () => clearTimeout(timer);
  });
  return Math.min(left, resendDelaySeconds);
}

function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
