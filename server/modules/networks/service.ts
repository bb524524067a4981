import { setTimeout as delay } from 'node:timers/promises';
import type { Network } from '@tallystick/contract/networks';
import type { BitcoinNetwork } from '../../platform/chains/bitcoin/params.ts';
import { NodeError } from '../../platform/chains/node-error.ts';
import type { OpenChain } from '../../platform/chains/open-chains.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Db, isDatabaseAway, type Tx } from '../../platform/postgres/db.ts';
import type { Prices } from '../prices/service.ts';
import { addressesNamed, keysNamed, markUsed, ownAmong, tagsGiven } from './address-store.ts';
import { createAddresses } from './addresses.ts';
import { claimsOf, giveUpClaims, insertClaims, makeFinal } from './claim-store.ts';
import { allCursors, allStates, cursorOf, noteState } from './cursor-store.ts';
import {
  lockPayments,
  markPayments,
  openPayments,
  type PaymentRow,
  paymentsNamed,
  paymentsOf,
} from './payment-store.ts';
import { createPricing } from './pricing.ts';
import { familyOf, stateAt, type WatchState } from './rules.ts';
import { createWatched } from './watched.ts';
import { createWatching } from './watching.ts';

export type { AddressRow } from './address-store.ts';
export type { PayTo, Source } from './addresses.ts';
export type { Claim } from './claim-store.ts';
export type { PaymentRow } from './payment-store.ts';
export { confirmationsOf } from './rules.ts';

interface NetworksNeeds {
  db: Db;
  clock: Clock;
  logger: Logger;
  prices: Prices;
  chains: Partial<Record<Network, OpenChain>>;
  bitcoinNetwork: BitcoinNetwork;
}

/** What others do with what was read. */
export interface Watchers {
  /** After everything that a chain has is read. */
  afterReading(network: Network): Promise<void>;
  /** In the transaction that takes payments back. */
  onGone(tx: Tx, payments: PaymentRow[]): Promise<void>;
}

const lookMs = 2_000;

/** A node's trouble, as a state of its chain. */
function stateAfter(error: unknown): WatchState {
  if (!(error instanceof NodeError)) return { state: 'away', said: 'The chain could not be read.' };
  const { trouble, message } = error;
  if (trouble === 'wrong-chain' || trouble === 'nonsense') return { state: trouble, said: message };
  return { state: 'away', said: message };
}

/** The chains that payments come in and go out on: whose each address is, and what was paid there. */
export function createNetworks({ db, clock, logger, prices, chains, bitcoinNetwork }: NetworksNeeds) {
  const price = createPricing({ db, clock, prices });

  function createReader(network: Network, { name, chain }: OpenChain, watchers: Watchers) {
    const watched = createWatched(db, familyOf(network));
    const { onGone } = watchers;
    const { step } = createWatching({ db, clock, network, chainName: name, chain, watched, onGone });

    /** Everything that there is to read, as long as it is not somebody else's. */
    return async function read(): Promise<void> {
      try {
        let done = await step();
        while (done === 'read') done = await step();
        if (done === 'taken') return;
        await price(network);
        const cursor = await cursorOf(db, network);
        if (cursor) await noteState(db, network, stateAt(cursor), clock.now());
        await watchers.afterReading(network);
      } catch (error) {
        if (isDatabaseAway(error as Error)) throw error;
        logger.warn({ network, reason: (error as Error).message }, 'a chain could not be read');
        await noteState(db, network, stateAfter(error), clock.now());
      }
    };
  }

  return {
    ...createAddresses({ db, clock, bitcoinNetwork }),

    keys: async (ids: string[]) => new Map((await keysNamed(db, ids)).map((key) => [key.id, key])),
    tagsGiven: (addresses: string[]) => tagsGiven(db, addresses),
    isWatched: (network: Network): boolean => chains[network] !== undefined,
    addressesNamed: (ids: bigint[], tx?: Tx) => addressesNamed(tx ?? db, ids),
    markUsed,
    ownAmong,

    openPayments: (input: { network: Network }) => openPayments(db, input.network),
    paymentsNamed: (ids: string[], tx?: Tx) => paymentsNamed(tx ?? db, ids),
    paymentsOf: (txids: string[], tx: Tx) => paymentsOf(tx, txids),
    lockPayments,
    markPayments,

    claimsOf,
    claim: insertClaims,
    makeFinal,
    giveUpClaims,

    /** How far each chain was read. */
    heights: async () => new Map((await allCursors(db)).map((cursor) => [cursor.network, cursor])),
    states: async () => new Map((await allStates(db)).map((state) => [state.network, state])),

    readers: (watchers: Watchers) =>
      Object.entries(chains).map(([network, chain]) => createReader(network as Network, chain, watchers)),

    /** Reads until it is stopped, each chain by itself: one whose node hangs holds up none of the others. */
    watch(watchers: Watchers) {
      const stopping = new AbortController();
      const { signal } = stopping;
      const ended = this.readers(watchers).map(async (read) => {
        while (!signal.aborted) {
          await read().catch((error) => logger.debug({ err: error }, 'a chain waits for the database'));
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
