import type { Actor } from '../../platform/audit/audit.ts';
import type { FundingRow } from './store.ts';

/** What a decision leaves behind. */
export interface Decided {
  row: FundingRow;
  actor: Actor;
  /** Who had confirmed it first, before this. */
  firstConfirmedBy: string | null;
}

export const words = {
  unknown: 'There is no such funding request.',
  decided: ({ status }: FundingRow) => `This request was ${status}`,
};

/** As before anyone had confirmed it. */
export const unconfirmed = {
  receivedCents: null,
  network: null,
  chainTxid: null,
  chainOutput: null,
  firstConfirmedBy: null,
  firstConfirmedAt: null,
  secondBecause: null,
};

/** The trace of it. */
export const auditOf = (action: string, { row, actor, firstConfirmedBy }: Decided) => ({
  actor,
  action,
  subjectId: row.userId,
  details: {
    transactionid: row.transactionid,
    askedCents: String(row.amountCents),
    receivedCents: row.receivedCents === null ? null : String(row.receivedCents),
    network: row.network,
    chainOutput: row.chainOutput,
    chainTxid: row.chainTxid,
    reason: row.reason,
    because: row.secondBecause,
    firstConfirmedBy,
  },
});
