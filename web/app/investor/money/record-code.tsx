import { fetchbalance } from '@tallystick/contract/funding';
import { useLive } from '../../domain/live.ts';
import { Mono } from './success.tsx';

/** The newest entries, which both the dashboard and a receipt show. */
export function useNewestEntries() {
  return useLive(fetchbalance, { query: { page: '1' } }, 'Error fetching balance:');
}

/** The code of an entry that was written a moment ago. */
export function RecordCode({ transactionid }: { transactionid: string }) {
  const { data } = useNewestEntries();
  const entry = data?.balance.find((one) => one.transactionid === transactionid);
  return entry ? <Mono>{entry.recordcode}</Mono> : <span className="font-normal text-3">being read</span>;
}
