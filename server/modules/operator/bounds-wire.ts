import {
  type Bounds,
  type BoundsChange,
  type PlanProposal,
  type WireBounds,
  whyPlanNeedsTwo,
} from '@tallystick/contract/bounds';
import { roiToWire, toWire } from '@tallystick/contract/money';
import type { BoundsRow } from '../bounds/service.ts';
import { exitToWire, type ProposalRow } from '../investment/service.ts';

type Names = Map<string, string>;

/** What one operator asked for, in the fields that all such things have. */
export const waitingToWire = (row: { id: string; askedBy: string; askedAt: Date }, names: Names) => ({
  _id: row.id,
  askedby: names.get(row.askedBy) ?? row.askedBy,
  askedbyid: row.askedBy,
  askedat: row.askedAt.toISOString(),
});

export const boundsToWire = (bounds: Bounds): WireBounds => ({
  threshold: toWire(bounds.thresholdCents),
  chainthreshold: toWire(bounds.chainThresholdCents),
  roiperday: roiToWire(bounds.planPointsPerDayMax),
  daysmin: bounds.planDaysMin,
  daysmax: bounds.planDaysMax,
  planmax: toWire(bounds.planCentsMax),
});

export const boundsChangeToWire = (change: BoundsRow, now: Bounds, names: Names): BoundsChange => ({
  ...waitingToWire(change, names),
  from: boundsToWire(now),
  to: boundsToWire(change),
});

export const proposalToWire = (proposal: ProposalRow, now: Bounds, names: Names): PlanProposal => ({
  ...waitingToWire(proposal, names),
  replaces: proposal.replaces,
  planname: proposal.planname,
  from: toWire(proposal.fromCents),
  to: toWire(proposal.toCents),
  duration: proposal.durationDays,
  roi: roiToWire(proposal.roiPoints),
  reinvestable: proposal.reinvestable,
  exit: exitToWire(proposal),
  because: whyPlanNeedsTwo(proposal, now),
});
