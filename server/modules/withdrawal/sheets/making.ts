import { randomUUIDv7 } from 'node:crypto';
import { type Network, networks } from '@tallystick/contract/networks';
import { AppError, errorOf } from '../../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../../platform/audit/audit.ts';
import { centsToUnits } from '../../../platform/chains/units.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import { lockNames } from '../../../platform/postgres/locks.ts';
import { nameOf } from '../../../platform/second-operator.ts';
import type { Ledger } from '../../ledger/service.ts';
import type { Networks } from '../../networks/service.ts';
import { frozenAmong } from '../freeze-store.ts';
import { lockWithdrawals, type WithdrawalRow } from '../store.ts';
import { refuseFee, sheetMsMax, spentAgain } from './rules.ts';
import {
  expireSheets,
  inputsHeld,
  inputsOf,
  insertSheet,
  lockSheetsOf,
  type NewSheet,
  releasedWith,
} from './sheet-store.ts';
import { shownAmong } from './shown.ts';

export interface SheetsNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  networks: Networks;
  funding: {
    /** After how many a payment on a network counts. */
    confirmationsOn(network: Network): Promise<number>;
  };
}

interface MakeSheet {
  network: Network;
  withdrawalIds: string[];
  satPerVbyte: number | null;
  actor: Actor;
}

/** Money goes out to nobody who is frozen, and to nobody while all are. */
export async function whyFrozen(
  db: Db | Tx,
  all: string | null,
  rows: Pick<WithdrawalRow, 'userId' | 'transactionid'>[],
): Promise<string | null> {
  if (all) return `Withdrawals are frozen: ${all}.`;
  const frozen = await frozenAmong(
    db,
    rows.map(({ userId }) => userId),
  );
  const row = rows.find(({ userId }) => frozen.has(userId));
  return row ? `The investor of ${row.transactionid} is frozen: ${frozen.get(row.userId)}` : null;
}

export async function refuseFrozen(tx: Tx, ledger: Ledger, rows: WithdrawalRow[]): Promise<void> {
  const why = await whyFrozen(tx, await ledger.frozenBecause({ tx }), rows);
  if (why) throw new AppError('withdrawals_frozen', why);
}

