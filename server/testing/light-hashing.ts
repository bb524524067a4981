import type { HashingCost } from '../modules/users/hashing.ts';

/** The least that argon2 takes. What a real hash costs is proven in `hashing.test.ts`. */
export const lightHashing: HashingCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
