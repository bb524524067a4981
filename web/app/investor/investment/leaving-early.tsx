import type { Investment } from '@tallystick/contract/investment';
import { type ComponentType, createContext, type ReactNode, use, useState } from 'react';
import { dayOf } from '../../domain/dates.ts';
import { logFailure } from '../../log.ts';
import { Button } from '../../ui/actions/button.tsx';
import { toastFailure } from '../../ui/overlays/toast.tsx';
import { useMoneyOff } from '../offline/reach.ts';
import { isCompleted } from './accrual.ts';

type Modal = ComponentType<{ investment: Investment; onClose: () => void }>;

const LeaveContext = createContext<(investment: Investment) => void>(() => {});

/** The form stands here and not in the row: that changes, or goes, when what it is about was left. */
export function LeavingEarly({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ investment: Investment; Modal: Modal } | null>(null);
  async function leave(investment: Investment) {
    try {
      setShown({ investment, Modal: (await import('./exit-modal.tsx')).ExitModal });
    } catch (error) {
      logFailure('A form could not be loaded:', error);
      toastFailure('The form could not be loaded', 'Check your connection and try again.');
    }
  }
  return (
    <LeaveContext value={leave}>
      {children}
      {shown && <shown.Modal investment={shown.investment} onClose={() => setShown(null)} />}
    </LeaveContext>
  );
}

/** From when on it may be left, then the button for it; nothing for one that runs to its end. */
export function ExitAction({ investment, now }: { investment: Investment; now: Date }) {
  const leave = use(LeaveContext);
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
      onClick={() => leave(investment)}
    >
      Leave early
    </Button>
  );
}
