import { AppError } from '../app-error.ts';

interface Slots {
  runningMax: number;
  /** A short queue smooths a burst; a long one would only let the last in line time out. */
  waitingMax: number;
  /** For whoever finds the queue full. */
  message: string;
  retryAfterSeconds: number;
}

/** Work that is expensive by its nature: only a few run at once, or anyone could exhaust the machine. */
export function createSlots({ runningMax, waitingMax, message, retryAfterSeconds }: Slots) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) throw new AppError('busy', message, { retryAfterSeconds });
      // The slot is handed over by the one that frees it, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
