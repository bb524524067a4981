import { errorOf, type Refusal, refuse } from '../../../platform/app-error.ts';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import type { Ledger } from '../../ledger/service.ts';
import type { Networks } from '../../networks/service.ts';
import type { Users } from '../../users/service.ts';
import { type AddressWait, newAddressRefusal } from '../rules.ts';
import { activeMethods, paidAddresses } from '../store.ts';
import { booksOf } from './address-store.ts';
import { type Book, type NetworkDestination, unsavedRefusal } from './rules.ts';

/** For whom money does not go everywhere. */
export interface Allowed {
  /** After a password was reset, or operators removed every factor. */
  waits: Map<string, AddressWait>;
  /** Of those who protect their addresses. */
  books: Map<string, Book>;
}

type To = NetworkDestination & { userId: string };

/** Why nothing goes to an address now; null when it does. What was reset and what is protected are asked both. */
export function destinationRefusal(to: To, { waits, books }: Allowed, now: Date): Refusal | null {
  const tooNew = newAddressRefusal(to, waits.get(to.userId));
  return tooNew ? refuse('address_waits', tooNew) : unsavedRefusal(to, books.get(to.userId), now);
}

interface AllowedNeeds {
  db: Db;
  ledger: Ledger;
  users: Users;
  networks: Networks;
}

/** Where money may go, as far as that is the investor's own doing. */
export function createAllowed({ db, ledger, users, networks }: AllowedNeeds) {
  /** Hardly anyone waits: then their past is not looked at. */
  async function allowedFor(userIds: string[], tx?: Tx): Promise<Allowed> {
    const waiting = await users.newAddressesAfter({ userIds, ...(tx && { tx }) });
    const paid = await paidAddresses(tx ?? db, [...waiting.keys()]);
    const waits = [...waiting].map(([id, until]) => [id, { until, paidBefore: paid.get(id) ?? [] }] as const);
    return { waits: new Map(waits), books: await booksOf(tx ?? db, userIds) };
  }

  return {
    allowedFor,

    /** What passes, or can be mended, is told before the command is taken: its key is good for another try then. */
    async refuseBefore(to: Omit<To, 'network'> & { methodId: string }): Promise<void> {
      const allowed = await allowedFor([to.userId]);
      if (allowed.waits.size === 0 && allowed.books.size === 0) return;
      const method = (await activeMethods(db)).find(({ id }) => id === to.methodId);
      // Whoever mistyped an address is told that by the command itself.
      if (!method || networks.addressRefusal(method.network, to.address)) return;
      const now = await ledger.timeOfMoney({ on: db });
      const refused = destinationRefusal({ ...to, network: method.network }, allowed, now);
      if (refused) throw errorOf(refused);
    },
  };
}
