import type { Maturity } from '@tallystick/contract/investment';
import { roiToWire, toWire } from '@tallystick/contract/money';
import { isoOf } from '../../../platform/clock.ts';
import { closesAt, noTermsWords, paidWords } from './rules.ts';
import type { MaturityRow } from './store.ts';

interface Maturing {
  maturity: MaturityRow | null;
  maturesAt: Date;
  settledAt: Date | null;
}

type Told = NonNullable<Maturity['told']>;

function toldToWire(row: MaturityRow): Told | null {
  const { toldAt, toldBy, toldPlanId, toldReason } = row;
  if (toldAt === null || toldBy === null) return null;
  const terms =
    toldPlanId === null
      ? null
      : {
          planid: toldPlanId,
          planname: row.toldPlanname ?? '',
          amount: toWire(row.toldAmountCents ?? 0n),
          profit: toWire(row.toldProfitCents ?? 0n),
          duration: row.toldDurationDays ?? 0,
          roi: roiToWire(row.toldRoiPoints ?? 0),
        };
  return { at: toldAt.toISOString(), by: toldBy, terms, reason: toldReason && noTermsWords[toldReason] };
}

/** What nobody has chosen goes to the wallet. */
export function maturityToWire({ maturity, maturesAt }: Omit<Maturing, 'settledAt'>): Maturity {
  return {
    offered: maturity?.reinvestable ?? false,
    choice: maturity?.choice ?? 'wallet',
    closesat: isoOf(closesAt(maturesAt)),
    told: maturity && toldToWire(maturity),
    outcome: maturity?.outcome ?? null,
    reason: maturity && paidWords(maturity),
    reinvestedas: maturity?.reinvestedTransactionid ?? null,
  };
}

const nothingTold = {
  toldAt: null,
  toldBy: null,
  toldPlanId: null,
  toldAmountCents: null,
  toldProfitCents: null,
  toldReason: null,
  toldPlanname: null,
  toldDurationDays: null,
  toldRoiPoints: null,
};

/** What was made a moment ago, or is answered as it was then: nothing was chosen. */
export const asOpened = ({ id: investmentId }: { id: string }, reinvestable: boolean): MaturityRow => ({
  investmentId,
  reinvestable,
  choice: null,
  ...nothingTold,
  outcome: null,
  reason: null,
  reinvestedTransactionid: null,
});

const choiceWords = { principal: 'Principal invested again', everything: 'Everything invested again' };

/** For a file: what was chosen, and what came of it. */
export function maturityWords({ maturity, settledAt }: Omit<Maturing, 'maturesAt'>): string {
  const { choice = null, outcome = null, reinvestedTransactionid: again } = maturity ?? {};
  // One that was left before its end came to nothing that was chosen for it.
  if (choice === null || (settledAt && outcome === null)) return 'Paid to the wallet';
  if (outcome === 'paid') return `Paid to the wallet. ${(maturity && paidWords(maturity)) ?? ''}`.trim();
  return again ? `${choiceWords[choice]} as ${again}` : choiceWords[choice];
}
