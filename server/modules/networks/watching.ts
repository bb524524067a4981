import { randomUUIDv7 } from 'node:crypto';
import { hasOutputs } from '@tallystick/contract/chain';
import type { Network } from '@tallystick/contract/networks';
import type { Block, Chain } from '../../platform/chains/chain.ts';
import { NodeError } from '../../platform/chains/node-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import {
  type BlockId,
  blocksBelow,
  type Cursor,
  cursorOf,
  hashRead,
  mayRead,
  moveCursor,
} from './cursor-store.ts';
import {
  keepPayments,
  lockPayments,
  type PaymentRow,
  paymentsAbove,
  takeBack,
  unpriced,
} from './payment-store.ts';
import { familyOf, firstWhere, type PaymentState } from './rules.ts';
import { markSpent, unspend } from './spending/coin-store.ts';
import { keepSpends, type SpendRow, takeBackSpends } from './spending/spend-store.ts';
import { lookAgain } from './surplus-store.ts';
import type { WatchedAddresses } from './watched.ts';

/** What is part of the chain no more; the states of payments are as they were before that. */
export interface Gone {
  payments: PaymentRow[];
  spends: SpendRow[];
}

interface WatchingNeeds {
  db: Db;
  clock: Clock;
  network: Network;
  /** Which of a network's chains it is: the main one, a test's. */
  chainName: string;
  chain: Chain;
  watched: WatchedAddresses;
  /** As people read it. */
  addressOf(destination: string): string;
  onGone(tx: Tx, gone: Gone): Promise<void>;
}

/** Deeper than this no branch is expected to begin before anything was read. */
const blocksBefore = 12;

/** The database ends a transaction in which nothing is heard for a minute. */
const slowMs = 15_000;

const touchedIn = ({ payments, spends }: Block): string[] => [
  ...payments.map(({ destination }) => destination),
  ...spends.flatMap(({ from }) => from),
];

/** What a step did; `taken` when another server reads this chain. */
export interface Step {
  done: 'read' | 'at the tip' | 'taken';
  /** The node itself is still on its way to where its network, or what was read of it, is. */
  isNodeBehind: boolean;
}

/**
 * Reads one chain. Blocks, their payments and how far was read are written together: whatever is killed when, every block
 * counts once, and what is part of the chain no more is taken back before anything else is read.
 */
