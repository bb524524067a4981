import type { Investment } from '@tallystick/contract/investment';
import { type ComponentType, createContext, type ReactNode, use, useState } from 'react';
import { logFailure } from '../../log.ts';
import { toastFailure } from '../../ui/overlays/toast.tsx';

type Form = ComponentType<{ investment: Investment; onClose: () => void }>;
type Open = (investment: Investment, fetchForm: () => Promise<Form>) => void;

const OpenContext = createContext<Open>(() => {});

/**
 * A form stands here and not in the row that it is about: that changes, or goes, while the form is open, and is another
 * one when a phone is turned.
 */
export function RowForms({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ investment: Investment; Form: Form } | null>(null);
  async function open(investment: Investment, fetchForm: () => Promise<Form>) {
    try {
      setShown({ investment, Form: await fetchForm() });
    } catch (error) {
      logFailure('A form could not be loaded:', error);
      toastFailure('The form could not be loaded', 'Check your connection and try again.');
    }
  }
  return (
    <OpenContext value={open}>
      {children}
      {shown && <shown.Form investment={shown.investment} onClose={() => setShown(null)} />}
    </OpenContext>
  );
}

/** Few press it: the code of a form comes when they do. */
export const useOpenForm = () => use(OpenContext);
