import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import type { PlanTerms } from './rules.ts';

/** A plan, or a new version of one, that one operator asked for and another must agree to. */
export interface ProposalRow extends PlanTerms {
  id: string;
  /** The version whose place it would take; null for a new plan. */
  replaces: string | null;
  askedBy: string;
  askedAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
}

const columns = [
  'id',
  'replaces',
  'planname',
  'from_cents as fromCents',
  'to_cents as toCents',
  'duration_days as durationDays',
  'roi_points as roiPoints',
  'reinvestable',
  'exit_from_day as exitFromDay',
  'exit_keeps_points as exitKeepsPoints',
  'exit_fee_points as exitFeePoints',
  'asked_by as askedBy',
  'asked_at as askedAt',
  'decided_by as decidedBy',
  'decided_at as decidedAt',
] as const;

/** False when another one of this plan, or of this name, waits already. */
export async function insertProposal(
  tx: Tx,
  proposal: Omit<ProposalRow, 'id' | 'askedBy' | 'askedAt' | 'decidedBy' | 'decidedAt'>,
  { askedBy, now }: { askedBy: string; now: Date },
): Promise<boolean> {
  const result = await tx
    .insertInto('plan_proposals')
    .values({
      replaces: proposal.replaces,
      planname: proposal.planname,
      from_cents: proposal.fromCents,
      to_cents: proposal.toCents,
      duration_days: proposal.durationDays,
      roi_points: proposal.roiPoints,
      reinvestable: proposal.reinvestable,
      exit_from_day: proposal.exitFromDay,
      exit_keeps_points: proposal.exitKeepsPoints,
      exit_fee_points: proposal.exitFeePoints,
      asked_by: askedBy,
      asked_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function lockProposal(tx: Tx, proposalId: string): Promise<ProposalRow | null> {
  const row = await tx
    .selectFrom('plan_proposals')
    .select(columns)
    .where('id', '=', proposalId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function waitingProposals(db: Db | Tx): Promise<ProposalRow[]> {
  return db
    .selectFrom('plan_proposals')
    .select(columns)
    .where('decided_at', 'is', null)
    .orderBy('asked_at')
    .execute();
}

/** With the plan that it becomes, or null when it is dropped. */
export async function decideProposal(
  tx: Tx,
  proposalId: string,
  decision: { planId: string | null; by: string; now: Date },
): Promise<void> {
  const { planId, by, now } = decision;
  await tx
    .updateTable('plan_proposals')
    .set({ agreed: planId !== null, plan_id: planId, decided_by: by, decided_at: now })
    .where('id', '=', proposalId)
    .execute();
}

/** Whether two operators agreed to a plan as it stands. */
export async function isAgreedByTwo(tx: Tx, planId: string): Promise<boolean> {
  const { rows } = await sql<{ agreed: boolean }>`
    select exists (select from plan_proposals where plan_id = ${planId} and agreed) as agreed`.execute(tx);
  return rows[0]?.agreed ?? false;
}
