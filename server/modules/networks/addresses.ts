import { createHash } from 'node:crypto';
import { isReadable, type Network, networks } from '@tallystick/contract/networks';
import { AppError } from '../../platform/app-error.ts';
import {
  type AccountKey,
  accountKeyRefusal,
  createAccountKey,
  type KeyKind,
} from '../../platform/chains/account-key.ts';
import type { BitcoinNetwork } from '../../platform/chains/bitcoin/params.ts';
import { destinationKey } from '../../platform/chains/destination.ts';
import type { Clock } from '../../platform/clock.ts';
import { logTime, writeLogEntry } from '../../platform/log/outbox.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import {
  type AddressRow,
  insertAddress,
  isCold,
  type KeyRow,
  keepKey,
  keysNamed,
  skipGiven,
  takeNumber,
  unusedAddress,
} from './address-store.ts';
import { type AddressFamily, familyOf, newTag } from './rules.ts';

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
  bitcoinNetwork: BitcoinNetwork;
}

interface KeyUse {
  methodId: string;
  network: Network | null;
  key: string | null;
  oldKeyId: string | null;
  now: Date;
}

/** The public log tells which key a method uses, by its hash: whoever has the key knows every investor's addresses. */
async function tellKey(
  tx: Tx,
  { methodId, network }: { methodId: string; network: Network },
  { key, path }: Pick<KeyRow, 'key' | 'path'>,
  state: 'on' | 'off',
  now: Date,
): Promise<void> {
  const lines = [
    ['time', logTime(now)],
    ['method', methodId],
    ['network', network],
    ['sha256', createHash('sha256').update(key).digest('hex')],
    ['path', path],
    ['state', state],
  ] as const;
  await writeLogEntry(tx, 'key/v1', lines, now);
}

/** As many as a person compares with what their wallet shows. */
const previewed = 5;

const noKeys = (network: Network) =>
  familyOf(network) === 'xrp'
    ? `On ${networks[network].name} investors are told apart by tags, not by addresses.`
    : `On ${networks[network].name} addresses are not made from keys: all investors pay to one.`;

const tagTriesMax = 10;
/** One more for each spelling of an account, and for each of its addresses that is ours in another way. */
const numberTriesMax = 20;

/** Whose is which address. One that was given out is its owner's for good. */
export function createAddresses({ db, clock, bitcoinNetwork }: AddressesNeeds) {
  function kindOf(family: AddressFamily): KeyKind | null {
    if (family === 'bitcoin') return { family, network: bitcoinNetwork };
    return family === 'evm' ? { family } : null;
  }

  function readKey(network: Network, text: string): AccountKey {
    const kind = isReadable(network) ? kindOf(familyOf(network)) : null;
    const refusal = kind ? accountKeyRefusal(network, text, kind) : noKeys(network);
    if (!kind || refusal) throw new AppError('address_wrong', refusal ?? '');
    return createAccountKey(text, kind);
  }

  /** The next of a key that is nobody's: the same account in another spelling may have given some out before. */
  async function makeDerived(tx: Tx, userId: string, keyId: string): Promise<AddressRow> {
    const [key] = await keysNamed(tx, [keyId]);
    const kind = key && kindOf(key.family);
    if (!kind) throw new Error('there is no such key, or it has no addresses');
    const { family } = key;
    const account = createAccountKey(key.key, kind);
    const row = { family, tag: null, purpose: 'deposit' as const, ownerId: userId, keyId, branch: 0 };
    for (let tries = 0; tries < numberTriesMax; tries += 1) {
      const index = await takeNumber(tx, keyId, 'receiving');
      const { address, matchKey: match } = account.addressAt(0, index);
      const made = await insertAddress(tx, { ...row, match, address, index }, clock.now());
      if (made) return made;
      await skipGiven(tx, keyId, { family, match });
    }
    throw new Error('no address of this key is free');
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
      // One after the other, so that whoever has read up to one has read all before it.
      await lockNames(tx, ['addresses']);
      const meanwhile = await unusedAddress(tx, userId, of);
      if (meanwhile) return meanwhile;
      return source.source === 'derived'
        ? makeDerived(tx, userId, source.keyId)
        : makeTagged(tx, userId, network, source.paymentaddress);
    });
  }

  return {
    /** Where a key stands in its wallet, and its first addresses, to be compared with what that wallet shows. */
    previewKey({ network, key }: { network: Network; key: string }) {
      const account = readKey(network, key);
      const addresses = Array.from({ length: previewed }, (_, index) => account.addressAt(0, index));
      return { path: account.path, addresses: addresses.map(({ path, address }) => ({ path, address })) };
    },

    /**
     * From now on addresses of this key are given out by a method, in place of those of its old key. Gives the key's id;
     * null where the method is paid on one address.
     */
    async useKey(tx: Tx, use: KeyUse): Promise<string | null> {
      const { methodId, network, key, oldKeyId, now } = use;
      const [old] = oldKeyId === null ? [] : await keysNamed(tx, [oldKeyId]);
      if (old && network && old.key !== key) await tellKey(tx, { methodId, network }, old, 'off', now);
      if (!network || key === null) return null;
      const { path } = readKey(network, key);
      const kept = await keepKey(tx, { family: familyOf(network), key, path }, now);
      if (kept.id !== oldKeyId) await tellKey(tx, { methodId, network }, kept, 'on', now);
      return kept.id;
    },

    /**
     * Looked for from now on, also without a tag or with one that is nobody's. False when it is an address of our own,
     * where whatever comes is ours.
     */
    async watchAddress(
      tx: Tx,
      { network, address }: { network: Network; address: string },
    ): Promise<boolean> {
      const match = destinationKey(network, address, bitcoinNetwork);
      // Of another chain than the one that is read: nothing can come to it there.
      if (match === null) return true;
      await lockNames(tx, ['addresses']);
      const row = { family: familyOf(network), match, address, purpose: 'deposit' as const };
      const none = { tag: null, ownerId: null, keyId: null, branch: null, index: null };
      const made = await insertAddress(tx, { ...row, ...none }, clock.now());
      return made !== null || !(await isCold(tx, row));
    },

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
