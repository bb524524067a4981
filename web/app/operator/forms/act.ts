import type { Call, CallAnswer, CallInput } from '@tallystick/contract/call';
import { isSessionOver } from '../../api.ts';
import { reasonOf, useMoneyCommand } from '../../domain/money/money-command.ts';
import { logFailure } from '../../log.ts';
import { toastFailure, toastSuccess } from '../../ui/overlays/toast.tsx';

export interface Act<C extends Call> {
  /** What the toast says when it is done; without it, the server's own words. */
  done?: string | ((answer: CallAnswer<C>) => string);
  onDone?: (answer: CallAnswer<C>) => void;
  /** For a form that shows the reason itself; without it, a toast does. */
  onRefused?: (reason: string) => void;
}

/**
 * One thing an operator does. However often it is pressed, it is sent once and has one effect; then everything on the
 * screen is asked for again, because the reason for a refusal is often that the other operator was quicker.
 */
export function useAct<C extends Call>(call: C) {
  const { busy, send } = useMoneyCommand(call);

  const act = (input: CallInput<C>, { done, onDone, onRefused }: Act<C> = {}) =>
    send(input, {
      onDone: (answer) => {
        toastSuccess(typeof done === 'function' ? done(answer) : (done ?? messageOf(answer)));
        onDone?.(answer);
      },
      onFailed: (error) => {
        if (isSessionOver(error)) return;
        logFailure(`${call.summary}:`, error);
        const reason = reasonOf(error);
        if (onRefused) onRefused(reason);
        else toastFailure(reason);
      },
    });

  return { busy, act };
}

function messageOf(answer: unknown): string {
  const { message } = answer as { message?: unknown };
  return typeof message === 'string' && message ? message : 'Done.';
}
