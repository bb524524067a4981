import { AppError } from '../app-error.ts';

interface Slots {
  runningMax: number;
  /** A short queue smooths a burst; a long one would only let the last in line time out. */
  waitingMax: number;
  /** For whoever finds the queue full. */
  message: string;
  retryAfterSeconds: number;
}

/** So many of one asker run or wait: more would be for keeping others out. */
const ofOneMax = 2;

/**
 * Work that is expensive by its nature: only a few run at once, or anyone could exhaust the machine. Where it is known who
 * asks, nobody fills the queue alone.
 */
export function createSlots({ runningMax, waitingMax, message, retryAfterSeconds }: Slots) {
  let running = 0;
  const waiting: (() => void)[] = [];
  const asking = new Map<string, number>();
  const full = () => new AppError('busy', message, { retryAfterSeconds });

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) throw full();
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
  }

  return async <T>(work: () => Promise<T>, asker?: string): Promise<T> => {
    if (asker === undefined) return inTurn(work);
    const count = asking.get(asker) ?? 0;
    if (count >= ofOneMax) throw full();
    asking.set(asker, count + 1);
    try {
      return await inTurn(work);
    } finally {
      const left = (asking.get(asker) ?? 1) - 1;
      if (left > 0) asking.set(asker, left);
      else asking.delete(asker);
    }
  };
}
