import { setTimeout as delay } from 'node:timers/promises';
import { type Network, networkIds } from '@tallystick/contract/networks';
import { addressRefusal } from '../../platform/address.ts';
import type { BitcoinNetwork } from '../../platform/chains/bitcoin/params.ts';
import type { OpenChain } from '../../platform/chains/open-chains.ts';
import type { XrpChain } from '../../platform/chains/xrp/node.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Db, ReadDb, Tx } from '../../platform/postgres/db.ts';
import type { Prices } from '../prices/service.ts';
import { addressesNamed, keysNamed, markUsed, ownAmong, tagsGiven } from './address-store.ts';
import { createAddresses } from './addresses.ts';
import { claimsOf, giveUpClaims, insertClaims, makeFinal } from './claim-store.ts';
import { allCursors, allHealth, allStates } from './cursor-store.ts';
import { createCold } from './held/cold.ts';
import { createHeld } from './held/held.ts';
import {
  lockPayments,
  markNoticed,
  markPayments,
  openPayments,
  paymentsNamed,
  paymentsOf,
  setAside,
} from './payment-store.ts';
import { createPricing } from './pricing.ts';
import { createReading, type Watchers } from './reading.ts';
import { familyOf } from './rules.ts';
import { createCoins } from './spending/coins.ts';
import {
  lockSpends,
  markTold,
  newestUnclaimed,
  spendsNamed,
  spendsOf,
  unclaimedTo,
  untoldSpends,
  vanishedSpends,
} from './spending/spend-store.ts';
import { createSurpluses } from './surpluses.ts';

export type { AddressRow } from './address-store.ts';
export type { PayTo, Source } from './addresses.ts';
export type { Claim } from './claim-store.ts';
export type { ColdChangeRow, ColdRow } from './held/cold-store.ts';
export type { HeldOnChain } from './held/held.ts';
export type { PaymentRow } from './payment-store.ts';
export type { Watchers } from './reading.ts';
export { confirmationsOf } from './rules.ts';
export type { CoinState } from './spending/coin-store.ts';
export type { SpendRow } from './spending/spend-store.ts';

interface NetworksNeeds {
  db: Db;
  clock: Clock;
  logger: Logger;
  prices: Prices;
  chains: Partial<Record<Network, OpenChain>>;
  bitcoinNetwork: BitcoinNetwork;
  /** How high a demo's sample of a chain is; null where there is none. */
  sampleHeight: ((network: Network) => number) | null;
}

const lookMs = 2_000;

/** The chains that payments come in and go out on: whose each address is, and what was paid there. */
export function createNetworks(needs: NetworksNeeds) {
  const { db, clock, logger, prices, chains, bitcoinNetwork, sampleHeight } = needs;
  const { price, freshPrice, newestPrice } = createPricing({ db, clock, logger, prices });
  const createReader = createReading({ db, clock, logger, bitcoinNetwork, price });

  return {
    ...createAddresses({ db, clock, bitcoinNetwork }),
    ...createCoins({ db, clock, bitcoinNetwork }),
    freshPrice,

    keys: async (ids: string[]) => new Map((await keysNamed(db, ids)).map((key) => [key.id, key])),
    tagsGiven: (addresses: string[]) => tagsGiven(db, addresses),
    addressRefusal: (network: Network, address: string) => addressRefusal(network, address, bitcoinNetwork),

    /** Whether an address takes nothing without a tag. A node that does not answer holds up nobody. */
    async needsTag({ address }: { address: string }): Promise<boolean> {
      const network = networkIds.find((each) => familyOf(each) === 'xrp' && chains[each]);
      if (!network || addressRefusal(network, address)) return false;
      const chain = chains[network]?.chain as XrpChain | undefined;
      const known = await chain?.destinationOf(address).catch(() => null);
      return known?.requiresTag ?? false;
    },

    isWatched: (network: Network): boolean => chains[network] !== undefined,
    addressesNamed: (ids: bigint[], tx?: Tx) => addressesNamed(tx ?? db, ids),
    markUsed,
    ownAmong,

    openPayments: (input: { network: Network }) => openPayments(db, input.network),
    paymentsNamed: (ids: string[], on: ReadDb = db) => paymentsNamed(on, ids),
    paymentsOf: (txids: string[], tx: Tx) => paymentsOf(tx, txids),
    lockPayments,
    markNoticed,
    markPayments,
    setAside: (ids: string[], leastCents: bigint) => setAside(db, ids, leastCents),

    unclaimedTo: (to: { network: Network; matches: string[] }, on: Db | Tx) => unclaimedTo(on, to),
    newestUnclaimed: (limit: number) => newestUnclaimed(db, limit),
    vanishedSpends: (limit: number) => vanishedSpends(db, limit),
    spendsNamed: (ids: string[]) => spendsNamed(db, ids),
    untoldSpends: (network: Network) => untoldSpends(db, network),
    markTold: (ids: string[], odd: string[]) => markTold(db, ids, odd, clock.now()),
    spendsOf,
    lockSpends,

    claimsOf,
    claim: insertClaims,
    makeFinal,
    giveUpClaims,

    ...createSurpluses({ db, clock }),
    ...createHeld({ db, clock, chains, newestPrice }),
    ...createCold({ db, clock, chains, bitcoinNetwork }),

    /** What was seen and has no price yet gets the one of this moment. */
    price,

    /** How far each chain was read. */
    cursors: async (on: ReadDb = db) =>
      new Map((await allCursors(on)).map((cursor) => [cursor.network, cursor])),

    /** How high each chain is, from where confirmations are counted: as far as it was read, or as its sample has grown. */
    async heights(on: ReadDb = db): Promise<Map<Network, { height: number }>> {
      const samples = sampleHeight ? networkIds.map((id) => [id, { height: sampleHeight(id) }] as const) : [];
      return new Map([...samples, ...(await this.cursors(on))]);
    },
    states: async () => new Map((await allStates(db)).map((state) => [state.network, state])),

    /** Of the chains that are read, for whoever watches the server. */
    async health() {
      const now = clock.now().getTime();
      const all = (await allHealth(db)).filter(({ network }) => chains[network] !== undefined);
      return all.map(({ lookedAt, ...chain }) => ({
        ...chain,
        secondsSinceLook: (now - lookedAt.getTime()) / 1000,
      }));
    },

    readers: (watchers: Watchers) =>
      Object.entries(chains).map(([network, chain]) => createReader(network as Network, chain, watchers)),

    /** Reads until it is stopped, each chain by itself: one whose node hangs holds up none of the others. */
    watch(watchers: Watchers) {
      const stopping = new AbortController();
      const { signal } = stopping;
      const ended = this.readers(watchers).map(async (read) => {
        while (!signal.aborted) {
          await read(signal).catch((error) => logger.debug({ err: error }, 'a chain waits for the database'));
          await delay(lookMs, undefined, { signal }).catch(() => {});
        }
      });
      return {
        async stop(): Promise<void> {
          stopping.abort();
          await Promise.all(ended);
        },
      };
    },
  };
}

export type Networks = ReturnType<typeof createNetworks>;
