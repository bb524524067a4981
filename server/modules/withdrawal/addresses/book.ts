import { savedAddressesMax } from '@tallystick/contract/addresses';
import { type Network, networks as networkFacts } from '@tallystick/contract/networks';
import { AppError, errorOf, refuse } from '../../../platform/app-error.ts';
import type { Identity } from '../../../platform/http/identity.ts';
import type { Db, ReadDb, Tx } from '../../../platform/postgres/db.ts';
import type { Ledger } from '../../ledger/service.ts';
import type { Networks } from '../../networks/service.ts';
import type { Users } from '../../users/service.ts';
import { isSameAddress } from '../rules.ts';
import { type Act, type Client, createActs, newLink, traceOf } from './acts.ts';
import * as store from './address-store.ts';
import { isProtected, isSameDestination, type NetworkDestination, usableFrom, waitOver } from './rules.ts';

export interface BookNeeds {
  db: Db;
  ledger: Ledger;
  users: Users;
  networks: Networks;
  /** Knows where deposits go. */
  funding: { depositAddresses(tx: Tx, addresses: string[]): Promise<string[]> };
}

export interface Asked {
  identity: Identity;
  client: Client;
}

const noTags = refuse('outside_range', 'Addresses of this network have no destination tag.');

const tagNeeded = refuse(
  'address_wrong',
  'This address needs a destination tag. Whoever it belongs to, such as an exchange, tells you yours.',
);

const ourOwnAddress = refuse(
  'address_wrong',
  'This is the address that deposits are sent to. Enter the address of your own wallet.',
);

/** Why nothing can ever be sent to an address, whoever asks; null when it can. */
export function createAddressCheck(networks: Networks) {
  return {
    formRefusal({ network, address, tag }: NetworkDestination & { network: Network }) {
      const wrong = networks.addressRefusal(network, address);
      if (wrong) return refuse('address_wrong', wrong);
      return tag !== null && networkFacts[network].family !== 'xrp' ? noTags : null;
    },

    ownRefusal: (depositAddresses: string[], address: string) =>
      depositAddresses.some((ours) => isSameAddress(ours, address)) ? ourOwnAddress : null,

    /** A node is asked, so not while anything is locked. */
    async refuseWithoutTag({ address, tag }: { address: string; tag: bigint | null }): Promise<void> {
      if (tag === null && (await networks.needsTag({ address }))) throw errorOf(tagNeeded);
    },
  };
}

const gone = () => new AppError('not_found', 'This address was removed already.');

/** An investor's saved addresses. */
export function createAddressBook({ db, ledger, users, networks, funding }: BookNeeds) {
  const { behindLock, countWidening, trace, tell } = createActs({ ledger, users });
  const check = createAddressCheck(networks);

  async function refuseKnown({ tx, userId }: Act, to: NetworkDestination): Promise<void> {
    const saved = await store.savedOf(tx, userId);
    const same = saved.find((each) => isSameDestination(each, to));
    if (same) throw new AppError('already_saved', `This address is saved already, as ${same.label}.`);
    if (saved.length >= savedAddressesMax)
      throw new AppError('outside_range', `${savedAddressesMax} addresses can be saved. Remove one first.`);
  }

  return {
    async savedAddresses({ userId, on = db }: { userId: string; on?: ReadDb }) {
      const [saved, protection, now] = [
        await store.listedOf(on, userId),
        await store.protectionOf(on, userId),
        await ledger.timeOfMoney({ on }),
      ];
      return { saved, protection: isProtected(protection, now) ? protection : null, now };
    },

    /** While addresses are protected whoever saves one shows who they are, and the owner is told. */
    async saveAddress(
      wish: Asked & { label: string; network: Network; address: string; tag: bigint | null },
    ) {
      const { label, network, address, tag, ...asked } = wish;
      const to = { network, address, tag };
      const wrong = check.formRefusal(to);
      if (wrong) throw errorOf(wrong);
      if (networkFacts[network].family === 'xrp') await check.refuseWithoutTag(to);
      return behindLock(asked, async (act) => {
        const { tx, userId, now } = act;
        const own = check.ownRefusal(await funding.depositAddresses(tx, [address]), address);
        if (own) throw errorOf(own);
        const protection = await store.protectionOf(tx, userId);
        const isGuarded = isProtected(protection, now);
        const factorSince = isGuarded
          ? (await users.demandProof({ tx, identity: asked.identity })).factorSince
          : null;
        await refuseKnown(act, to);
        await countWidening(act);
        const link = isGuarded ? newLink() : null;
        const from = usableFrom({ protection, factorSince }, now);
        const saved = await store.insertAddress(tx, {
          userId,
          label,
          ...to,
          createdAt: now,
          usableFrom: from,
          stop: link && { hash: link.hash, until: waitOver(now) },
        });
        await trace(act, 'address.saved', traceOf(to));
        if (link)
          await tell(act, {
            kind: 'address-saved',
            label,
            network: networkFacts[network].name,
            address,
            ...(tag !== null && { tag: String(tag) }),
            ...(from > now && { usableFrom: from.toISOString() }),
            linkToken: link.token,
          });
        return { ...saved, lastPaidAt: null, now };
      });
    },

    /** A name opens nothing. */
    nameAddress: ({ addressId, label, ...asked }: Asked & { addressId: string; label: string }) =>
      behindLock(asked, async (act) => {
        const { tx, userId, now } = act;
        if (!(await store.nameAddress(tx, { userId, addressId, label }))) throw gone();
        const named = (await store.listedOf(tx, userId)).find(({ id }) => id === addressId);
        if (!named) throw gone();
        await trace(act, 'address.named', traceOf(named));
        return { ...named, now };
      }),

    /** Less than before may happen then: nothing is asked for. */
    removeAddress: ({ addressId, ...asked }: Asked & { addressId: string }) =>
      behindLock(asked, async (act) => {
        const removed = await store.deleteAddress(act.tx, { userId: act.userId, addressId });
        if (!removed) throw gone();
        await trace(act, 'address.removed', traceOf(removed));
        return removed;
      }),

    /** For good, in the transaction of whoever closes the account. */
    forgetAddressBook: ({ tx, userId }: { tx: Tx; userId: string }) => store.deleteBook(tx, userId),
  };
}
