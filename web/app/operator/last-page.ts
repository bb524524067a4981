import { useEffect } from 'react';
import { addressOfPage } from '../domain/lists/list-address.ts';

interface Paged {
  data: { pages: number } | undefined;
  isPlaceholderData: boolean;
}

/** An address from yesterday may name a page that is gone: it becomes the last one there is. */
export function useLastPage(
  { data, isPlaceholderData }: Paged,
  page: number,
  change: (changes: Record<string, string>, how: { replace: boolean }) => void,
): number {
  const pages = data?.pages ?? 1;
  const isKnown = data !== undefined && !isPlaceholderData;
  useEffect(() => {
    if (isKnown && page > pages) change({ page: addressOfPage(pages) }, { replace: true });
  }, [isKnown, page, pages, change]);
  return pages;
}
