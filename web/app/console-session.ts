/**
 * The console's session lives in a cookie that no script can read. All that this side learns is the server's word
 * that it is over, which may come with any answer; whoever shows the console listens for it.
 */
const listeners = new Set<() => void>();

export function tellConsoleEnded(): void {
  for (const listener of listeners) listener();
}

export function onConsoleEnded(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
