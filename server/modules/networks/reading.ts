import type { Network } from '@tallystick/contract/networks';
import type { BitcoinNetwork } from '../../platform/chains/bitcoin/params.ts';
import { addressOfKey } from '../../platform/chains/destination.ts';
import { NodeError } from '../../platform/chains/node-error.ts';
import type { OpenChain } from '../../platform/chains/open-chains.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { isDatabaseAway } from '../../platform/postgres/away.ts';
import type { Db, Tx } from '../../platform/postgres/db.ts';
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
/** Chains change while they are read, and of a provider's machines one is not as far as the other; but not every time. */
const passingMax = 3;
const isPassing = (error: unknown) =>
  error instanceof NodeError && (error.trouble === 'moved' || error.trouble === 'no-block');

/** Who asks for fewer calls is not asked again at once. */
const limitedMs = 15_000;

/** A node's trouble, as a state of its chain. */
function stateAfter(error: unknown): WatchState {
  if (!(error instanceof NodeError)) return { state: 'away', said: 'The chain could not be read.' };
  const { trouble, message } = error;
  if (trouble === 'wrong-chain') return { state: trouble, said: message };
  // What it says to have and does not show is no better than what cannot be.
  const isNonsense = trouble === 'nonsense' || trouble === 'no-block' || trouble === 'moved';
  return { state: isNonsense ? 'nonsense' : 'away', said: message };
}

interface Found extends Step {
  cursor: Cursor;
}

interface ComplaintNeeds {
  logger: Logger;
  network: Network;
  what: string;
}

/** Told once, however often it is met: a chain is looked at every two seconds. What is no node's trouble is ours. */
function createComplaint({ logger, network, what }: ComplaintNeeds) {
  let told: string | null = null;
  return {
    tell(error: Error): void {
      if (told === error.message) return;
      told = error.message;
      if (error instanceof NodeError) logger.warn({ network, reason: told }, what);
      else logger.error({ alert: true, network, err: error }, what);
    },
    /** False when there was none. */
    end(): boolean {
      const wasTold = told !== null;
      told = null;
      return wasTold;
    },
  };
}

/** Reads chains, and says how it is with their nodes. */
export function createReading({ db, clock, logger, bitcoinNetwork, price }: ReadingNeeds) {
  return function createReader(network: Network, { name, chain }: OpenChain, watchers: Watchers) {
    const watched = createWatched(db, network);
    const { afterReading } = watchers;
    const onGone: Watchers['onGone'] = async (tx, gone) => {
      await watchers.onGone(tx, gone);
      const credited = gone.payments.filter(({ state }) => state === 'credited');
      if (credited.length === 0) return;
      const txids = credited.map(({ txid }) => txid);
      logger.error({ alert: true, network, txids }, 'credited payments are gone from their chain');
    };
    const addressOf = (key: string) => addressOfKey(network, key, bitcoinNetwork);
    const { step } = createWatching({
      db,
      clock,
      network,
      chainName: name,
      chain,
      watched,
      addressOf,
      onGone,
    });
    const compare = createComparing({ db, clock, network, chain });
    const unread = createComplaint({ logger, network, what: 'a chain cannot be read' });
    let passing = 0;
    let newest = { tip: -1, ms: 0 };
    let notBeforeMs = 0;

    /** How long the node has told of nothing new. */
    function stillMs(tip: number): number {
      const ms = clock.now().getTime();
      if (newest.tip !== tip) newest = { tip, ms };
      return ms - newest.ms;
    }

    async function someSteps(signal: AbortSignal | undefined): Promise<Step> {
      let last = await step();
      for (let steps = 1; last.done === 'read' && steps < stepsMax; steps += 1) {
        if (signal?.aborted) break;
        last = await step();
      }
      return last;
    }

    /** Null when it cannot be read, or by somebody else, or need not be any more. */
    async function look(signal: AbortSignal | undefined): Promise<Found | null> {
      if (signal?.aborted || clock.now().getTime() < notBeforeMs) return null;
      try {
        const last = await someSteps(signal);
        const cursor = last.done === 'taken' ? null : await cursorOf(db, network);
        if (!cursor) return null;
        passing = 0;
        if (unread.end()) logger.warn({ network }, 'a chain can be read again');
        await noteState(db, network, stateAt(cursor, { ...last, stillMs: stillMs(cursor.tip) }), clock.now());
        return { ...last, cursor };
      } catch (error) {
        if (isDatabaseAway(error as Error)) throw error;
        // Who stops waits for no node, and says nothing of it.
        if (signal?.aborted) return null;
        passing = isPassing(error) ? passing + 1 : 0;
        if (passing > 0 && passing < passingMax) return null;
        if (error instanceof NodeError && error.trouble === 'limited') {
          notBeforeMs = clock.now().getTime() + limitedMs;
        }
        unread.tell(error as Error);
        await noteState(db, network, stateAfter(error), clock.now());
        return null;
      }
    }

    const use = (what: string, run: (found: Found) => Promise<void>) => ({
      run,
      complaint: createComplaint({ logger, network, what }),
    });
    const uses = [
      use('payments cannot be priced', () => price(network)),
      use('payments cannot be taken in', () => afterReading(network)),
      use('addresses cannot be compared', async ({ cursor, done, isNodeBehind }) => {
        if (done === 'at the tip' && !isNodeBehind) await compare(cursor);
      }),
    ];

    /** What cannot be done holds up none of the others, nor the reading. */
    async function makeUse(found: Found): Promise<void> {
      for (const { run, complaint } of uses) {
        try {
          await run(found);
          complaint.end();
        } catch (error) {
          if (isDatabaseAway(error as Error)) throw error;
          complaint.tell(error as Error);
        }
      }
    }

    /** Everything that there is to read, as long as it is not somebody else's, or until it is stopped. */
    return async function read(signal?: AbortSignal): Promise<void> {
      for (let found = await look(signal); found; found = found.done === 'read' ? await look(signal) : null) {
        await makeUse(found);
      }
    };
  };
}
