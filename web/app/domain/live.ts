import type { Call, CallInput } from '@tallystick/contract/call';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi, isSessionOver } from '../api.ts';
import { logFailure } from '../log.ts';

export const refreshMs = 5_000;

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
        return await callApi(call, input, { background, inTurn: true });
      } catch (error) {
        if (!isSessionOver(error)) logFailure(words, error);
        throw error;
      }
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
