import { type FundingRequest, fetchrequests } from '@tallystick/contract/funding';
import { useEffect, useRef } from 'react';
import { callApi } from '../../api.ts';
import { usd } from '../../domain/money/amount.ts';
import { orLog } from '../../log.ts';
import { toastSuccess } from '../../ui/overlays/toast.tsx';

/** A deposit that is added waits no more, and its row goes: why it went is said. */
export function useTellAdded(waiting: readonly FundingRequest[] | undefined): void {
  const before = useRef<readonly FundingRequest[]>([]);
  useEffect(() => {
    if (!waiting) return;
    const ids = new Set(waiting.map(({ _id }) => _id));
    const gone = before.current.filter(({ _id }) => !ids.has(_id));
    before.current = waiting;
    for (const { transactionid } of gone) tellIfAdded(transactionid).catch(() => {});
  }, [waiting]);
}

/** It may only have moved to the next page, or have been rejected. */
async function tellIfAdded(transactionid: string): Promise<void> {
  const asked = callApi(
    fetchrequests,
    { query: { transaction: transactionid } },
    { inTurn: true, background: true },
  );
  const [request] = (await orLog('Error fetching funding requests:', asked)).request;
  if (request?.status !== 'confirmed' || request.received === null) return;
  toastSuccess('Added', `${usd(request.received)} is in your balance. ${request.fundingtype} deposit.`);
}
