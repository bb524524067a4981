import { useLayoutEffect, useState } from 'react';

/**
 * A mailed link carries its token behind the `#`, where no server and no log sees it. It is taken out of the address
 * bar as soon as it is read, also when it arrives in a page that is open already. `undefined`: not looked yet.
 */
export function useMailToken(name: string): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useLayoutEffect(() => {
    const take = () => {
      const found = new URLSearchParams(window.location.hash.slice(1)).get(name);
      setToken((before) => found ?? before ?? null);
      if (!found) return;
      window.history.replaceState(
        window.history.state,
        '',
        window.location.pathname + window.location.search,
      );
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, [name]);
  return token;
}
