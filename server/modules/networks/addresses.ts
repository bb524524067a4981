import type { Network } from '@tallystick/contract/networks';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import {
  type AddressRow,
  insertAddress,
  type KeyRow,
  keysNamed,
  takeNumber,
  unusedAddress,
} from './address-store.ts';
import { familyOf, newTag } from './rules.ts';

/** Where an investor sends, as a payment method says. */
export type Source =
  | { source: 'fixed'; paymentaddress: string }
  | { source: 'tagged'; paymentaddress: string }
  | { source: 'derived'; keyId: string };

/** What an investor is shown. */
export interface PayTo {
  address: string;
  tag: bigint | null;
}

interface AddressesNeeds {
  db: Db;
  clock: Clock;
  /** Knows how a key's addresses come of it. */
  derive(key: KeyRow, branch: 0 | 1, index: number): { address: string; match: string };
}

const tagTriesMax = 10;

/** Whose is which address. One that was given out is its owner's for good. */
export function createAddresses({ db, clock, derive }: AddressesNeeds) {
  async function makeDerived(tx: Tx, userId: string, keyId: string): Promise<AddressRow> {
    const [key] = await keysNamed(tx, [keyId]);
    if (!key) throw new Error('a key is not there');
    const index = await takeNumber(tx, keyId, 'receiving');
    const { address, match } = derive(key, 0, index);
    const made = await insertAddress(
      tx,
      {
        family: key.family,
        match,
        address,
        tag: null,
        purpose: 'deposit',
        ownerId: userId,
        keyId,
        branch: 0,
        index,
      },
      clock.now(),
    );
    if (!made) throw new Error(`the address ${address} was given out before`);
    return made;
  }

  /** The tag is the owner's for good: on this ledger an address is not spent by being used. */
  async function makeTagged(tx: Tx, userId: string, network: Network, address: string): Promise<AddressRow> {
    const row = { family: familyOf(network), match: address, address, purpose: 'deposit' as const };
    const none = { keyId: null, branch: null, index: null };
    for (let tries = 0; tries < tagTriesMax; tries += 1) {
      const made = await insertAddress(tx, { ...row, ...none, ownerId: userId, tag: newTag() }, clock.now());
      if (made) return made;
    }
    throw new Error('no tag is free');
  }

  /** Made when it is first asked for, by whichever server. */
  async function madeFor(userId: string, network: Network, source: Exclude<Source, { source: 'fixed' }>) {
    const of = source.source === 'derived' ? { keyId: source.keyId } : { match: source.paymentaddress };
    const known = await unusedAddress(db, userId, of);
    if (known) return known;
    return inTransaction(db, async (tx) => {
      await lockNames(tx, ['addresses']);
      const meanwhile = await unusedAddress(tx, userId, of);
      if (meanwhile) return meanwhile;
      return source.source === 'derived'
        ? makeDerived(tx, userId, source.keyId)
        : makeTagged(tx, userId, network, source.paymentaddress);
    });
  }

  return {
    /** Where somebody sends at present; nobody in particular gets no address of a key. */
    async payTo(input: { userId: string | null; network: Network; source: Source }): Promise<PayTo> {
      const { userId, network, source } = input;
      if (source.source === 'fixed') return { address: source.paymentaddress, tag: null };
      if (!userId) return { address: source.source === 'tagged' ? source.paymentaddress : '', tag: null };
      const { address, tag } = await madeFor(userId, network, source);
      return { address, tag };
    },
  };
}
