import type { Investment } from '@tallystick/contract/investment';
import { dayOf } from '../../domain/dates.ts';
import { Button } from '../../ui/actions/button.tsx';
import { useMoneyOff } from '../offline/reach.ts';
import { isCompleted } from './accrual.ts';
import { useOpenForm } from './row-forms.tsx';

const fetchForm = async () => (await import('./exit-modal.tsx')).ExitModal;

/** From when on it may be left, then the button for it; nothing for one that runs to its end. */
export function ExitAction({ investment, now }: { investment: Investment; now: Date }) {
  const open = useOpenForm();
  const off = useMoneyOff();
  const { exitfrom, investmentransactionid } = investment;
  if (exitfrom === null || isCompleted(investment)) return null;
  if (Date.parse(exitfrom) > now.getTime())
    return <span className="mt-1 block text-caption text-3">Can be left early from {dayOf(exitfrom)}</span>;
  return (
    <Button
      size="small"
      className="mt-2.5 max-tablet:w-full"
      aria-label={`Leave early, ${investmentransactionid}`}
      {...off}
      onClick={() => open(investment, fetchForm)}
    >
      Leave early
    </Button>
  );
}
