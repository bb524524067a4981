/** Failures that the screen only mentions quietly go to the browser's console, for whoever looks into them. */
export function logFailure(words: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the specification asks that these failures are logged
  console.error(words, error);
}

export async function orLog<T>(words: string, reading: Promise<T>): Promise<T> {
  return reading.catch((error) => {
    logFailure(words, error);
    throw error;
  });
}
