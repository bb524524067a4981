export type KeyCommand = 'next' | 'previous' | 'open' | 'confirm' | 'reject' | 'help';

const commands = new Map<string, KeyCommand>([
  ['j', 'next'],
  ['k', 'previous'],
  ['Enter', 'open'],
  ['c', 'confirm'],
  ['r', 'reject'],
  ['?', 'help'],
]);

/** In the order they are explained. */
export const keyHelp: readonly { keys: readonly string[]; text: string }[] = [
  { keys: ['j'], text: 'Next request' },
  { keys: ['k'], text: 'Request before' },
  { keys: ['Enter'], text: 'Open the request' },
  { keys: ['c'], text: 'Confirm, approve or mark as paid: opens it at that step' },
  { keys: ['r'], text: 'Reject or discard: opens it at that step' },
  { keys: ['Esc'], text: 'Close what is open' },
  { keys: ['?'], text: 'This overview' },
];

interface Press {
  key: string;
  /** Ctrl, Alt or the system's key: then it is the browser's. */
  hasModifier: boolean;
  isTyping: boolean;
  isDialogOpen: boolean;
  /** The focus is on a button or a link, which Enter presses. */
  isOnControl: boolean;
}

/** What a key means in the queue; null where it is not ours to take. */
export function commandOf({
  key,
  hasModifier,
  isTyping,
  isDialogOpen,
  isOnControl,
}: Press): KeyCommand | null {
  if (hasModifier || isTyping || isDialogOpen) return null;
  if (key === 'Enter' && isOnControl) return null;
  return commands.get(key) ?? null;
}

/**
 * Which row is next. `at` is the row with the focus, `lastAt` the one that had it: when that one was decided and has
 * left the queue, the one that took its place is meant.
 */
export function rowAfter(
  command: 'next' | 'previous',
  count: number,
  at: number | null,
  lastAt: number,
): number {
  const last = count - 1;
  if (at === null) return Math.min(Math.max(lastAt, 0), last);
  return command === 'next' ? Math.min(at + 1, last) : Math.max(at - 1, 0);
}
