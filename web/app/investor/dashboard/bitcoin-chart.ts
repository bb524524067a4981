import { priceRefreshSeconds, priceSourceHeader } from '@tallystick/contract/networks';
import { bitcoinChart } from '@tallystick/contract/prices';
import { useQuery } from '@tanstack/react-query';
import { callApiWithHeaders } from '../../api.ts';
import { orLog } from '../../log.ts';
import { ownTask } from '../../turns.ts';

/** Bitcoin's last 30 days. */
export function useBitcoinChart() {
  return useQuery({
    queryKey: ['prices', 'bitcoin chart and its source'],
    queryFn: async () => {
      await ownTask();
      const reading = callApiWithHeaders(bitcoinChart, {});
      const { answer, headers } = await orLog('Error fetching crypto rates:', reading);
      return { chart: answer, isSample: headers.get(priceSourceHeader) === 'sample' };
    },
    refetchInterval: priceRefreshSeconds * 1000,
    staleTime: priceRefreshSeconds * 1000,
    retry: false,
  });
}

/** The drawing library is large and nobody else needs it: it is fetched when the chart is about to be seen. */
export function useBitcoinPlot(isNear: boolean) {
  return useQuery({
    enabled: isNear,
    queryKey: ['code of the bitcoin plot'],
    queryFn: async () => (await import('./bitcoin-plot.tsx')).BitcoinPlot,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  });
}
