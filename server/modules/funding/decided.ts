import type { Actor } from '../../platform/audit/audit.ts';
import { type Refusal, refuse } from '../ledger/service.ts';
import type { FundingRow } from './store.ts';

/** What a decision leaves behind. */
export interface Decided {
  row: FundingRow;
  actor: Actor;
  /** Who had confirmed it first, before this. */
  firstConfirmedBy: string | null;
}

export const noSuchRequest = refuse('not_found', 'There is no such funding request.');

/** As before anyone had confirmed it. */
export const unconfirmed = {
  ...{ receivedCents: null, network: null, chainTxid: null, chainOutput: null },
  ...{ firstConfirmedBy: null, firstConfirmedAt: null, secondBecause: null },
};

/** Only what is pending can be decided; who comes second is told who was first. */
export function refuseDecided(request: FundingRow): Refusal | null {
  if (request.status === 'pending') return null;
  return refuse('already_decided', `This request was ${request.status} already, by ${request.decidedBy}.`);
}

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
