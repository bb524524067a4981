import { totpLength, totpSeconds } from '@tallystick/contract/operator/session';
import { useEffect, useState } from 'react';
import { CodeBoxes } from '../../ui/forms/code-boxes.tsx';
import { Beside } from '../forms/form-notes.tsx';

/** The six digits of an authenticator, and how long the ones it shows will last. */
export function CodeField({ error, invalid }: { error: string | undefined; invalid: boolean }) {
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span aria-hidden="true" className="text-label font-label">
          {label}
        </span>
        <NextCode />
      </div>
      <CodeBoxes length={totpLength} label={label} error={error} invalid={invalid} />
    </div>
  );
}

const label = `${totpLength}-digit code`;

function NextCode() {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = secondsToNextCode(now, totpSeconds);
  return <Beside>{`New code in 0:${String(seconds).padStart(2, '0')}`}</Beside>;
}

/** Authenticators change their code when the seconds since 1970 pass a multiple of the period. */
export function secondsToNextCode(nowMs: number, periodSeconds: number): number {
  return periodSeconds - (Math.floor(nowMs / 1000) % periodSeconds);
}

/** The boxes are fields of their form: code1, code2, … */
export function readCode(form: HTMLFormElement): string {
  const values = new FormData(form);
  return Array.from({ length: totpLength }, (_, index) => String(values.get(`code${index + 1}`) ?? '')).join(
    '',
  );
}

/** Puts the cursor where the code goes on, or at its beginning when it was whole and wrong. */
export function focusCode(form: HTMLFormElement): void {
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name^=code]')];
  (boxes.find((box) => box.value === '') ?? boxes[0])?.focus();
}

export function fillCode(form: HTMLFormElement, code: string): void {
  for (const [index, box] of [...form.querySelectorAll<HTMLInputElement>('input[name^=code]')].entries()) {
    box.value = code[index] ?? '';
  }
}
