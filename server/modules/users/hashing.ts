import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../platform/app-error.ts';

/** What one hash takes: KiB of memory, passes over it, lanes. */
export interface HashingCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** argon2id is the library's default algorithm; these are OWASP's parameters for it. */
const owaspCost: HashingCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const runningMax = 4;
/** A short queue smooths a burst; a long one would only let the last in line time out. */
const waitingMax = 16;

export interface Hashing {
  hash(password: string): Promise<string>;
  /** With no stored hash it still does the work, so that an unknown e-mail takes as long as a wrong password. */
  matches(storedHash: string | null, password: string): Promise<boolean>;
}

/** Hashing is meant to be expensive, so only a few run at once: more would let anyone exhaust the machine. */
export function createHashing(cost = owaspCost): Hashing {
  let running = 0;
  const waiting: (() => void)[] = [];
  const strangersHash = hash(randomBytes(32).toString('hex'), cost);

  async function inSlot<T>(work: () => Promise<T>): Promise<T> {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) {
        const message = 'Too many people are signing in at this moment. Try again in a few seconds.';
        throw new AppError('busy', message, { retryAfterSeconds: 2 });
      }
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

  return {
    hash: (password) => inSlot(() => hash(password, cost)),
    matches: (storedHash, password) =>
      inSlot(async () => {
        const right = await verify(storedHash ?? (await strangersHash), password);
        return right && storedHash !== null;
      }),
  };
}
