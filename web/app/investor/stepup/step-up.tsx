import type { FactorWay } from '@tallystick/contract/errors';
import { type ReactNode, useEffect, useState } from 'react';
import { onStepUp } from '../../api.ts';
import { logFailure } from '../../log.ts';
import { toastFailure } from '../../ui/overlays/toast.tsx';

/**
 * Stands in the frame of the area: a call that the server wants to be sure about (`api.ts`) opens a question above
 * whatever is on the screen, and goes on once it is answered. Several calls wait for one answer.
 */
export function StepUp() {
  const [dialog, setDialog] = useState<ReactNode>(null);

  useEffect(() => {
    let asked: Promise<boolean> | null = null;

    async function ask(ways: readonly FactorWay[]): Promise<boolean> {
      const { StepUpDialog } = await import('./step-up-dialog.tsx');
      const { promise, resolve } = Promise.withResolvers<boolean>();
      setDialog(<StepUpDialog ways={ways} onEnd={resolve} />);
      return promise;
    }

    async function orSay(ways: readonly FactorWay[]): Promise<boolean> {
      try {
        return await ask(ways);
      } catch (error) {
        logFailure('The question could not be loaded:', error);
        toastFailure('The question could not be loaded', 'Check your connection and try again.');
        return false;
      } finally {
        asked = null;
        setDialog(null);
      }
    }

    return onStepUp((ways) => {
      asked ??= orSay(ways);
      return asked;
    });
  }, []);

  return dialog;
}
