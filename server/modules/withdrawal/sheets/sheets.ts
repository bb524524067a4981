import { type Network, networks } from '@tallystick/contract/networks';
import { AppError, errorOf, type Refusal, refuse } from '../../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../../platform/audit/audit.ts';
import { inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import { firstThatCounts, nameOf, refuseLate, refuseTwice } from '../../../platform/second-operator.ts';
import { type CoinState, confirmationsOf, type SpendRow } from '../../networks/service.ts';
import { lockWithdrawals, type WithdrawalRow } from '../store.ts';
import { createMaking, refuseFrozen, whyFrozen } from './making.ts';
import { createSettling, type SettlingNeeds } from './settling.ts';
import {
  endedSheets,
  expireSheets,
  type ItemRow,
  inputsHeld,
  inputsOf,
  itemsOf,
  lockSheet,
  openSheets,
  replacedBy,
  type SheetRow,
  sheetNamed,
  updateSheet,
} from './sheet-store.ts';
import { shownAmong } from './shown.ts';

/** A sheet with everything that is on it. */
export interface Sheet extends SheetRow {
  items: (ItemRow & {
    /** What pays it, as the chain shows it. */
    seen: (SpendRow & { confirmations: number }) | null;
  })[];
  inputs: CoinState[];
  /** The numbers of released sheets, of which and this one only one can be paid. */
  replaces: number[];
  /** After so many confirmations a payment counts. */
  needed: number;
  /** Why it is not to be paid now, although somebody has claimed it. */
  frozenBecause: string | null;
}

interface Pressed {
  sheetId: string;
  actor: Actor;
}

const endedShown = 20;
const nobodysSheet = refuse('not_found', 'There is no such sheet.');

/** Why it is too late for what is done with a sheet in one state. */
function refuseSheet({ state, number, claimedBy, releasedBy }: SheetRow): Refusal {
  const text = `Sheet ${number} was ${state}`;
  if (state === 'claimed') return refuseLate(text, claimedBy);
  if (state === 'released') return refuseLate(text, releasedBy);
  if (state === 'made') return refuse('already_decided', `Nobody has claimed sheet ${number} yet.`);
  return refuse('already_decided', state === 'paid' ? `${text} already.` : `Sheet ${number} has expired.`);
}

/** Payout sheets: made by one, claimed by one before coins move, released by two. */
export function createSheets(needs: SettlingNeeds) {
  const { db, clock, ledger, networks: chains, funding } = needs;
  const { shownOn, ...settling } = createSettling(needs);

  async function whole(rows: SheetRow[]): Promise<Sheet[]> {
    const ids = rows.map(({ id }) => id);
    const [items, inputs, replaced, heights] = await Promise.all([
      itemsOf(db, ids),
      inputsOf(db, ids),
      replacedBy(db, ids),
      chains.heights(),
    ]);
    const coins = new Map(
      (await chains.coinsNamed(inputs.map(({ paymentId }) => paymentId))).map((coin) => [
        coin.paymentId,
        coin,
      ]),
    );
    const spends = await chains.spendsNamed(items.flatMap(({ spendId }) => spendId ?? []));
    const paidBy = new Map(spends.map((spend) => [spend.id, spend]));
    const used = [...new Set(rows.map(({ network }) => network))];
    const shown = new Map(
      (await Promise.all(used.map((network) => shownOn(network)))).flatMap((map) => [...map]),
    );
    const needed = new Map(
      await Promise.all(used.map(async (each) => [each, await funding.confirmationsOn(each)] as const)),
    );
    const seenOf = ({ withdrawalId, spendId }: ItemRow) => {
      const spend = spendId ? paidBy.get(spendId) : shown.get(withdrawalId);
      if (!spend) return null;
      const at = heights.get(spend.network) ?? { height: 0 };
      return { ...spend, confirmations: spend.state === 'seen' ? confirmationsOf(spend, at) : 0 };
    };
    const all = await ledger.frozenBecause();
    const frozen = new Map<string, string | null>();
    for (const { id } of rows.filter(({ state }) => state === 'claimed')) {
      const own = items.filter(({ sheetId, status }) => sheetId === id && status === 'approved');
      frozen.set(id, await whyFrozen(db, all, own));
    }
    return rows.map((row) => ({
      ...row,
      frozenBecause: frozen.get(row.id) ?? null,
      items: items
        .filter(({ sheetId }) => sheetId === row.id)
        .map((item) => ({ ...item, seen: seenOf(item) })),
      inputs: inputs.flatMap(({ sheetId, paymentId }) => (sheetId === row.id && coins.get(paymentId)) || []),
      replaces: replaced.filter(({ sheetId }) => sheetId === row.id).map(({ number }) => number),
      needed: needed.get(row.network) ?? 1,
    }));
  }

  /** One at a time decides about a sheet. */
  async function lockIn(tx: Tx, sheetId: string, state: SheetRow['state']): Promise<SheetRow> {
    const sheet = await lockSheet(tx, sheetId);
    if (!sheet) throw errorOf(nobodysSheet);
    if (sheet.state !== state) throw errorOf(refuseSheet(sheet));
    return sheet;
  }

  async function audit(tx: Tx, actor: Actor, action: string, { number, network }: SheetRow, more = {}) {
    const entry = { actor, action: `payout-sheet.${action}`, details: { number, network, ...more } };
    await writeAudit(tx, entry, clock.now());
  }

  /** Before coins move: everything on it must still be what it was when it was made. */
  async function refuseClaiming(tx: Tx, { number, id }: SheetRow, rows: WithdrawalRow[]): Promise<void> {
    const ended = rows.find(({ status, firstPaidBy }) => status !== 'approved' || firstPaidBy);
    if (ended) {
      const text = `${ended.transactionid} was paid otherwise, or somebody says so. Discard sheet ${number} and make another.`;
      throw new AppError('already_decided', text);
    }
    await refuseFrozen(tx, ledger, rows);
    const inputs = await inputsOf(tx, [id]);
    const coins = await chains.coinsNamed(
      inputs.map(({ paymentId }) => paymentId),
      tx,
    );
    if (coins.some(({ isThere, spentTxid }) => !isThere || spentTxid !== null)) {
      const text = `A coin of sheet ${number} was spent, or is gone. Discard it and make another.`;
      throw new AppError('already_decided', text);
    }
  }

  /** What the chain shows was sent cannot be said not to have been. */
  async function refuseReleasing(tx: Tx, { id, number, txid, network }: SheetRow): Promise<void> {
    const items = await itemsOf(tx, [id]);
    const shown = await shownAmong(
      tx,
      chains,
      items.map(({ withdrawalId }) => withdrawalId),
    );
    const paid = items.find(({ withdrawalId }) => shown.has(withdrawalId));
    if (paid) {
      const text = `${networks[network].name} shows a payment for ${paid.transactionid}. Wait until that is confirmed.`;
      throw new AppError('already_decided', text);
    }
    const inputs = await inputsOf(tx, [id]);
    const coins = await chains.coinsNamed(
      inputs.map(({ paymentId }) => paymentId),
      tx,
    );
    if (coins.some(({ spentTxid }) => spentTxid === txid)) {
      throw new AppError('already_decided', `Sheet ${number} was sent: Bitcoin shows its transaction.`);
    }
  }

  const makeSheet = createMaking(needs);

  async function sheet({ sheetId }: { sheetId: string }): Promise<Sheet> {
    await expireSheets(db, clock.now());
    const row = await sheetNamed(db, sheetId);
    const [found] = row ? await whole([row]) : [];
    if (!found) throw errorOf(nobodysSheet);
    return found;
  }

  return {
    ...settling,
    sheet,
    expireSheets: () => expireSheets(db, clock.now()),

    makeSheet: async (input: Parameters<typeof makeSheet>[0]) => sheet({ sheetId: await makeSheet(input) }),

    async sheets() {
      await expireSheets(db, clock.now());
      const [open, ended] = await Promise.all([openSheets(db), endedSheets(db, endedShown)]);
      return { open: await whole(open), ended: await whole(ended) };
    },

    /** Coins that could be put on a sheet; null where nobody knows. */
    async spendableUnits(network: Network): Promise<bigint | null> {
      if (!chains.isWatched(network) || networks[network].family !== 'bitcoin') return null;
      const confirmations = await funding.confirmationsOn(network);
      return chains.spendableUnits({ network, confirmations, except: await inputsHeld(db) });
    },

    /** Who has claimed it pays it: only from now on a wallet is told what to pay. */
    async claimSheet({ sheetId, actor }: Pressed): Promise<Sheet> {
      await expireSheets(db, clock.now());
      await inTransaction(db, async (tx) => {
        const items = await itemsOf(tx, [sheetId]);
        const ids = items.map(({ withdrawalId }) => withdrawalId);
        // As whoever marks them as paid does: first the withdrawals, then their sheet.
        const rows = ids.length > 0 ? await lockWithdrawals(tx, ids) : [];
        const row = await lockIn(tx, sheetId, 'made');
        const now = clock.now();
        if (row.expiresAt <= now) throw errorOf(refuseSheet({ ...row, state: 'expired' }));
        await refuseClaiming(tx, row, rows);
        await updateSheet(tx, sheetId, { state: 'claimed', claimed: { by: nameOf(actor), at: now } });
        await audit(tx, actor, 'claimed', row, { chainTxid: row.txid });
      });
      return sheet({ sheetId });
    },

    /** By anyone, as long as nobody has claimed it: no wallet was told of it. */
    async discardSheet({ sheetId, actor }: Pressed): Promise<void> {
      await inTransaction(db, async (tx) => {
        const row = await lockIn(tx, sheetId, 'made');
        await updateSheet(tx, sheetId, { state: 'expired', endedAt: clock.now() });
        await audit(tx, actor, 'discarded', row);
      });
    },

    /** Once two say that it was not paid, its withdrawals wait again; what somebody said who is gone does not count. */
    async releaseSheet({ sheetId, reason, actor }: Pressed & { reason: string }) {
      return inTransaction(db, async (tx) => {
        const row = await lockIn(tx, sheetId, 'claimed');
        await refuseReleasing(tx, row);
        const by = nameOf(actor);
        const first = await firstThatCounts(tx, row.firstReleasedBy);
        const refused = refuseTwice(first, by, 'confirmed');
        if (refused) throw errorOf(refused);
        const now = clock.now();
        if (!first) {
          await updateSheet(tx, sheetId, { firstReleased: { by, at: now, reason } });
          await audit(tx, actor, 'released-first', row, { reason });
          return { state: 'claimed' as const };
        }
        await updateSheet(tx, sheetId, { state: 'released', released: { by, at: now }, endedAt: now });
        await audit(tx, actor, 'released', row, { reason, firstReleasedBy: first });
        return { state: 'released' as const };
      });
    },

    /** By either operator: it stays claimed as if nobody had wanted it released. */
    async keepSheet({ sheetId, actor }: Pressed): Promise<void> {
      await inTransaction(db, async (tx) => {
        const row = await lockIn(tx, sheetId, 'claimed');
        const { firstReleasedBy } = row;
        if (!firstReleasedBy) {
          throw new AppError('already_decided', 'Nobody wants this sheet released (any more).');
        }
        await updateSheet(tx, sheetId, { firstReleased: null });
        await audit(tx, actor, 'kept', row, { firstReleasedBy });
      });
    },
  };
}
