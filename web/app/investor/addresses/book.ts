import { type SavedAddress, savedaddresses } from '@tallystick/contract/addresses';
import { networks } from '@tallystick/contract/networks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dayOf, timeOf } from '../../domain/dates.ts';
import { failureDetail } from '../../domain/forms/submission.tsx';
import { useLive } from '../../domain/live.ts';
import { logFailure } from '../../log.ts';
import { toastFailure } from '../../ui/overlays/toast.tsx';
import { isGivenUp } from '../security/act.ts';

export const useAddressBook = () => useLive(savedaddresses, {}, 'Error fetching the saved addresses:');

/** After every change the book is read anew. */
export function useRereadBook(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [savedaddresses.path] });
}

/** What a press does to the book, one thing at a time. `failed` is what a toast says if it did not. */
export function useBookAct() {
  const reread = useRereadBook();
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

export const momentText = (iso: string) => `${dayOf(iso)}, ${timeOf(iso)}`;

export const networkText = ({ network, tag }: Pick<SavedAddress, 'network' | 'tag'>) =>
  tag === null ? networks[network].name : `${networks[network].name}, destination tag ${tag}`;
