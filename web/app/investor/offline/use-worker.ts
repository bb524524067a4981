import { useEffect } from 'react';

/** What is on the screen comes first: the worker fetches the rest of the app. */
const delayMs = 3_000;

/** Only whoever is signed in gets it. A browser that refuses it has the site as it is without. */
export function useWorker(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    const timer = setTimeout(() => navigator.serviceWorker.register('/sw.js').catch(() => {}), delayMs);
    return () => clearTimeout(timer);
  }, []);
}