export function createWatching(needs: WatchingNeeds) {
  const { db, clock, network, chainName, chain, watched, addressOf, onGone } = needs;
  /** What is too much to be read together, or takes too long, is read one by one. */
  let { spanMax } = chain;

  function paymentsIn({ height, hash, time, payments, spends }: Block): PaymentRow[] {
    // What leaves one of our addresses for another is nobody's deposit, whoever the other was given to.
    const ours = new Set(spends.map(({ txid }) => txid));
    return payments.flatMap(({ txid, output, destination, tag, units, failed }) => {
      const addressId = watched.idOf(destination, tag);
      if (addressId === null || failed || units === 0n) return [];
      const state: PaymentState = ours.has(txid) ? 'ours' : 'seen';
      const seen = { seenAt: clock.now(), height, blockHash: hash, blockAt: time, state };
      return [{ id: randomUUIDv7(), network, txid, output, addressId, units, ...seen, ...unpriced }];
    });
  }

  /** Whoever credits one of them at this moment comes first, in the order in which everyone locks: then it is lost. */
  async function lockAbove(tx: Tx, height: number): Promise<PaymentRow[]> {
    const above = await paymentsAbove(tx, network, height);
    await lockNames(
      tx,
      above.map(({ txid }) => `payment ${txid}`),
    );
    return lockPayments(
      tx,
      above.map(({ id }) => id),
    );
  }

  /** Whether a block that was read is still part of the chain. */
  async function isThere({ height, hash }: BlockId, tip: BlockId): Promise<boolean> {
    if (height > tip.height) return false;
    const found = await chain.hashAt(height);
    // Another machine behind the same address, which has not come so far: it says nothing about what is gone.
    if (!found)
      throw new NodeError('no-block', `The node is at block ${tip.height} and has no block ${height}.`);
    return found === hash;
  }

  /** What left us: change and what one address of ours pays to another stays ours. */
  const spendsIn = ({ height, hash, time, spends }: Block): SpendRow[] =>
    spends.flatMap(({ pays }) =>
      pays.flatMap(({ txid, output, destination, tag, units, failed }) => {
        if (failed || units === 0n || watched.idOf(destination, tag) !== null) return [];
        const seen = { seenAt: clock.now(), height, blockHash: hash, blockAt: time, state: 'seen' as const };
        const to = {
          match: destination,
          address: addressOf(destination),
          tag: tag === null ? null : BigInt(tag),
        };
        return [{ id: randomUUIDv7(), network, txid, output, units, ...to, ...seen }];
      }),
    );

  /** Back to the newest block that was read and is still part of the chain; all of them are forgotten above it. */
  async function goBack(tx: Tx, cursor: Cursor, tip: BlockId): Promise<void> {
    const read = await blocksBelow(tx, network, cursor.height);
    const fork = await firstWhere(read, (block) => isThere(block, tip));
    if (!fork) throw new NodeError('wrong-chain', 'The node knows none of the blocks that were read last.');
    const payments = await lockAbove(tx, fork.height);
    await takeBack(tx, payments, clock.now());
    await unspend(tx, network, fork.height);
    const spends = await takeBackSpends(tx, network, fork.height);
    if (payments.length + spends.length > 0) await onGone(tx, { payments, spends });
    await moveCursor(tx, { ...cursor, ...fork, readAt: clock.now() });
  }

  async function readOn(tx: Tx, cursor: Cursor, tip: BlockId): Promise<Step['done']> {
    const from = cursor.height + 1;
    const to = Math.min(tip.height, cursor.height + spanMax);
    const begun = performance.now();
    const blocks = await chain.blocks({ from, to }, await watched.current()).catch((error) => {
      spanMax = 1;
      throw error;
    });
    const isSlow = performance.now() - begun > slowMs;
    spanMax = isSlow ? Math.ceil(spanMax / 4) : Math.min(2 * spanMax, chain.spanMax);
    const [first] = blocks;
    // Another branch has won meanwhile: the next look goes back.
    const moved = new NodeError('moved', 'The chain changed while it was read.');
    if (first && first.height === from && first.parentHash !== cursor.hash) throw moved;
    const last = blocks.at(-1);
    const hash = last?.height === to ? last.hash : await chain.hashAt(to);
    // What replaced the tip may pay an address that was made since.
    if (!hash || (to === tip.height && hash !== tip.hash)) throw moved;
    await keepPayments(tx, blocks.flatMap(paymentsIn));
    await lookAgain(tx, { network, family: familyOf(network) }, blocks.flatMap(touchedIn));
    for (const block of blocks) {
      if (hasOutputs(network)) await markSpent(tx, network, block.spends, block.height);
      await keepSpends(tx, spendsIn(block));
    }
    await moveCursor(tx, { ...cursor, height: to, hash, tip: tip.height, readAt: clock.now() }, blocks);
    return to < tip.height ? 'read' : 'at the tip';
  }

  /** Whether what was read last is still part of the chain; `unknown` when the node has not come so far (again). */
  async function standing(tx: Tx, cursor: Cursor, tip: BlockId) {
    if (tip.height < cursor.height) {
      const read = await hashRead(tx, network, tip.height);
      return read === null || read === tip.hash ? 'unknown' : 'gone';
    }
    const hash = await chain.hashAt(cursor.height);
    if (!hash) {
      const what = `The node is at block ${tip.height} and has no block ${cursor.height}.`;
      throw new NodeError('no-block', what);
    }
    return hash === cursor.hash ? 'there' : 'gone';
  }

  /** The first time it begins with what comes next; the blocks before are for when the last of them is replaced. */
  async function begin(tx: Tx, { height, hash }: BlockId): Promise<void> {
    const before: BlockId[] = [];
    for (let below = Math.max(0, height - blocksBefore); below < height; below += 1) {
      const found = await chain.hashAt(below);
      if (found) before.push({ height: below, hash: found });
    }
    const cursor = { network, chain: chainName, height, hash, tip: height, readAt: clock.now() };
    await moveCursor(tx, cursor, before);
  }

  /** Some blocks further, or back to where another branch began. */
  async function step(): Promise<Step> {
    return inTransaction(db, async (tx) => {
      if (!(await mayRead(tx, network))) return { done: 'taken', isNodeBehind: false };
      const tip = await chain.tip();
      const cursor = await cursorOf(tx, network);
      const atTip = { done: 'at the tip', isNodeBehind: tip.isBehind } as const;
      if (!cursor) {
        await begin(tx, tip);
        return atTip;
      }
      if (cursor.chain !== chainName) {
        throw new NodeError(
          'wrong-chain',
          `What was read so far is of ${cursor.chain}, and now it is to be ${chainName}.`,
        );
      }
      const stands = await standing(tx, cursor, tip);
      if (stands === 'unknown') return { ...atTip, isNodeBehind: true };
      if (stands === 'gone') {
        await goBack(tx, cursor, tip);
        return { ...atTip, done: 'read' };
      }
      if (cursor.height < tip.height) return { ...atTip, done: await readOn(tx, cursor, tip) };
      await moveCursor(tx, { ...cursor, tip: tip.height, readAt: clock.now() });
      return atTip;
    });
  }

  return { step };
}
