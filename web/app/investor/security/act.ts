import { factors } from '@tallystick/contract/factors';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiRefusal } from '../../api.ts';
import { failureDetail } from '../../domain/forms/submission.tsx';
import { logFailure } from '../../log.ts';
import { toastFailure } from '../../ui/overlays/toast.tsx';

/** After every change the list of factors is read anew. */
export function useReread(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [factors.path] });
}

/** Whoever closed the question who is there knows that nothing was done. */
export const isGivenUp = (error: unknown) => error instanceof ApiRefusal && error.code === 'step_up_required';

/** What a press does, one thing at a time, whatever is read anew then. `failed` is what a toast says if it did not. */
export function useAct(reread: () => Promise<void>) {
  const [busy, setBusy] = useState(false);

  async function act(failed: string, send: () => Promise<void>): Promise<void> {
    setBusy(true);
    try {
      await send();
    } catch (error) {
      if (!isGivenUp(error)) {
        logFailure(`${failed}:`, error);
        toastFailure(failed, failureDetail(error));
      }
    } finally {
      setBusy(false);
      void reread();
    }
  }

  return { busy, act };
}

/** The same to the factors. */
export const useFactorAct = () => useAct(useReread());
