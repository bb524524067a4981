import type { Investment, Maturity } from '@tallystick/contract/investment';
import type { ReactNode } from 'react';
import { Copyable } from '../../ui/actions/copy.tsx';
import { useMoneyOff } from '../offline/reach.ts';
import { isCompleted } from './accrual.ts';
import { choiceNames, toldLine } from './maturity-words.ts';
import { useOpenForm } from './row-forms.tsx';

const fetchForm = async () => (await import('./choose-modal.tsx')).ChooseModal;

/** What came of it, once it is over. */
function Ended({ maturity }: { maturity: Maturity }) {
  const { outcome, reason, reinvestedas } = maturity;
  if (outcome === 'paid') return <Line>Paid to your wallet, not invested again. {reason}</Line>;
  if (outcome === null || reinvestedas === null) return null;
  return (
    <Line>
      {choiceNames[maturity.choice]} as <Copyable what="the transaction ID">{reinvestedas}</Copyable>
    </Line>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <div className="mt-1.5 text-caption text-2">{children}</div>;
}

/** What happens to an investment at its end, and the way to choose it. Plans that leave no choice say nothing. */
export function AtMaturity({ investment, now }: { investment: Investment; now: Date }) {
  const open = useOpenForm();
  const off = useMoneyOff();
  const { maturity } = investment;
  if (isCompleted(investment)) return <Ended maturity={maturity} />;
  if (!maturity.offered) return null;
  const isClosed = now.getTime() >= Date.parse(maturity.closesat);
  const told = toldLine(maturity, now);
  return (
    <div className="mt-1.5 text-caption text-2">
      <div className="flex flex-wrap items-center gap-x-2">
        <span>At maturity: {choiceNames[maturity.choice].toLowerCase()}</span>
        {isClosed ? (
          <span className="text-3">Closed for changes</span>
        ) : (
          <button
            type="button"
            {...off}
            onClick={() => open(investment, fetchForm)}
            aria-label={`Change what happens at maturity of ${investment.investmentransactionid}`}
            className="-my-2.5 min-h-11 font-semibold text-accent-text underline-offset-3 enabled:hover:underline disabled:text-3 tablet:-my-1.5 tablet:min-h-8"
          >
            Change
          </button>
        )}
      </div>
      {told && <span className="block text-3">{told}</span>}
    </div>
  );
}
