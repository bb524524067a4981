import { type Network, networkIds, networks } from '@tallystick/contract/networks';
import { AppError } from '../../../platform/app-error.ts';
import { writeAuditAll } from '../../../platform/audit/audit.ts';
import { unitsToDecimal } from '../../../platform/chains/units.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Tx } from '../../../platform/postgres/db.ts';
import { confirmationsOf, type SpendRow } from '../../networks/service.ts';
import { withdrawalsPaidBy } from '../store.ts';
import type { SheetsNeeds } from './making.ts';
import { paymentsShown } from './shown.ts';

export interface SettlingNeeds extends SheetsNeeds {
  logger: Logger;
  payByChain(payment: { withdrawalId: string; spend: SpendRow; needed: number }): Promise<unknown>;
}

/** Coins of ours that went where no sheet sent them, or that paid a withdrawal and are back. */
export interface OddPayout extends SpendRow {
  confirmations: number;
  /** Of the withdrawal that it paid, before its block was replaced. */
  transactionid: string | null;
}

const oddShownMax = 50;

function tooLate(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'already_decided')) throw error;
}

const toldOf = ({ network, txid, output, address, units }: SpendRow) => ({
  network,
  txid,
  output,
  address,
  coins: unitsToDecimal(units, networks[network].coin.decimals),
});

/** What follows from what the chains show of our own payments. */
export function createSettling({ db, clock, logger, networks: chains, funding, payByChain }: SettlingNeeds) {
  const shownOn = (network: Network) => paymentsShown(db, chains, network);

  async function payShown(network: Network): Promise<void> {
    const cursor = (await chains.heights()).get(network);
    const shown = await shownOn(network);
    if (!cursor || shown.size === 0) return;
    const needed = await funding.confirmationsOn(network);
    const due = [...shown].filter(([, spend]) => confirmationsOf(spend, cursor) >= needed);
    await Promise.all(
      due.map(([withdrawalId, spend]) => payByChain({ withdrawalId, spend, needed }).catch(tooLate)),
    );
  }

  /** Once each, as soon as it is in a block: whoever may spend our coins, somebody has to know why they are gone. */
  async function tellUnexplained(network: Network): Promise<void> {
    const untold = await chains.untoldSpends(network);
    if (untold.length === 0) return;
    const expected = new Set([...(await shownOn(network)).values()].map(({ id }) => id));
    const done = untold.filter(({ id, isExplained }) => isExplained || !expected.has(id));
    const odd = new Set(done.filter(({ isExplained }) => !isExplained).map(({ id }) => id));
    const told = await chains.markTold(
      done.map(({ id }) => id),
      [...odd],
    );
    for (const spend of told) {
      if (!odd.has(spend.id)) continue;
      logger.error({ alert: true, ...toldOf(spend) }, 'coins of ours went where no payout sheet sent them');
    }
  }

  return {
    shownOn,

    /** After a chain was read: withdrawals whose payment it has confirmed are paid. */
    async settlePayouts(network: Network): Promise<void> {
      try {
        await payShown(network);
      } finally {
        await tellUnexplained(network);
      }
    },

    /** Blocks that showed these are part of the chain no more. Nothing is posted by itself: people have to look. */
    async missPayouts(tx: Tx, spends: SpendRow[]): Promise<void> {
      const missed = await withdrawalsPaidBy(
        tx,
        spends.map(({ id }) => id),
      );
      const entries = missed.flatMap(({ spendId, userId, transactionid }) => {
        const spend = spends.find(({ id }) => id === spendId);
        if (!spend) return [];
        const details = { transactionid, ...toldOf(spend) };
        logger.error({ alert: true, ...details }, 'a payout that was marked as paid is gone from its chain');
        const actor = { kind: 'system' } as const;
        return [{ actor, action: 'withdrawal.payment-vanished', subjectId: userId, details }];
      });
      await writeAuditAll(tx, entries, clock.now());
    },

    /** What somebody has to look into, the newest first. */
    async oddPayouts(): Promise<OddPayout[]> {
      const heights = await chains.heights();
      const shown = await Promise.all(networkIds.map((network) => shownOn(network)));
      const expected = new Set(shown.flatMap((map) => [...map.values()]).map(({ id }) => id));
      const unexplained = await chains.newestUnclaimed(oddShownMax);
      const gone = await chains.vanishedSpends(oddShownMax);
      const paid = new Map(
        (
          await withdrawalsPaidBy(
            db,
            gone.map(({ id }) => id),
          )
        ).map((row) => [row.spendId, row.transactionid]),
      );
      const lost = gone.flatMap((spend) => {
        const transactionid = paid.get(spend.id);
        return transactionid ? [{ ...spend, transactionid, confirmations: 0 }] : [];
      });
      const unknown = unexplained.filter(({ id }) => !expected.has(id));
      return [
        ...lost,
        ...unknown.map((spend) => {
          const confirmations = confirmationsOf(spend, heights.get(spend.network) ?? { height: 0 });
          return { ...spend, transactionid: null, confirmations };
        }),
      ];
    },
  };
}
