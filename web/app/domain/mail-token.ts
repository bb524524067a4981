import { useCallback, useLayoutEffect, useState } from 'react';

/**
 * A mailed link carries its token behind the `#`, where no server and no log sees it. It is taken out of the address
 * bar as soon as it is read, also when it arrives in a page that is open already. `undefined`: not looked yet.
 */
export function useMailLink<Link>(read: (hash: URLSearchParams) => Link | null): Link | null | undefined {
  const [link, setLink] = useState<Link | null>();
  useLayoutEffect(() => {
    const take = () => {
      const found = read(new URLSearchParams(window.location.hash.slice(1)));
      setLink((before) => found ?? before ?? null);
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
  }, [read]);
  return link;
}

/** Of a page that links of one kind lead to. */
export const useMailToken = (name: string): string | null | undefined =>
  useMailLink(useCallback((hash: URLSearchParams) => hash.get(name), [name]));
