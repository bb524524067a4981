import type { Network } from '@tallystick/contract/networks';
import { previewkey } from '@tallystick/contract/operator/methods';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiRefusal, callApi } from '../../api.ts';

const pauseMs = 300;

/** A value as it stood when it last rested. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** What the server makes of a key while it is typed: its first addresses, or what is wrong with it. */
export function useKeyPreview(network: Network | null, typed: string) {
  const key = typed.trim();
  const rested = useRested(key);
  const { data, error } = useQuery({
    queryKey: [previewkey.path, network, rested],
    queryFn: async () => network && callApi(previewkey, { body: { network, key: rested } }, { inTurn: true }),
    enabled: network !== null && rested !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (key === '' || key !== rested) return { preview: null, wrong: undefined };
  return { preview: data ?? null, wrong: error ? wrongOf(error) : undefined };
}

export type KeyPreview = ReturnType<typeof useKeyPreview>;

const wrongOf = (error: Error): string =>
  error instanceof ApiRefusal && error.status < 500
    ? error.message
    : 'The addresses of this key could not be fetched, so it cannot be asked for now.';
