import type { Network } from '@tallystick/contract/networks';
import type { BitcoinNetwork } from '../../platform/chains/bitcoin/params.ts';
import { addressOfKey } from '../../platform/chains/destination.ts';
import { NodeError } from '../../platform/chains/node-error.ts';
import type { OpenChain } from '../../platform/chains/open-chains.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Db, isDatabaseAway, type Tx } from '../../platform/postgres/db.ts';
import { type Cursor, cursorOf, noteState } from './cursor-store.ts';
import { stateAt, type WatchState } from './rules.ts';
import { createComparing } from './surpluses.ts';
import { createWatched } from './watched.ts';
import { createWatching, type Gone, type Step } from './watching.ts';

/** What others do with what was read. */
export interface Watchers {
  /** After everything that a chain has is read, and now and then while there is much of it. */
  afterReading(network: Network): Promise<void>;
  /** In the transaction that takes back what was paid to us, and by us. */
  onGone(tx: Tx, gone: Gone): Promise<void>;
}

interface ReadingNeeds {
  db: Db;
  clock: Clock;
  logger: Logger;
  bitcoinNetwork: BitcoinNetwork;
  price(network: Network): Promise<void>;
}

/** After so many, what was read is made use of, however much there is still to read. */
const stepsMax = 25;
/** Chains change while they are read, but not every time. */
const movedMax = 3;

/** A node's trouble, as a state of its chain. */
function stateAfter(error: unknown): WatchState {
  if (!(error instanceof NodeError)) return { state: 'away', said: 'The chain could not be read.' };
  const { trouble, message } = error;
  if (trouble === 'wrong-chain') return { state: trouble, said: message };
  // What it says to have and does not show is no better than what cannot be.
  const isNonsense = trouble === 'nonsense' || trouble === 'no-block' || trouble === 'moved';
  return { state: isNonsense ? 'nonsense' : 'away', said: message };
}

/** Reads chains, and says how it is with their nodes. */
export function createReading({ db, clock, logger, bitcoinNetwork, price }: ReadingNeeds) {
  return function createReader(network: Network, { name, chain }: OpenChain, watchers: Watchers) {
    const watched = createWatched(db, network);
    const { afterReading, onGone } = watchers;
    const addressOf = (key: string) => addressOfKey(network, key, bitcoinNetwork);
    const { step } = createWatching({
      ...{ db, clock, network, chainName: name, chain, watched, addressOf, onGone },
    });
    const compare = createComparing({ db, clock, network, chain });
    let moved = 0;
    let told: string | null = null;

    /** Once for each trouble: it is looked at every two seconds. */
    function tell(error: Error): void {
      if (told === error.message) return;
      told = error.message;
      if (error instanceof NodeError) logger.warn({ network, reason: told }, 'a chain cannot be read');
      else logger.error({ alert: true, network, err: error }, 'a chain cannot be read');
    }

    async function someSteps(): Promise<Step> {
      let last = await step();
      for (let steps = 1; last.done === 'read' && steps < stepsMax; steps += 1) last = await step();
      return last;
    }

    /** Null when it cannot be read, or by somebody else. */
    async function look(): Promise<(Step & { cursor: Cursor }) | null> {
      try {
        const last = await someSteps();
        const cursor = last.done === 'taken' ? null : await cursorOf(db, network);
        if (!cursor) return null;
        moved = 0;
        if (told !== null) logger.warn({ network }, 'a chain can be read again');
        told = null;
        await noteState(db, network, stateAt(cursor, last), clock.now());
        if (last.done === 'at the tip' && !last.isNodeBehind) await compare(cursor);
        return { ...last, cursor };
      } catch (error) {
        if (isDatabaseAway(error as Error)) throw error;
        if (error instanceof NodeError && error.trouble === 'moved') moved += 1;
        if (moved > 0 && moved < movedMax) return null;
        tell(error as Error);
        await noteState(db, network, stateAfter(error), clock.now());
        return null;
      }
    }

    /** Everything that there is to read, as long as it is not somebody else's. */
    return async function read(): Promise<void> {
      for (let found = await look(); found; found = found.done === 'read' ? await look() : null) {
        await price(network);
        await afterReading(network);
      }
    };
  };
}
