import { type Network, networks } from '@tallystick/contract/networks';
import { AppError } from '../../../platform/app-error.ts';
import { type AccountKey, createAccountKey } from '../../../platform/chains/account-key.ts';
import { PayoutRefusal } from '../../../platform/chains/bitcoin/coin-selection.ts';
import type { BitcoinNetwork } from '../../../platform/chains/bitcoin/params.ts';
import { buildPayout, type Coin, type PayoutOrder } from '../../../platform/chains/bitcoin/psbt.ts';
import { outpointKey } from '../../../platform/chains/chain.ts';
import { destinationKey } from '../../../platform/chains/destination.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import { lockNames } from '../../../platform/postgres/locks.ts';
import { insertAddress, keysNamed, takeNumber } from '../address-store.ts';
import { cursorOf } from '../cursor-store.ts';
import { familyOf } from '../rules.ts';
import { type CoinRow, coinsNamed, spendableCoins, spendableSum, unusedChange } from './coin-store.ts';

interface CoinsNeeds {
  db: Db;
  clock: Clock;
  bitcoinNetwork: BitcoinNetwork;
}

/** What is to be paid with coins of ours. */
interface Order {
  network: Network;
  payments: { address: string; units: bigint }[];
  satPerVbyte: number;
  /** After so many confirmations a coin of ours can be spent. */
  confirmations: number;
  /** Coins that another payout may spend. */
  except: string[];
  /** Coins that have to be spent, each by the id of the payment that it came with. */
  mustSpend: string[];
}

type Accounts = Map<string, AccountKey>;

const numberTriesMax = 1_000;

/** Our coins on Bitcoin, and payments with them that only somebody with the key can sign. */
export function createCoins({ db, clock, bitcoinNetwork }: CoinsNeeds) {
  /** The block that what can be spent stands in at the latest; null where there are no coins. */
  async function heightMaxOf(on: Db | Tx, network: Network, confirmations: number): Promise<number | null> {
    const cursor = familyOf(network) === 'bitcoin' ? await cursorOf(on, network) : null;
    return cursor && cursor.height - confirmations + 1;
  }

  async function coinsOn(tx: Tx, network: Network, confirmations: number): Promise<CoinRow[]> {
    const heightMax = await heightMaxOf(tx, network, confirmations);
    return heightMax === null ? [] : spendableCoins(tx, network, heightMax);
  }

  /** Of the keys that hold these; the one that holds most of all first. */
  async function accountsOf(tx: Tx, rows: CoinRow[]): Promise<Accounts> {
    const kind = { family: 'bitcoin', network: bitcoinNetwork } as const;
    const held = new Map<string, bigint>();
    for (const { keyId, units } of rows) held.set(keyId, (held.get(keyId) ?? 0n) + units);
    const largest = [...held].sort(([, one], [, other]) => (one > other ? -1 : 1)).map(([keyId]) => keyId);
    const keys = new Map((await keysNamed(tx, largest)).map(({ id, key }) => [id, key]));
    return new Map(largest.map((id) => [id, createAccountKey(keys.get(id) ?? '', kind)]));
  }

  function addressAt(
    accounts: Accounts,
    { keyId, branch, index }: Pick<CoinRow, 'keyId' | 'branch' | 'index'>,
  ) {
    const account = accounts.get(keyId);
    if (!account) throw new Error('a coin belongs to no key');
    return account.addressAt(branch === 1 ? 1 : 0, index);
  }

  /** Derived only when it is chosen: that takes its time, and there may be thousands. */
  function coinOf(row: CoinRow, accounts: Accounts): Coin & { row: CoinRow } {
    const { txid, output, units } = row;
    return {
      txid,
      output,
      units,
      row,
      get at() {
        const at = addressAt(accounts, row);
        if (at.matchKey !== row.match) throw new Error(`${row.path} is not the address that it was`);
        return at;
      },
    };
  }

  /** Where change goes: an address that nobody knows. Those of sheets that nobody has seen are used again. */
  async function changeOf(tx: Tx, keyId: string, accounts: Accounts) {
    await lockNames(tx, ['addresses']);
    const unused = await unusedChange(tx, keyId);
    if (unused) return { id: unused.id, at: addressAt(accounts, { keyId, ...unused }) };
    const row = { family: 'bitcoin', tag: null, purpose: 'change', ownerId: null, keyId, branch: 1 } as const;
    for (let tries = 0; tries < numberTriesMax; tries += 1) {
      const index = await takeNumber(tx, keyId, 'change');
      const at = addressAt(accounts, { keyId, branch: 1, index });
      const made = await insertAddress(
        tx,
        { ...row, match: at.matchKey, address: at.address, index },
        clock.now(),
      );
      if (made) return { id: made.id, at };
    }
    throw new Error('no change address of this key is free');
  }

  function build(order: PayoutOrder) {
    try {
      return buildPayout(order);
    } catch (error) {
      if (error instanceof PayoutRefusal) return error;
      throw error;
    }
  }

  return {
    coinsNamed: (paymentIds: string[], tx?: Tx) => coinsNamed(tx ?? db, paymentIds),

    /** As its chain has it; null when it is no address there. */
    destinationKey: (network: Network, address: string) => destinationKey(network, address, bitcoinNetwork),

    /** What could be paid out now. */
    async spendableUnits(input: {
      network: Network;
      confirmations: number;
      except: string[];
    }): Promise<bigint> {
      const { network, confirmations, except } = input;
      const heightMax = await heightMaxOf(db, network, confirmations);
      return heightMax === null ? 0n : spendableSum(db, { network, heightMax, except });
    },

    /** One transaction for all of these payments, from the coins of one key where those are enough. */
    async payWithCoins(tx: Tx, order: Order) {
      const { network, payments, satPerVbyte } = order;
      const except = new Set(order.except);
      const rows = (await coinsOn(tx, network, order.confirmations)).filter(
        (row) => !except.has(row.paymentId),
      );
      const must = rows.filter(({ paymentId }) => order.mustSpend.includes(paymentId));
      if (must.length < order.mustSpend.length) {
        throw new AppError('outside_range', 'A coin that has to be spent again cannot be spent now.');
      }
      if (rows.length === 0) {
        throw new AppError(
          'outside_range',
          `There are no coins on ${networks[network].name} that can be spent.`,
        );
      }
      const mustSpend = must.map(({ txid, output }) => outpointKey(txid, output));
      const accounts = await accountsOf(tx, rows);
      const pools = [...accounts.keys()].map((keyId) => ({
        keyId,
        pool: rows.filter((row) => row.keyId === keyId || must.includes(row)),
      }));
      const [largest] = pools;
      if (largest && pools.length > 1) pools.push({ keyId: largest.keyId, pool: rows });
      let refused: PayoutRefusal | undefined;
      for (const { keyId, pool } of pools) {
        const coins = pool.map((row) => coinOf(row, accounts));
        const change = await changeOf(tx, keyId, accounts);
        const common = { network: bitcoinNetwork, payments, satPerVbyte, mustSpend };
        const payout = build({ ...common, coins, change: change.at });
        if (payout instanceof PayoutRefusal) {
          refused ??= payout;
          continue;
        }
        const { psbt, txid, feeUnits, vbytes } = payout;
        const inputs = (payout.coins as typeof coins).map(({ row }) => row.paymentId);
        const back = payout.change && { addressId: change.id, units: payout.change.units };
        return { psbt, txid, feeUnits, vbytes, inputs, change: back };
      }
      throw new AppError('outside_range', refused?.message ?? 'There is nothing to pay with.');
    },
  };
}
