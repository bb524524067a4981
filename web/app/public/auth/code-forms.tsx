import { userText } from '@tallystick/contract/errors';
import { Code, type CodePurpose, codeLength, resend, resendDelaySeconds } from '@tallystick/contract/users';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { ApiRefusal, callApi } from '../../api.ts';
import { FormFailure, NotSent, useSubmission } from '../../domain/forms/submission.tsx';
import { SubmitButton } from '../../ui/actions/button.tsx';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { CodeBoxes } from '../../ui/forms/code-boxes.tsx';
import { takeFocus } from '../../ui/forms/first-focus.ts';
import { PageForm } from '../site/page-form.tsx';

interface CodeFormProps {
  submitLabel: string;
  titleOf: (refusal: ApiRefusal) => string;
  onCode: (code: string) => Promise<void>;
}

/** Only the button sends the code: the fourth digit alone never does, so a mistake can still be mended. */
export function CodeForm({ submitLabel, titleOf, onCode }: CodeFormProps) {
  const [error, setError] = useState<string>();
  const { busy, failure, submit } = useSubmission(titleOf);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const digits = [...new FormData(form).values()].map(String);
    const code = Code.safeParse(digits.join(''));
    setError(code.error?.issues[0]?.message);
    if (!code.success) {
      const firstEmpty = digits.indexOf('') + 1;
      form.querySelector<HTMLInputElement>(`[name=code${firstEmpty || 1}]`)?.focus();
      return;
    }
    await submit(() => onCode(code.data));
  }

  return (
    <PageForm onSubmit={onSubmit}>
      <CodeBoxes
        length={codeLength}
        label={`${codeLength}-digit code`}
        error={error}
        invalid={failure?.kind === 'refused'}
      />
      <FormFailure failure={failure} />
      <SubmitButton busy={busy}>{submitLabel}</SubmitButton>
    </PageForm>
  );
}

interface ResendCodeProps {
  /** Null where nobody has asked for a code in this browser. */
  userid: string | null;
  /** What is told then. */
  notBegun: string;
  purpose: CodePurpose;
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
      <p role="status" className="empty:absolute">
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

interface LinkFormProps {
  submitLabel: string;
  /** The catalogue's text for everything but a link that no longer works. */
  failedText: string;
  onFollow: () => Promise<void>;
  /** How to get a new e-mail. */
  whenDead: ReactNode;
}

/** One button, because opening a mail's link must not change anything: mail programs open links by themselves. */
export function LinkForm({ submitLabel, failedText, onFollow, whenDead }: LinkFormProps) {
  const [dead, setDead] = useState(false);
  const { busy, failure, submit } = useSubmission(() => failedText);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    await submit(async () => {
      try {
        await onFollow();
      } catch (error) {
        // 400 is a link that was cut off on its way, 422 one that is used up or too old.
        if (!(error instanceof ApiRefusal) || (error.status !== 422 && error.status !== 400)) throw error;
        setDead(true);
      }
    });
  }

  if (dead) {
    return (
      <div ref={takeFocus} tabIndex={-1} className="mt-7 outline-none">
        <QuietNotice role="alert">
          <p className="font-semibold text-1">This link no longer works.</p>
          <p className="mt-0.5">It may be too old, already used, or replaced by a newer e-mail. {whenDead}</p>
        </QuietNotice>
      </div>
    );
  }
  return (
    <PageForm onSubmit={onSubmit}>
      <FormFailure failure={failure} />
      <SubmitButton busy={busy}>{submitLabel}</SubmitButton>
    </PageForm>
  );
}
