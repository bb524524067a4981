import { it as always } from 'vitest';
import { noAnvil } from './anvil.ts';

if (noAnvil) process.stderr.write(`Skipped: ${noAnvil}\n`);

/** For tests that need a node of an EVM network; where none is to be had they are skipped, and it is said why. */
export const it = always.skipIf(noAnvil !== null);
