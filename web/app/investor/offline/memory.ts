import { QueryCache, QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { ApiRefusal, ApiUnreachable } from '../../api.ts';
import { createKeeper, forgetOthers, readFigures } from './kept-figures.ts';
import { awaitFirstAnswer, noteAnswer, useIsAway } from './reach.ts';

/** Not the code of a chart, for example, which comes from the browser's own cache. */
const isOfServer = (key: readonly unknown[]) => String(key[0]).startsWith('/api/');

/** A fault of the server's own is a 500; any other without its code is of what stands before it, like a proxy's 502. */
function whoAnswered(error: Error): 'server' | 'another' | 'nobody' {
  if (error instanceof ApiUnreachable) return 'nobody';
  const isForeign = error instanceof ApiRefusal && error.code === 'internal' && error.status !== 500;
  return isForeign ? 'another' : 'server';
}

function createMemory(userId: string) {
  const keeper = createKeeper(userId);
  const queryCache = new QueryCache({
    onSuccess(data, { queryKey, state }) {
      if (!isOfServer(queryKey)) return;
      noteAnswer('server');
      keeper.keep(queryKey, data, state.dataUpdatedAt);
    },
    onError(error, { queryKey }) {
      if (isOfServer(queryKey)) noteAnswer(whoAnswered(error));
    },
  });
  // Asked without a connection, too: what then fails says so, instead of loading for ever.
  const queries = { networkMode: 'always', refetchOnReconnect: true } as const;
  return { client: new QueryClient({ queryCache, defaultOptions: { queries } }), settle: keeper.settle };
}

/** What one person was told, in this tab and without a connection. */
export function useMemoryOf(userId: string): QueryClient {
  const { client, settle } = useMemo(() => createMemory(userId), [userId]);
  const isAway = useIsAway();

  // Another tab may have signed out in the very moment in which this one wrote.
  useEffect(() => forgetOthers(userId), [userId]);

  useEffect(() => {
    if (!isAway) return;
    for (const { key, data, at } of readFigures(userId, Date.now())) {
      if (client.getQueryData(key) === undefined) client.setQueryData(key, data, { updatedAt: at });
    }
  }, [client, isAway, userId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: of each person the first answer is awaited
  useEffect(awaitFirstAnswer, [client]);

  useEffect(() => {
    const leave = () => document.hidden && settle(Date.now());
    document.addEventListener('visibilitychange', leave);
    return () => document.removeEventListener('visibilitychange', leave);
  }, [settle]);

  return client;
}
