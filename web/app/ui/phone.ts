import { useSyncExternalStore } from 'react';

const phone = '(width < 761px)';

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(phone);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/**
 * True where the screen is a phone's. For parts that are built differently there, a table that becomes blocks for
 * example; whatever only looks different is the stylesheet's business. What the build draws is for a phone.
 */
export function usePhone(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(phone).matches,
    () => true,
  );
}
