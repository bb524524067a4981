import type { Call, CallInput } from '@tallystick/contract/call';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiRefusal, callApi } from '../api.ts';
import { logFailure } from '../log.ts';

const refreshMs = 5_000;

/**
 * What the server says, asked again every few seconds while the screen is visible. Only the first question counts as
 * the reader's own: those that follow must not keep a session alive. A failure is logged under the given words.
 */
export function useLive<C extends Call>(call: C, input: CallInput<C>, words: string) {
  return useQuery({
    queryKey: [call.path, input],
    queryFn: async ({ client, queryKey }) => {
      const background = client.getQueryData(queryKey) !== undefined;
      try {
        return await callApi(call, input, { background });
      } catch (error) {
        // An ended session is no failure to report: the guard is already leading to the sign-in.
        if (!(error instanceof ApiRefusal && error.code === 'unauthenticated')) logFailure(words, error);
        throw error;
      }
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** After an action of one's own nobody waits for the next round. */
export function useRefreshAll(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}
