import type { ReadDb } from '../../platform/postgres/db.ts';
import { countLabels, hashOfEntry } from './list-store.ts';
import type { Account } from './rules.ts';

interface Counted {
  /** The number of the newest entry that is among them, and its hash, which is made of all before it. */
  upTo: bigint;
  head: string;
  counts: ReadonlyMap<string, number>;
}

const rememberedMax = 1000;

/**
 * How many entries of each label an account has. An entry never changes, so what was counted once is counted for good:
 * only what came since then is counted again. Where the account is read as it was a moment ago, what has come since does
 * not count yet.
 *
 * A standby that nobody waits for may show entries which a failover then takes back, and others get their numbers. So what
 * was counted is believed only where the newest of them still has its hash.
 */
export function createLabelCounts() {
  const remembered = new Map<string, Counted>();

  async function isStillSo(on: ReadDb, account: CountedAccount, { upTo, head }: Counted): Promise<boolean> {
    return head === (upTo === account.entryCount ? account.head : await hashOfEntry(on, account.id, upTo));
  }

  return async (on: ReadDb, account: CountedAccount): Promise<Counted> => {
    const { id, entryCount, head } = account;
    const newest = remembered.get(id);
    const isAhead = newest !== undefined && newest.upTo > entryCount;
    const known = newest && !isAhead && (await isStillSo(on, account, newest)) ? newest : null;
    if (known?.upTo === entryCount) return known;
    const counts = new Map(known?.counts);
    const fresh = await countLabels(on, id, { after: known?.upTo ?? 0n, upTo: entryCount });
    for (const { label, count } of fresh) counts.set(label, (counts.get(label) ?? 0) + Number(count));
    const counted = { upTo: entryCount, head, counts };
    if (isAhead) return counted;
    remembered.delete(id);
    remembered.set(id, counted);
    const [oldest] = remembered.keys();
    if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest);
    return counted;
  };
}

type CountedAccount = Pick<Account, 'id' | 'entryCount' | 'head'>;
