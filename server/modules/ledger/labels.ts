import type { ReadDb } from '../../platform/postgres/db.ts';
import { countLabels } from './list-store.ts';
import type { Account } from './rules.ts';

interface Counted {
  /** The number of the newest entry that is among them. */
  upTo: bigint;
  counts: ReadonlyMap<string, number>;
}

const rememberedMax = 1000;

/**
 * How many entries of each label an account has. An entry never changes, so what was counted once is counted for good:
 * only what came since then is counted again. Where the account is read as it was a moment ago, what has come since does
 * not count yet.
 */
export function createLabelCounts() {
  const remembered = new Map<string, Counted>();

  return async (on: ReadDb, { id, entryCount }: Pick<Account, 'id' | 'entryCount'>): Promise<Counted> => {
    const newest = remembered.get(id);
    const known = newest && newest.upTo <= entryCount ? newest : null;
    if (known?.upTo === entryCount) return known;
    const counts = new Map(known?.counts);
    const fresh = await countLabels(on, id, { after: known?.upTo ?? 0n, upTo: entryCount });
    for (const { label, count } of fresh) counts.set(label, (counts.get(label) ?? 0) + Number(count));
    const counted = { upTo: entryCount, counts };
    if (newest && !known) return counted;
    remembered.delete(id);
    remembered.set(id, counted);
    const [oldest] = remembered.keys();
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest);
    return counted;
  };
}
