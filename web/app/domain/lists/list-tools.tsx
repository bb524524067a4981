import { type ComponentProps, useEffect } from 'react';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { pageOf, useListAddress } from './list-address.ts';

/** Another search begins at the beginning, which `from` names in the address. */
export function ListSearch({ label, from = 'page' }: { label: string; from?: 'page' | 'before' }) {
  const { search, change } = useListAddress();
  const onSearch = (text: string) => change({ search: text, [from]: '' }, { replace: true });
  return <SearchField label={label} value={search} onSearch={onSearch} />;
}

interface ListPagerProps extends Pick<ComponentProps<typeof Pager>, 'label' | 'size' | 'within'> {
  query: {
    data: { pages?: number | undefined; total?: number | undefined } | undefined;
    isPlaceholderData: boolean;
  };
  /** What the address calls the page, where it tells of several lists. */
  name?: string;
  /** One page alone needs no pager. */
  isForMany?: boolean;
}

const addressOfPage = (page: number) => (page > 1 ? String(page) : '');

/** The page is the address's. One from yesterday may name a page that is gone: it becomes the last there is. */
export function ListPager({ query, name = 'page', isForMany = false, ...pager }: ListPagerProps) {
  const { params, change } = useListAddress();
  const { data, isPlaceholderData } = query;
  const page = pageOf(params.get(name));
  const pages = data?.pages ?? 1;
  const isKnown = data !== undefined && !isPlaceholderData;
  useEffect(() => {
    if (isKnown && page > pages) change({ [name]: addressOfPage(pages) }, { replace: true });
  }, [isKnown, page, pages, change, name]);

  if (isForMany && pages === 1) return null;
  return (
    <Pager
      // A new one when the rows come: it has its place from then on, and never moves.
      key={data ? 'known' : 'waiting'}
      {...pager}
      page={page}
      pages={pages}
      total={data?.total ?? null}
      onPage={(to) => change({ [name]: addressOfPage(to) })}
    />
  );
}
