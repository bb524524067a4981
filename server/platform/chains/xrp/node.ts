import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { AccountChain, Block, Keys, Payment, Spend } from '../chain.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { AccountInfo, type AccountTransaction, AccountTx, Ledger, ServerInfo } from './answers.ts';

/** The account flag that refuses payments without a destination tag. */
const requiresTagFlag = 0x0002_0000;
/** XRP's clock begins in the year 2000. */
const epochSeconds = 946_684_800;
const transactionsAtOnce = 200;
const pagesMax = 1000;
const upToDate = ['full', 'validating', 'proposing'];

export interface XrpChain extends AccountChain {
  /** What must be known of an address before it is paid. */
  destinationOf(address: string): Promise<{ exists: boolean; requiresTag: boolean }>;
}

type Refused = { status: 'error'; error: string };
type Successful<T> = Exclude<T, Refused>;

/**
 * Reads rippled or Clio. Only validated ledgers are read, and those are final. What arrives otherwise than by a payment
 * (an escrow, a check) shows only in `balances`.
 */
export function createXrpChain({ rpc, networkId }: { rpc: JsonRpc; networkId: number }): XrpChain {
  const { fail } = rpc;

  /** Null when it answers with one of these words. */
  async function ask<T extends { status: string }>(
    method: string,
    params: Record<string, unknown>,
    shape: z.ZodType<T | Refused>,
    nullWhen: string[] = [],
  ): Promise<Successful<T> | null> {
    // The first version of its answers is the one that every rippled and Clio gives.
    const answer = await rpc.call(method, [{ api_version: 1, ...params }], shape);
    if (answer.status !== 'error') return answer as Successful<T>;
    const { error } = answer as Refused;
    if (nullWhen.includes(error)) return null;
    throw fail(error === 'slowDown' ? 'limited' : 'refused', `refused ${method}: ${error}.`);
  }

  const missing = (what: string) => fail('no-block', `does not have ${what} any more, or not yet.`);

  async function serverInfo() {
    const answer = await ask('server_info', {}, ServerInfo);
    if (!answer) throw missing('any ledger');
    return answer.info;
  }

  async function ledgerAt(height: number) {
    const found = await ask('ledger', { ledger_index: height }, Ledger, ['lgrNotFound']);
    if (!found?.validated) return null;
    if (found.ledger_index !== height) {
      throw fail('nonsense', `answered with ledger ${found.ledger_index} when ${height} was asked for.`);
    }
    return found.ledger;
  }

  /** With a hole in its history it would leave out payments without a word. */
  async function mustHave(from: number, to: number): Promise<void> {
    const { complete_ledgers: ranges } = await serverInfo();
    const has = ranges.split(',').some((range) => {
      const [low = Number.NaN, high = low] = range.split('-').map(Number);
      return low <= from && to <= high;
    });
    if (!has) throw missing(from === to ? `ledger ${from}` : `all ledgers from ${from} to ${to}`);
  }

  async function transactionsOf(account: string, from: number, to: number): Promise<AccountTransaction[]> {
    const all: AccountTransaction[] = [];
    let marker: unknown;
    for (let page = 0; page < pagesMax; page += 1) {
      const span = { ledger_index_min: from, ledger_index_max: to };
      const params = { account, ...span, forward: true, limit: transactionsAtOnce, marker };
      const found = await ask('account_tx', params, AccountTx, ['actNotFound']);
      // An account that nobody has paid yet does not exist.
      if (!found) return all;
      if (found.ledger_index_min > from || found.ledger_index_max < to)
        throw missing(`all ledgers from ${from} to ${to}`);
      all.push(...found.transactions);
      if (found.marker === undefined || found.marker === null) return all;
      if (isDeepStrictEqual(found.marker, marker)) break;
      marker = found.marker;
    }
    throw fail('nonsense', 'never comes to the end of its transactions.');
  }

  async function gather(accounts: Iterable<string>, from: number, to: number) {
    const byLedger = new Map<number, Map<string, AccountTransaction>>([[to, new Map()]]);
    for (const account of accounts) {
      for (const each of await transactionsOf(account, from, to)) {
        const { ledger_index: height, hash } = each.tx;
        if (height < from || height > to || !each.validated) {
          throw fail('nonsense', `answered with a transaction of ledger ${height}, which was not asked for.`);
        }
        const ledger = byLedger.get(height) ?? new Map();
        byLedger.set(height, ledger.set(hash, each));
      }
    }
    return [...byLedger].sort(([one], [other]) => one - other);
  }

  return {
    // Each of them may have something of ours and be asked for: with a distant node that adds up.
    spanMax: 100,

    async tip() {
      const { network_id: network = 0, validated_ledger: newest, server_state: state } = await serverInfo();
      if (network !== networkId)
        throw fail('wrong-chain', `follows the network ${network} and not ${networkId}.`);
      if (!newest) throw missing('any validated ledger');
      return {
        height: newest.seq,
        hash: newest.hash,
        isBehind: state !== undefined && !upToDate.includes(state),
      };
    },

    hashAt: async (height) => (await ledgerAt(height))?.ledger_hash ?? null,

    async blocks({ from, to }, { destinations }) {
      await mustHave(from, to);
      const blocks: Block[] = [];
      for (const [height, transactions] of await gather(destinations.keys(), from, to)) {
        const ledger = await ledgerAt(height);
        if (!ledger) throw missing(`ledger ${height}`);
        const before = blocks.at(-1);
        if (before?.height === height - 1 && before.hash !== ledger.parent_hash) {
          throw fail('nonsense', `has a ledger ${height} that does not follow from the one before.`);
        }
        blocks.push({
          height,
          hash: ledger.ledger_hash,
          parentHash: ledger.parent_hash,
          time: new Date((ledger.close_time + epochSeconds) * 1000),
          ...sorted([...transactions.values()], destinations),
        });
      }
      return blocks;
    },

    balances: (destinations, height) =>
      Promise.all(
        destinations.map(async (account) => {
          const found = await ask('account_info', { account, ledger_index: height }, AccountInfo, [
            'actNotFound',
          ]);
          return found?.account_data.Balance ?? 0n;
        }),
      ),

    async destinationOf(account) {
      const params = { account, ledger_index: 'validated' };
      const found = await ask('account_info', params, AccountInfo, ['actNotFound']);
      const flags = BigInt(found?.account_data.Flags ?? 0);
      return { exists: found !== null, requiresTag: (flags & BigInt(requiresTagFlag)) !== 0n };
    },
  };
}

function sorted(transactions: AccountTransaction[], destinations: Keys) {
  const payments: Payment[] = [];
  const spends: Spend[] = [];
  for (const { tx, meta } of transactions) {
    const { hash: txid, Account: from, Destination: destination, DestinationTag: tag = null } = tx;
    const failed = meta.TransactionResult !== 'tesSUCCESS';
    const units = failed ? 0n : (meta.delivered_amount ?? null);
    const isPayment = tx.TransactionType === 'Payment' && destination !== undefined && units !== null;
    const pays = isPayment ? [{ txid, output: null, destination, tag, units, failed }] : [];
    if (!failed && destination !== undefined && destinations.has(destination)) payments.push(...pays);
    if (destinations.has(from)) spends.push({ txid, from: [from], pays });
  }
  return { payments, spends };
}
