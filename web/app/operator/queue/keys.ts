import { useEffect, useRef } from 'react';

type KeyCommand = 'next' | 'previous' | 'open' | 'confirm' | 'reject' | 'help';

const commands = new Map<string, KeyCommand>([
  ['j', 'next'],
  ['k', 'previous'],
  ['Enter', 'open'],
  ['c', 'confirm'],
  ['r', 'reject'],
  ['?', 'help'],
]);

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
export function commandOf(press: Press): KeyCommand | null {
  const { key, hasModifier, isTyping, isDialogOpen, isOnControl } = press;
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

const rowSelector = '[data-queue-row]';
const typingSelector = 'input, textarea, select, [contenteditable=true], [role=combobox]';

/**
 * The queue by keyboard. The focus itself walks from row to row, so a screen reader reads along; `c` and `r` press the
 * row's own buttons, so that a key can never do what its button would not.
 */
export function useQueueKeys(actions: { onOpen: (key: string) => void; onHelp: () => void }): void {
  const lastAt = useRef(0);
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useKeptFocus(lastAt);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const command = commandOf(pressOf(event));
      if (!command) return;
      const row = document.activeElement?.closest<HTMLElement>(rowSelector) ?? null;
      if (command === 'help') latest.current.onHelp();
      else if (command === 'next' || command === 'previous')
        lastAt.current = walk(command, row, lastAt.current);
      else if (!row) return;
      else if (command === 'open') latest.current.onOpen(row.dataset.queueRow ?? '');
      else pressButton(row, command === 'reject' ? 'r' : 'c');
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** When the row with the focus has left the queue, the one that took its place gets it: nobody is sent to the top. */
function useKeptFocus(lastAt: { current: number }): void {
  const wasInRow = useRef(false);

  useEffect(() => {
    const onFocus = (event: FocusEvent) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>(rowSelector) : null;
      wasInRow.current = row !== null;
      if (row) lastAt.current = rowsNow().indexOf(row);
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [lastAt]);

  useEffect(() => {
    if (!wasInRow.current || document.activeElement !== document.body) return;
    wasInRow.current = false;
    const rows = rowsNow();
    const next = rows[Math.min(lastAt.current, rows.length - 1)] ?? document.getElementById('main');
    next?.focus({ preventScroll: true });
  });
}

const rowsNow = () => [...document.querySelectorAll<HTMLElement>(rowSelector)];

function pressOf(event: KeyboardEvent) {
  const target = event.target instanceof Element ? event.target : null;
  return {
    key: event.key,
    hasModifier: event.ctrlKey || event.metaKey || event.altKey,
    isTyping: target?.closest(typingSelector) != null,
    isDialogOpen: document.querySelector('[role=dialog]') !== null,
    isOnControl: target?.closest('button, a, summary') != null,
  };
}

function walk(command: 'next' | 'previous', from: HTMLElement | null, lastAt: number): number {
  const rows = rowsNow();
  if (rows.length === 0) return 0;
  const at = rowAfter(command, rows.length, from ? rows.indexOf(from) : null, lastAt);
  rows[at]?.focus({ preventScroll: true });
  rows[at]?.scrollIntoView({ block: 'nearest' });
  return at;
}

function pressButton(row: HTMLElement, key: 'c' | 'r'): void {
  // What opens gives the focus back to where it was: from the row, j and k go on.
  row.focus({ preventScroll: true });
  row.querySelector<HTMLButtonElement>(`button[data-key=${key}]`)?.click();
}
