import type { Call, CallAnswer, CallInput } from '@tallystick/contract/call';
import { userText } from '@tallystick/contract/errors';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiRefusal, ApiUnreachable, callApi, isSessionOver } from '../../api.ts';
import { logFailure } from '../../log.ts';
import { dismissToasts, toastFailure } from '../../ui/overlays/toast.tsx';

/** Why a command came to nothing, as far as this side knows. */
export type CommandFailure = ApiRefusal | ApiUnreachable;

interface Outcome<C extends Call> {
  onDone: (answer: CallAnswer<C>) => void;
  onFailed: (why: CommandFailure) => void;
}

/**
 * One form's way to move money. Pressing twice sends once. The key names the filled form: it stays the same while the
 * server may have acted without our knowing, so that another try cannot act a second time; any other value, a plain
 * answer or success ends it.
 */
export function useMoneyCommand<C extends Call>(call: C) {
  const [busy, setBusy] = useState(false);
  const isSending = useRef(false);
  const open = useRef<{ text: string; key: string } | null>(null);
  const queries = useQueryClient();

  async function send(input: CallInput<C>, { onDone, onFailed }: Outcome<C>): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setBusy(true);
    const text = JSON.stringify(input);
    let isOver = false;
    if (open.current?.text !== text) open.current = { text, key: crypto.randomUUID() };
    try {
      const answer = await callApi(call, input, { idempotencyKey: open.current.key });
      open.current = null;
      dismissToasts();
      onDone(answer);
    } catch (error) {
      if (!(error instanceof ApiRefusal || error instanceof ApiUnreachable)) throw error;
      if (isRefused(error)) open.current = null;
      isOver = isSessionOver(error);
      onFailed(error);
    } finally {
      isSending.current = false;
      setBusy(false);
      // After an action of one's own nobody waits for the next round; after the session's end nobody is left to ask for.
      if (!isOver) void queries.invalidateQueries();
    }
  }

  return { busy, send };
}

/** The server itself said no, so nothing was done. After any other answer, and after none, it may have acted. */
export function isRefused(error: CommandFailure): error is ApiRefusal {
  return error instanceof ApiRefusal && error.status < 500 && error.code !== 'internal';
}

/**
 * The catalogue's words for an investment or a withdrawal that was not made. They are the same for both, so beneath
 * them stands which of the two it was.
 */
export function toastCommandFailure(error: CommandFailure, what: 'investment' | 'withdrawal'): void {
  logFailure(`${userText.commandFailed}:`, error);
  const isShort = error instanceof ApiRefusal && error.code === 'insufficient_funds';
  const known = `The ${what} was not made.`;
  const unknown = `It is not known whether the ${what} was made.`;
  toastFailure(
    isShort ? userText.insufficientFund : userText.commandFailed,
    isRefused(error) ? known : unknown,
  );
}

/** What stands in the form beneath the toast: the server's reason, or what to do when there is none. */
export function reasonOf(error: CommandFailure): string {
  const reference = error instanceof ApiRefusal ? error.reference : '';
  if (isRefused(error)) return error.message;
  const what = error instanceof ApiUnreachable ? 'No answer came' : 'The server answered with an error';
  return `${what}, so it is not known whether it was done. Press again: it counts once.${reference}`;
}
