import type { Actor } from '../../platform/audit/audit.ts';
import type { Claim } from '../networks/service.ts';
import type { FundingRow } from './store.ts';

/** Who confirms what a chain shows. */
export const byChain = 'chain';

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

/** The payment that a confirmation names has its use; until it is credited it can be given up. */
export const claimOf = (row: FundingRow): Claim => ({
  network: row.network ?? '',
  txid: row.chainTxid ?? '',
  output: row.chainOutput,
  use: 'deposit',
  transactionid: row.transactionid,
  final: row.status === 'confirmed',
});

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
