import { useSyncExternalStore } from 'react';
import { readStored } from '../../storage.ts';

/** One question that got no answer is a hiccup. */
const silencesMin = 3;
/** A line may also swallow every question and say nothing: then the first answer is awaited no longer. */
const firstAnswerMsMax = 6_000;

let silences = 0;
let answers = 0;
let hasAnotherAnswered = false;
const listeners = new Set<() => void>();

/** Of every question that the area asks: who answered, be it with a refusal. */
export function noteAnswer(from: 'server' | 'another' | 'nobody'): void {
  if (from === 'server') answers += 1;
  silences = from === 'server' ? 0 : silences + 1;
  hasAnotherAnswered = from === 'another';
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** A screen has been opened, and has asked. */
export function awaitFirstAnswer(): () => void {
  const before = answers;
  const timer = setTimeout(() => {
    if (answers > before) return;
    silences = silencesMin;
    tell();
  }, firstAnswerMsMax);
  return () => clearTimeout(timer);
}

/**
 * `offline` by the browser's own word; `silent` when the server does not answer, `barred` when something on the way does in
 * its place: what is shown is then what was kept. Where nothing is kept, each part of a screen says for itself that it did
 * not come.
 */
export type Reach = 'answers' | 'silent' | 'barred' | 'offline';

export function currentReach(): Reach {
  if (!navigator.onLine) return 'offline';
  if (silences < silencesMin || readStored('figures') === null) return 'answers';
  return hasAnotherAnswered ? 'barred' : 'silent';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

export function useReach(): Reach {
  return useSyncExternalStore(subscribe, currentReach, () => 'answers');
}

/** Where the reason stands, for what is switched off meanwhile. */
export const offlineNoticeId = 'no-connection';

/** For every button that leads to moving money. */
export function useMoneyOff() {
  return useIsAway() ? { disabled: true, 'aria-describedby': offlineNoticeId } : {};
}

/** What is shown may be old, and nothing can be moved. */
export function useIsAway(): boolean {
  return useReach() !== 'answers';
}
