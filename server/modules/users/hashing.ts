import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createSlots } from '../../platform/work/slots.ts';

/** What one hash takes: KiB of memory, passes over it, lanes. */
export interface HashingCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** argon2id is the library's default algorithm; these are OWASP's parameters for it. */
const owaspCost: HashingCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
export interface Hashing {
  hash(password: string): Promise<string>;
  /** With no stored hash it still does the work, so that an unknown e-mail takes as long as a wrong password. */
  matches(storedHash: string | null, password: string): Promise<boolean>;
}

/** Hashing is meant to be expensive, so only a few run at once: more would let anyone exhaust the machine. */
export function createHashing(cost = owaspCost): Hashing {
  const inSlot = createSlots({
    runningMax: 4,
    waitingMax: 16,
    message: 'Too many people are signing in at this moment. Try again in a few seconds.',
    retryAfterSeconds: 2,
  });
  const strangersHash = hash(randomBytes(32).toString('hex'), cost);

  return {
    hash: (password) => inSlot(() => hash(password, cost)),
    matches: (storedHash, password) =>
      inSlot(async () => {
        const right = await verify(storedHash ?? (await strangersHash), password);
        return right && storedHash !== null;
      }),
  };
}
