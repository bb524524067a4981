import { useCallback } from 'react';
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
  return {
    params,
    change,
    page: pageOf(params.get('page')),
    search: (params.get('search') ?? '').slice(0, 100),
  };
}

type Wished<Wishes> = { [Name in keyof Wishes]?: Exclude<Wishes[Name], ''> };

/** What is really wished for: a search of nothing but spaces is none. */
export function wishesOf<const Wishes extends Record<string, string>>(wishes: Wishes): Wished<Wishes> {
  const trimmed = Object.entries(wishes).map(([name, value]) => [name, value.trim()]);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== '')) as Wished<Wishes>;
}
