import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router';

const pageMax = 1_000_000;

/** Whatever someone wrote into the address bar, a page is a whole number from one. */
export function pageOf(text: string | null): number {
  if (!text || !/^\d{1,7}$/.test(text)) return 1;
  return Math.min(Math.max(Number(text), 1), pageMax);
}

/** Empty values leave the address, so that a list without wishes has a clean one. */
export function changed(params: URLSearchParams, changes: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

/** A list's wishes live in the address: search, filter and page survive a reload, the back button and a shared link. */
export function useListAddress() {
  const [params, setParams] = useSearchParams();

  /** `replace` while someone types: the back button then leaves the search at once instead of letter by letter. */
  const change = useCallback(
    (changes: Record<string, string>, { replace = false } = {}) =>
      setParams((now) => changed(now, changes), { replace, preventScrollReset: true }),
    [setParams],
  );
  return { params, change };
}

export const addressOfPage = (page: number) => (page > 1 ? String(page) : '');

interface Paged {
  data: { pages?: number | undefined } | undefined;
  isPlaceholderData: boolean;
}

/** How many pages a list has. An address from yesterday may name one that is gone: it becomes the last there is. */
export function useLastPage(
  { data, isPlaceholderData }: Paged,
  page: number,
  change: ReturnType<typeof useListAddress>['change'],
  name = 'page',
): number {
  const pages = data?.pages ?? 1;
  const isKnown = data !== undefined && !isPlaceholderData;
  useEffect(() => {
    if (isKnown && page > pages) change({ [name]: addressOfPage(pages) }, { replace: true });
  }, [isKnown, page, pages, change, name]);
  return pages;
}
