import { setTimeout as delay } from 'node:timers/promises';
import { createBatch } from '../../work/batch.ts';
import { type Db, prepared } from '../db.ts';
import type { Marks, Position } from './position.ts';

/** A replica that is further behind than this is not read. */
const oldMsMax = 10_000;
/** How often the primary is asked where it stands, while somebody reads. */
const markEveryMs = 1_000;
const askMsMax = 2_000;
const waitMsMax = 1_000;

/** What is inserted and not on the disk yet is among it: a commit that did not wait for the disk is seen, too. */
const standing = prepared<Position>(
  'where the primary stands',
  `select (lsn - '0/0')::bigint as lsn, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline
   from pg_current_wal_insert_lsn() as lsn`,
  { msMax: askMsMax },
);

/**
 * Where the primary stood, and when. A replica that has come as far as a mark has all that was committed before the mark
 * was made, so nobody's clock has to be compared with another's, and a primary that has nothing to do is not behind itself.
 */
export function createMarks(db: Db) {
  let marks: { at: number; position: Position }[] = [];

  function keep(at: number, position: Position): void {
    const newest = marks.at(-1);
    if (newest && newest.position.timeline !== position.timeline) marks = [];
    else if (newest && at - newest.at < markEveryMs) return;
    marks.push({ at, position });
  }

  /** Those who ask together are told together, and nobody what was asked before they came. */
  const position = createBatch<void, Position>({
    afterFailure: () => 'give up',
    async execute(asking) {
      const at = performance.now();
      const [found] = await standing(db, []);
      if (!found) throw new Error('the primary does not say where it stands');
      keep(at, found);
      return asking.map(() => found);
    },
  });

  return {
    /** Where the primary stands now. */
    position: () => position(),

    /** Null while the primary does not say. */
    async known(): Promise<Marks | null> {
      const now = performance.now();
      marks = marks.filter(({ at }) => now - at <= oldMsMax);
      const age = now - (marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY);
      if (age > markEveryMs) {
        const asking = position().catch(() => null);
        // Only who has nothing to go by waits for it, and not long: the primary is asked next, and fails by itself.
        if (marks.length === 0) await Promise.race([asking, delay(waitMsMax, null, { ref: false })]);
      }
      const [least, newest] = [marks[0], marks.at(-1)];
      return least && newest ? { least: least.position, newest: newest.position } : null;
    },
  };
}
