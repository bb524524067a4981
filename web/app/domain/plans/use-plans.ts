import { useQuery } from '@tanstack/react-query';
import { orLog } from '../../log.ts';
import { plansFailure, readPlans } from './plan-offer.ts';

export function usePlans() {
  return useQuery({
    queryKey: ['plans'],
    queryFn: () => orLog(plansFailure, readPlans()),
    retry: false,
  });
}
