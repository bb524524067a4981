import { fetchpaymentmethod } from '@tallystick/contract/funding';
import { fetchallwithdrawal } from '@tallystick/contract/withdrawal';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callApi } from '../../api.ts';
import { plansFailure, readPlans } from '../../domain/plans/plan-offer.ts';
import { orLog } from '../../log.ts';
import { QuietNotice } from '../../ui/facts/notice.tsx';
import { Failed } from '../../ui/lists/empty.tsx';
import { Skeleton } from '../../ui/lists/skeleton.tsx';

export const usePaymentMethods = () => useOffer('payment methods', () => callApi(fetchpaymentmethod, {}));

export const useWithdrawalMethods = () =>
  useOffer('withdrawal methods', () => callApi(fetchallwithdrawal, {}));

function useOffer<T>(name: string, read: () => Promise<{ data: T }>) {
  return useQuery({
    queryKey: [name],
    queryFn: async () => (await orLog(`Error fetching ${name}:`, read())).data,
    retry: false,
  });
}

interface OfferStatesProps<T> {
  query: { data: readonly T[] | undefined; isError: boolean; refetch: () => void };
  ifFailed: string;
  ifNone: string;
  children: (offers: readonly T[]) => ReactNode;
}

/** A form needs its plans or methods first: they are on their way, did not come, are none, or are there. */
export function OfferStates<T>({ query, ifFailed, ifNone, children }: OfferStatesProps<T>) {
  const { data, isError, refetch } = query;
  if (data && data.length > 0) return children(data);
  if (data) return <QuietNotice>{ifNone}</QuietNotice>;
  if (isError) return <Failed onRetry={refetch}>{ifFailed}</Failed>;
  return (
    <div aria-busy="true" className="grid gap-4.5">
      <p className="sr-only">Loading</p>
      <Skeleton className="h-18.5" />
      <Skeleton className="h-18.5" />
      <Skeleton className="h-[54px]" />
    </div>
  );
}

export function usePlans() {
  return useQuery({
    queryKey: ['plans'],
    queryFn: () => orLog(plansFailure, readPlans()),
    retry: false,
  });
}
