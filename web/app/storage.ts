import type { Session } from '@tallystick/contract/users';
import { useMemo, useSyncExternalStore } from 'react';

/**
 * What the browser remembers. Storage may be switched off or full: then the values live as long as the page does,
 * and every flow still works in this tab.
 */
type Key = 'userdata' | 'useridkey' | 'theme' | 'log' | 'figures' | `record:${string}`;

const inMemory = new Map<Key, string>();

export function readStored(key: Key): string | null {
  try {
    return localStorage.getItem(key) ?? inMemory.get(key) ?? null;
  } catch {
    return inMemory.get(key) ?? null;
  }
}

export function writeStored(key: Key, value: string): void {
  try {
    localStorage.setItem(key, value);
    inMemory.delete(key);
  } catch {
    inMemory.set(key, value);
  }
  tell(key, value);
}

export function removeStored(key: Key): void {
  inMemory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored there in the first place.
  }
  tell(key, null);
}

/** By the browser's own event, which it sends to other tabs alone: whoever hears of their changes hears of ours. */
function tell(key: Key, newValue: string | null): void {
  if (typeof window !== 'undefined') dispatchEvent(new StorageEvent('storage', { key, newValue }));
}

export function onStored(listener: () => void): () => void {
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

/** `undefined` while the prerendered page is being taken over: only the browser knows what it remembers. */
export function useStored(key: Key): string | null | undefined {
  return useSyncExternalStore(
    onStored,
    () => readStored(key),
    () => undefined,
  );
}

export function parseSession(text: string | null | undefined): Session | null {
  if (!text) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isSession(value) ? value : null;
  } catch {
    return null;
  }
}

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false;
  const { token, fullname } = value as Partial<Session>;
  return typeof token === 'string' && typeof fullname === 'string';
}

/** Why the stored session went away, as far as this tab had a part in it. */
let sessionEnded: 'signed out' | 'expired' | 'closed' | null = null;

export function readSession(): Session | null {
  return parseSession(readStored('userdata'));
}

export function useSession(): Session | null {
  const text = useStored('userdata');
  return useMemo(() => parseSession(text), [text]);
}

export function beginSession(answer: Session): void {
  sessionEnded = null;
  // Whoever signs in, they may be somebody else's.
  removeStored('figures');
  writeStored('userdata', JSON.stringify(answer));
}

export function endSession(reason: 'signed out' | 'expired' | 'closed'): void {
  // What was asked before is answered by then that nobody is signed in.
  if (sessionEnded !== 'closed') sessionEnded = reason;
  removeStored('figures');
  removeStored('userdata');
}

export function hasSessionExpired(): boolean {
  return sessionEnded === 'expired';
}

/** The account itself is closed. */
export function hasClosedAccount(): boolean {
  return sessionEnded === 'closed';
}
