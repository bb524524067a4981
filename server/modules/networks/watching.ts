import { randomUUIDv7 } from 'node:crypto';
import type { Network } from '@tallystick/contract/networks';
import type { Block, Chain } from '../../platform/chains/chain.ts';
import { NodeError } from '../../platform/chains/node-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { blocksBelow, type Cursor, cursorOf, mayRead, moveCursor } from './cursor-store.ts';
import { keepPayments, type PaymentRow, paymentsAbove, takeBack } from './payment-store.ts';
import type { WatchedAddresses } from './watched.ts';

interface WatchingNeeds {
  db: Db;
  clock: Clock;
  network: Network;
  /** Which of a network's chains it is: the main one, a test's. */
  chainName: string;
  chain: Chain;
  watched: WatchedAddresses;
  /** Payments whose blocks are part of the chain no more; their states are as they were before that. */
  onGone(tx: Tx, payments: PaymentRow[]): Promise<void>;
}

/** What a step did; `taken` when another server reads this chain. */
export type Step = 'read' | 'at the tip' | 'taken';

/**
 * Reads one chain. Blocks, their payments and how far was read are written together: whatever is killed when, every block
 * counts once, and what is part of the chain no more is taken back before anything else is read.
 */
export function createWatching({ db, clock, network, chainName, chain, watched, onGone }: WatchingNeeds) {
  const paymentsIn = ({ height, hash, time, payments }: Block): PaymentRow[] =>
    payments.flatMap(({ txid, output, destination, tag, units, failed }) => {
      const addressId = watched.idOf(destination, tag);
      if (addressId === null || failed || units === 0n) return [];
      const seen = { seenAt: clock.now(), height, blockHash: hash, blockAt: time, state: 'seen' as const };
      const unpriced = { price: null, priceAt: null, priceSource: null, cents: null, lostAt: null };
      return [{ id: randomUUIDv7(), network, txid, output, addressId, units, ...seen, ...unpriced }];
    });

  /** Back to the newest block that was read and is still part of the chain; all of them are forgotten above it. */
  async function goBack(tx: Tx, cursor: Cursor): Promise<void> {
    let fork: { height: number; hash: string } | undefined;
    for (const read of await blocksBelow(tx, network, cursor.height)) {
      if ((await chain.hashAt(read.height)) !== read.hash) continue;
      fork = read;
      break;
    }
    if (!fork) throw new NodeError('wrong-chain', 'The node knows none of the blocks that were read last.');
    const gone = await paymentsAbove(tx, network, fork.height);
    await takeBack(tx, gone, clock.now());
    if (gone.length > 0) await onGone(tx, gone);
    await moveCursor(tx, { ...cursor, ...fork, readAt: clock.now() });
  }

  async function readOn(tx: Tx, cursor: Cursor, tip: { height: number; hash: string }): Promise<Step> {
    const from = cursor.height + 1;
    const to = Math.min(tip.height, cursor.height + chain.spanMax);
    const blocks = await chain.blocks({ from, to }, await watched.current());
    const [first] = blocks;
    // Another branch has won meanwhile: the next step goes back.
    if (first && first.height === from && first.parentHash !== cursor.hash) return 'read';
    const last = blocks.at(-1);
    const hash = last?.height === to ? last.hash : await chain.hashAt(to);
    if (!hash) throw new NodeError('moved', 'The chain became shorter while it was read.');
    await keepPayments(tx, blocks.flatMap(paymentsIn));
    await moveCursor(tx, { ...cursor, height: to, hash, tip: tip.height, readAt: clock.now() });
    return to < tip.height ? 'read' : 'at the tip';
  }

  /** Some blocks further, or back to where another branch began. The first time it begins with what comes next. */
  async function step(): Promise<Step> {
    return inTransaction(db, async (tx) => {
      if (!(await mayRead(tx, network))) return 'taken';
      const tip = await chain.tip();
      const cursor = await cursorOf(tx, network);
      const readAt = clock.now();
      if (!cursor) {
        await moveCursor(tx, {
          network,
          chain: chainName,
          height: tip.height,
          hash: tip.hash,
          tip: tip.height,
          readAt,
        });
        return 'at the tip';
      }
      if (cursor.chain !== chainName) {
        throw new NodeError(
          'wrong-chain',
          `What was read so far is of ${cursor.chain}, and now it is to be ${chainName}.`,
        );
      }
      const isThere = cursor.height <= tip.height && (await chain.hashAt(cursor.height)) === cursor.hash;
      if (!isThere) {
        await goBack(tx, cursor);
        return 'read';
      }
      if (cursor.height < tip.height) return readOn(tx, cursor, tip);
      await moveCursor(tx, { ...cursor, tip: tip.height, readAt });
      return 'at the tip';
    });
  }

  return { step };
}
