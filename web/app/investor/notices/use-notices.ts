import { type Notice, notices, readnotices, unreadnotices } from '@tallystick/contract/notices';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callApi, isSessionOver } from '../../api.ts';
import { refreshMs } from '../../domain/live.ts';
import { logFailure } from '../../log.ts';

/** The newest, asked for again every few seconds; older ones when they are wished for, and then all of them more rarely. */
export function useNotices() {
  return useInfiniteQuery({
    queryKey: [notices.path],
    queryFn: async ({ client, queryKey, pageParam }) => {
      const background = pageParam === '' && client.getQueryData(queryKey) !== undefined;
      try {
        const query = pageParam === '' ? {} : { before: pageParam };
        return await callApi(notices, { query }, { background, inTurn: true });
      } catch (error) {
        if (!isSessionOver(error)) logFailure('Error fetching the notices:', error);
        throw error;
      }
    },
    initialPageParam: '',
    getNextPageParam: ({ notices: shown, more }) => (more ? shown.at(-1)?._id : undefined),
    refetchInterval: ({ state }) => refreshMs * (state.data?.pages.length ?? 1),
    retry: false,
  });
}

/** As many as one call names. */
const namedMax = 100;

/**
 * What is on the screen is read. What was new when it came keeps its mark until the screen is left: whoever opens it wants
 * to see what is new. What comes meanwhile is named by nobody and stays unread until it is shown.
 */
export function useReading(shown: readonly Notice[], shownAt: number) {
  const queries = useQueryClient();
  const [wasNew, setWasNew] = useState<ReadonlySet<string>>(new Set());
  const unread = shown
    .filter(({ readat }) => readat === null)
    .map(({ _id }) => _id)
    .slice(0, namedMax)
    .join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: with every answer it is tried again
  useEffect(() => {
    if (unread === '' || document.hidden) return;
    const ids = unread.split(',');
    setWasNew((before) => new Set([...before, ...ids]));
    callApi(readnotices, { body: { ids } }, { background: true }).then(
      (answer) => queries.setQueryData([unreadnotices.path, {}], answer),
      (error) => logFailure('Error marking notices as read:', error),
    );
  }, [unread, shownAt, queries]);

  async function markAll(): Promise<void> {
    const ids = shown.slice(0, namedMax).map(({ _id }) => _id);
    const olderthan = ids.at(-1);
    const answer = await callApi(readnotices, { body: { ids, ...(olderthan && { olderthan }) } });
    queries.setQueryData([unreadnotices.path, {}], answer);
    await queries.invalidateQueries({ queryKey: [notices.path] });
    setWasNew(new Set());
  }

  return { isNew: ({ _id, readat }: Notice) => readat === null || wasNew.has(_id), markAll };
}
