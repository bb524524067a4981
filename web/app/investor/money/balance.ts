import { fetchbalance } from '@tallystick/contract/funding';
import { summary } from '@tallystick/contract/ledger';
import type { Cents } from '@tallystick/contract/money';
import { useLive } from '../../domain/live.ts';
import { centsOf } from '../../domain/money/amount.ts';

export function useSummary() {
  return useLive(summary, {}, 'Error fetching balance:');
}

/** What can be spent; null while it is not known. */
export function useAvailable(): Cents | null {
  const { data } = useSummary();
  return data ? centsOf(data.available) : null;
}

/** The newest entries, which both the dashboard and a receipt show. */
export function useNewestEntries() {
  return useLive(fetchbalance, { query: { page: '1' } }, 'Error fetching balance:');
}
