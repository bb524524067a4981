import { AppError } from '../../platform/app-error.ts';
import { logTime } from '../../platform/log/outbox.ts';
import type { ReadDb } from '../../platform/postgres/db.ts';
import { createExporting } from './exporting.ts';
import { createProving, type ProvingNeeds } from './proving.ts';
import { amountsAt, createTreeHash, idOf, pieces, seedOf } from './rules.ts';
import { createSecrets, createShuffle } from './secret-rules.ts';
import { findStatement, isDue, newestStatements, type StatementRow, shareOf, tilesNamed } from './store.ts';
import { amountsOfKept, pathOf, tileWidth, wayUp } from './tile-rules.ts';

export { mondayOf, weeksFrom } from './lines-rules.ts';
export { accruedCents, dueByWeek, heldByMethod, sumsByKind, takeSnapshot } from './owed-store.ts';
export { statementLock } from './rules.ts';
export type { AddressSigning, Signing } from './signing/service.ts';

/** A little after midnight, when the day that it tells of is over. */
const minutesAfterMidnight = 5;

/** What is owed, proven to everyone it is owed to. Reads across the modules and moves nothing. */
export function createProof(needs: ProvingNeeds) {
  const { db, sealer, origin: ownOrigin } = needs;
  const { prove, stop } = createProving(needs);

  function treeOf({ sealedKey, depth, origin, number, at }: StatementRow) {
    const key = Buffer.from(sealer.open(sealedKey), 'hex');
    const seed = seedOf({ origin, number, time: logTime(at) });
    const secrets = createSecrets(key);
    return { hash: createTreeHash(seed), secrets, shuffle: createShuffle(key, depth), depth };
  }

  return {
    prove,
    stop,
    ...createExporting(needs),

    /** Daily, on whichever server asks first. */
    async proveIfDue(): Promise<void> {
      if (await isDue(db, { minutesAfterMidnight, origin: ownOrigin })) await prove();
    },

    statements: ({ limit, on = db }: { limit: number; on?: ReadDb }) => newestStatements(on, limit),

    /** Where an investor's money stands in a statement; in the newest where none is named. */
    async mine(input: { userId: string; number: bigint | null; on?: ReadDb }) {
      const { userId, number } = input;
      // One that was named was seen somewhere: where it has not arrived yet, it is not said to be missing.
      const isThere = input.on && (number === null || (await findStatement(input.on, number)) !== null);
      const on = isThere && input.on ? input.on : db;
      const [newest] = number === null ? await newestStatements(on, 1) : [await findStatement(on, number)];
      const share = newest ? await shareOf(on, newest.number, userId) : undefined;
      if (!newest || !share)
        throw new AppError('not_found', 'There is no statement with your money in it yet.');
      const tree = treeOf(newest);
      const numbers = Uint32Array.from({ length: pieces }, (_, piece) => share.number * pieces + piece);
      const places = [...tree.shuffle.places(numbers)];
      const wanted = places.flatMap((place) => wayUp(place, tree.depth));
      const tiles = new Map<string, Buffer>();
      for (const { level, number: n, nodes } of await tilesNamed(on, newest.number, wanted))
        tiles.set(`${level} ${n}`, nodes);
      const tileOf = (level: number, n: number) => {
        const tile = tiles.get(`${level} ${n}`);
        if (!tile) throw new Error('a part of a statement is gone');
        return tile;
      };
      return {
        number: newest.number,
        id: String(idOf(share.email)),
        secret: tree.secrets.ofInvestors(share.number, 1).toString('hex'),
        pieces: places.map((index) => ({
          index,
          amounts: amountsOfKept(tileOf(0, Math.floor(index / tileWidth)), index),
          path: pathOf(tree, index, tileOf).map((node) => ({
            hash: node.toString('hex', 0, 32),
            amounts: amountsAt(node, 32),
          })),
        })),
      };
    },
  };
}

export type Proof = ReturnType<typeof createProof>;