/** Puts approved withdrawals on a sheet. */
export function createMaking({ db, clock, ledger, networks: chains, funding }: SheetsNeeds) {
  /** Nothing is sent twice: what stands on another sheet, what somebody says was paid, what the chain shows. */
  async function refuseUnderWay(tx: Tx, network: Network, rows: WithdrawalRow[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    const named = (id: string) => rows.find((row) => row.id === id)?.transactionid;
    const [taken] = await lockSheetsOf(tx, ids, clock.now());
    if (taken) {
      throw new AppError(
        'already_decided',
        `${named(taken.withdrawalId)} is on sheet ${taken.number} already.`,
      );
    }
    const said = rows.find(({ firstPaidBy }) => firstPaidBy);
    if (said) {
      throw new AppError('already_decided', `Somebody says that ${said.transactionid} was paid already.`);
    }
    const [shown] = await shownAmong(tx, chains, ids);
    if (!shown) return;
    const { name } = networks[network];
    throw new AppError(
      'already_decided',
      `${name} shows a payment for ${named(shown)}. It is marked as paid by itself once it is confirmed.`,
    );
  }

  async function lockPayable(tx: Tx, { network, withdrawalIds }: MakeSheet): Promise<WithdrawalRow[]> {
    const rows = await lockWithdrawals(tx, withdrawalIds);
    if (rows.length < withdrawalIds.length) throw new AppError('not_found', 'There is no such withdrawal.');
    const other = rows.find((row) => row.network !== network);
    if (other) {
      const { name } = networks[network];
      throw new AppError('outside_range', `${other.transactionid} is not to be paid on ${name}.`);
    }
    const undecided = rows.find(({ status }) => status !== 'approved');
    if (undecided) {
      const { transactionid, status } = undecided;
      const text = status === 'requested' ? 'is not approved' : `was ${status} already`;
      throw new AppError('already_decided', `${transactionid} ${text}.`);
    }
    await refuseUnderWay(tx, network, rows);
    await refuseFrozen(tx, ledger, rows);
    // As they were chosen.
    return withdrawalIds.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  }

  function itemOf({ id, network, address, tag, amountCents, transactionid }: WithdrawalRow, price: string) {
    const chain = network as Network;
    const units = centsToUnits(amountCents, networks[chain].coin.decimals, price);
    // What no chain is read for is found by nobody, and needs no more than its address.
    const match = chains.isWatched(chain) ? chains.destinationKey(chain, address) : address;
    if (match === null) {
      throw new AppError('outside_range', `${transactionid} cannot be paid: ${address} is no address there.`);
    }
    if (units === 0n) throw new AppError('outside_range', `${transactionid} is worth less than any coin.`);
    return { withdrawalId: id, match, tag, units };
  }

  /** On Bitcoin, one transaction for all of them. */
  async function transactionFor(
    tx: Tx,
    { network, withdrawalIds, satPerVbyte, confirmations }: MakeSheet & { confirmations: number },
    payments: { address: string; units: bigint }[],
  ): Promise<NewSheet['transaction']> {
    if (networks[network].family !== 'bitcoin' || !chains.isWatched(network)) return null;
    if (satPerVbyte === null) throw new AppError('outside_range', 'Choose a fee rate.');
    const held = await inputsHeld(tx);
    const sheets = await releasedWith(tx, withdrawalIds);
    const inputs = await inputsOf(
      tx,
      sheets.map(({ id }) => id),
    );
    const coins = await chains.coinsNamed(
      inputs.map(({ paymentId }) => paymentId),
      tx,
    );
    const released = sheets.map((sheet) => {
      const own = new Set(
        inputs.flatMap(({ sheetId, paymentId }) => (sheetId === sheet.id ? [paymentId] : [])),
      );
      return { ...sheet, inputs: coins.filter(({ paymentId }) => own.has(paymentId)) };
    });
    const height = (await chains.heights(tx)).get(network)?.height ?? 0;
    const again = spentAgain(released, {
      heldElsewhere: new Set(held),
      buriedHeight: height - confirmations + 1,
    });
    if ('refused' in again) throw errorOf(again);
    const order = { network, payments, satPerVbyte, confirmations, except: held, ...again };
    const paid = await chains.payWithCoins(tx, order);
    const tooMuch = refuseFee(
      paid.feeUnits,
      payments.reduce((sum, { units }) => sum + units, 0n),
    );
    if (tooMuch) throw errorOf(tooMuch);
    return { satPerVbyte, ...paid };
  }

  /** The coins that are owed are fixed now; whoever asks for the same withdrawals at once, on whichever server, one gets them. */
  return async (input: MakeSheet): Promise<string> => {
    const { network, actor } = input;
    const withdrawalIds = [...new Set(input.withdrawalIds)];
    // Asked before anything is locked: the price service may take its time.
    const price = await chains.freshPrice(network);
    if (!price) {
      const text = `No price of ${networks[network].coin.name} is known that is fresh enough. Try again in a minute.`;
      throw new AppError('prices_unavailable', text, { retryAfterSeconds: 60 });
    }
    // Within the transaction nothing is asked that needs another connection: all of them may be waiting for it.
    const confirmations = await funding.confirmationsOn(network);
    // Others may hold coins that are free by now.
    await expireSheets(db, clock.now());
    return inTransaction(db, async (tx) => {
      await lockNames(tx, [`payouts on ${network}`]);
      const rows = await lockPayable(tx, { ...input, withdrawalIds });
      const now = clock.now();
      const items = rows.map((row) => itemOf(row, price.price));
      const payments = rows.map(({ address }, at) => ({ address, units: items[at]?.units ?? 0n }));
      const sheet: NewSheet = {
        id: randomUUIDv7(),
        network,
        ...price,
        madeAt: now,
        madeBy: nameOf(actor),
        expiresAt: new Date(now.getTime() + sheetMsMax),
        transaction: await transactionFor(tx, { ...input, withdrawalIds, confirmations }, payments),
        items,
      };
      const number = await insertSheet(tx, sheet);
      const details = {
        number,
        network,
        price: price.price,
        chainTxid: sheet.transaction?.txid ?? null,
        withdrawals: rows.map(({ transactionid }) => transactionid),
      };
      await writeAudit(tx, { actor, action: 'payout-sheet.made', details }, now);
      return sheet.id;
    });
  };
}
