import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * What stands above a page has an entry of its own in the browser's history: Back takes it away and stays on the page.
 * Whoever closes it in another way gives the entry back, so that the next Back leaves the page as it always did.
 *
 * `onBack` may answer 'stay': then the entry is there again.
 */
export function useOwnEntry(onBack: () => 'stay' | 'closed'): void {
  const navigate = useNavigate();
  const location = useLocation();

  const push = useEffectEvent((id: string) =>
    navigate(location, { state: { ...location.state, above: id }, preventScrollReset: true }),
  );
  const back = useEffectEvent(onBack);
  const go = useEffectEvent((by: number) => void navigate(by));

  useEffect(() => {
    const id = crypto.randomUUID();
    // The router keeps our part of the state inside its own; wherever it is, no other entry bears this id.
    const isCurrent = () => JSON.stringify(history.state)?.includes(id) ?? false;
    const pushed = Promise.resolve(push(id));

    function onPopState() {
      if (!isCurrent() && back() === 'stay') go(1);
    }
    addEventListener('popstate', onPopState);
    return () => {
      removeEventListener('popstate', onPopState);
      void pushed.then(() => isCurrent() && history.back());
    };
  }, []);
}
