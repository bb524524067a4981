import { fetchpaymentmethod } from '@tallystick/contract/funding';
import { fetchallwithdrawal } from '@tallystick/contract/withdrawal';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api.ts';
import { logFailure } from '../../log.ts';

export function usePaymentMethods() {
  return useOffer('payment methods', async () => (await callApi(fetchpaymentmethod, {})).data);
}

export function useWithdrawalMethods() {
  return useOffer('withdrawal methods', async () => (await callApi(fetchallwithdrawal, {})).data);
}

function useOffer<T>(name: string, read: () => Promise<T>) {
  return useQuery({
    queryKey: [name],
    queryFn: async () => {
      try {
        return await read();
      } catch (error) {
        logFailure(`Error fetching ${name}:`, error);
        throw error;
      }
    },
    retry: false,
  });
}
