import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';

interface OwnEntry {
  /** Whoever goes back is asked first, with the entry there again. */
  asks: boolean;
  onAsk: () => void;
  onClose: () => void;
}

/** The browser goes back some time after it is told to: what opens meanwhile waits, or its entry would be taken instead. */
let givenBack: Promise<unknown> = Promise.resolve();

function giveBack(): void {
  givenBack = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  history.back();
}

/** For whoever leaves the page next: what was closed just now has given its entry back by then. */
export async function entriesGivenBack(): Promise<void> {
  await null;
  await givenBack;
}

/**
 * What stands above a page has an entry of its own in the browser's history: Back takes it away and stays on the page.
 * Whoever closes it in another way gives the entry back, so that the next Back leaves the page as it always did.
 */
export function useOwnEntry({ asks, onAsk, onClose }: OwnEntry): void {
  const navigate = useNavigate();
  const location = useLocation();

  const push = useEffectEvent((id: string) =>
    navigate(location, { state: { ...location.state, above: id }, preventScrollReset: true }),
  );
  const go = useEffectEvent((by: number) => void navigate(by));
  const isAskedFirst = useEffectEvent(() => asks);
  const ask = useEffectEvent(() => onAsk());
  const close = useEffectEvent(() => onClose());

  useEffect(() => {
    const id = crypto.randomUUID();
    let isOpen = true;
    /** On the way forward again, to ask there. */
    let isReturning = false;
    // The router keeps our part of the state inside its own; wherever it is, no other entry bears this id.
    const isCurrent = () => JSON.stringify(history.state)?.includes(id) ?? false;
    const pushed = givenBack.then(() => (isOpen ? push(id) : undefined));

    function onPopState() {
      if (isCurrent()) {
        if (isReturning) ask();
        isReturning = false;
      } else if (isAskedFirst() && !isReturning) {
        isReturning = true;
        go(1);
      } else {
        close();
      }
    }
    // What happens before the entry is there is not about it.
    void pushed.then(() => isOpen && addEventListener('popstate', onPopState));
    return () => {
      isOpen = false;
      removeEventListener('popstate', onPopState);
      void pushed.then(() => isCurrent() && giveBack());
    };
  }, []);
}
