import type { Investment } from '@tallystick/contract/investment';
import { type ComponentType, createContext, type ReactNode, use, useState } from 'react';
import { orSay } from '../money/money-modals.tsx';

type Form = ComponentType<{ investment: Investment; onClose: () => void }>;
type Open = (investment: Investment, fetchForm: () => Promise<Form>) => void;

const OpenContext = createContext<Open>(() => {});

/**
 * A form stands here and not in the row that it is about: that changes, or goes, while the form is open, and is another
 * one when a phone is turned.
 */
export function RowForms({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ investment: Investment; Form: Form } | null>(null);
  const open: Open = (investment, fetchForm) =>
    orSay(async () => setShown({ investment, Form: await fetchForm() }));
  return (
    <OpenContext value={open}>
      {children}
      {shown && <shown.Form investment={shown.investment} onClose={() => setShown(null)} />}
    </OpenContext>
  );
}

/** Few press it: the code of a form comes when they do. */
export const useOpenForm = () => use(OpenContext);
