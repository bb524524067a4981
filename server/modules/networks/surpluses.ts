import type { Network } from '@tallystick/contract/networks';
import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { AccountChain, Chain } from '../../platform/chains/chain.ts';
import { type Clock, minuteMs } from '../../platform/clock.ts';
import { type Db, inTransaction } from '../../platform/postgres/db.ts';
import { nameOf } from '../../platform/second-operator.ts';
import { mayRead } from './cursor-store.ts';
import { familyOf, surplusOf } from './rules.ts';
import {
  addressesDue,
  countedAt,
  endSurplus,
  insertSurplus,
  keepBalances,
  openSurpluses,
} from './surplus-store.ts';

/** Every address this often, so many at once: providers count calls. */
const everyMs = 60 * minuteMs;
const atOnce = 500;

interface ComparingNeeds {
  db: Db;
  clock: Clock;
  network: Network;
  chain: Chain;
}

/**
 * What our addresses hold, where a node knows that. Coins that a contract passes on are in no transaction that names who
 * gets them: at an investor's address they are found by what it holds, and handed to people, as the chain does not say
 * who sent them, nor why. What came and was moved on between two looks is not found.
 */
export function createComparing({ db, clock, network, chain }: ComparingNeeds) {
  const family = familyOf(network);
  const account = family === 'bitcoin' ? null : (chain as AccountChain);
  let lookedMs = 0;

  return async ({ height }: { height: number }): Promise<void> => {
    const now = clock.now();
    if (!account || now.getTime() - lookedMs < minuteMs) return;
    lookedMs = now.getTime();
    const since = new Date(now.getTime() - everyMs);
    await inTransaction(db, async (tx) => {
      if (!(await mayRead(tx, network))) return;
      const due = await addressesDue(tx, network, { family, since, limit: atOnce });
      if (due.length === 0) return;
      const held = await account.balances(
        due.map(({ match }) => match),
        height,
      );
      const addressIds = due.map(({ addressId }) => addressId);
      const counted = await countedAt(tx, network, { addressIds, height });
      const looked = due.map((before, at) => {
        const units = held[at] ?? 0n;
        return { ...before, units, counted: counted.get(before.addressId) ?? 0n, height };
      });
      for (const [at, row] of looked.entries()) {
        const before = due[at] ?? row;
        const units = family === 'evm' && row.ownerId !== null ? surplusOf(before, row) : 0n;
        if (units === 0n) continue;
        const span = { heightFrom: before.height, heightTo: height };
        await insertSurplus(tx, { network, addressId: row.addressId, units, ...span, foundAt: now });
      }
      await keepBalances(tx, network, looked, now);
    });
  };
}

/** What operators do with it. */
export function createSurpluses({ db, clock }: { db: Db; clock: Clock }) {
  return {
    surpluses: () => openSurpluses(db),

    /** Somebody has looked into it, and says what it was. Crediting it is a deposit by hand, which needs two. */
    async endSurplus({ id, note, actor }: { id: string; note: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        const ended = await endSurplus(tx, { id, note, by: nameOf(actor), now });
        if (!ended) throw new AppError('already_decided', 'Somebody has looked into this already.');
        const { ownerId, ...details } = ended;
        const subject = ownerId ? { subjectId: ownerId } : {};
        const entry = { actor, action: 'surplus.ended', ...subject, details: { ...details, note } };
        await writeAudit(tx, entry, now);
      });
    },
  };
}
