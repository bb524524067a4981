import { useQuery } from '@tanstack/react-query';
import { logFailure } from '../../log.ts';
import { plansFailure, readPlans } from './plan-offer.ts';

export function usePlans() {
  return useQuery({
    queryKey: ['plans'],
    queryFn: async () => {
      try {
        return await readPlans();
      } catch (error) {
        logFailure(plansFailure, error);
        throw error;
      }
    },
    retry: false,
  });
}
