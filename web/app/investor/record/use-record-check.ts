import { type ChainEntry, entries } from '@tallystick/contract/ledger';
import type { ChainLine, ChainLink, Followed } from '@tallystick/verify/chain';
import { useQuery } from '@tanstack/react-query';
import { callApi, isSessionOver } from '../../api.ts';
import { centsOf } from '../../domain/money/amount.ts';
import { logFailure } from '../../log.ts';
import { readStored, writeStored } from '../../storage.ts';
import { ownTask } from '../../turns.ts';
import type { FollowOrder } from './chain-worker.ts';
import { checkRecord, type Mismatch, type Outcome, type RecordPage } from './check.ts';

const pageLimit = 1000;

export interface ShownBalance {
  availableCents: bigint;
  head: { seq: number; hash: string };
}

export type RecordState =
  | { kind: 'checking' }
  | { kind: 'unchecked'; retry: (() => void) | null }
  | { kind: 'match'; count: number; at: string }
  | { kind: 'mismatch'; why: Mismatch | { kind: 'other sum' } };

/** Checks when the screen opens, and again whenever the server names another head. */
export function useRecordCheck(userId: string, shown: ShownBalance | undefined): RecordState {
  const { data, isError, dataUpdatedAt, refetch, isFetching } = useQuery({
    queryKey: ['record', userId, shown?.head.seq, shown?.head.hash],
    queryFn: () => check(userId),
    enabled: shown !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    // Links hold bigints, which the comparison by JSON cannot read.
    structuralSharing: false,
  });
  if (isError && !isFetching) return { kind: 'unchecked', retry: () => void refetch() };
  if (!data || !shown) return { kind: 'checking' };
  if (data.kind === 'mismatch') return data;
  const { link } = data;
  if (link?.seq === shown.head.seq && link.balanceCents !== shown.availableCents) {
    return { kind: 'mismatch', why: { kind: 'other sum' } };
  }
  return { kind: 'match', count: link?.seq ?? 0, at: new Date(dataUpdatedAt).toISOString() };
}

async function check(userId: string): Promise<Outcome> {
  // A worker takes a while to be made.
  await ownTask();
  const { follow, stop } = startFollower();
  try {
    const outcome = await checkRecord({ remembered: readRemembered(userId), readPage, follow });
    if (outcome.kind === 'match' && outcome.link) remember(userId, outcome.link);
    if (outcome.kind === 'mismatch') logFailure('The record does not match:', outcome.why);
    return outcome;
  } catch (error) {
    if (!isSessionOver(error)) logFailure('The record could not be checked:', error);
    throw error;
  } finally {
    stop();
  }
}

async function readPage(after: number): Promise<RecordPage> {
  const page = await callApi(
    entries,
    { query: { after, limit: pageLimit } },
    { background: true, inTurn: true },
  );
  return { lines: page.entries.map(lineOf), head: page.head };
}

export function lineOf({ amount, balanceafter, ...rest }: ChainEntry): ChainLine {
  return { ...rest, amountCents: centsOf(amount), balanceAfterCents: centsOf(balanceafter) };
}

/** What this browser has found good, so that nobody can rewrite it unseen. One per person: a browser may be shared. */
export function readRemembered(userId: string): ChainLink | null {
  try {
    const { account, seq, hash, balanceCents } = JSON.parse(readStored(`record:${userId}`) ?? 'null');
    if (typeof account !== 'string' || !Number.isSafeInteger(seq) || !/^[0-9a-f]{64}$/.test(hash))
      return null;
    return { account, seq, hash, balanceCents: BigInt(balanceCents) };
  } catch {
    return null;
  }
}

export function remember(userId: string, link: ChainLink): void {
  writeStored(`record:${userId}`, JSON.stringify({ ...link, balanceCents: String(link.balanceCents) }));
}

/** Follows chains in a worker, one order after the other. */
function startFollower() {
  const worker = new Worker(new URL('./chain-worker.ts', import.meta.url), { type: 'module' });
  return {
    follow(from: ChainLink, lines: ChainLine[]): Promise<Followed> {
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Followed>) => resolve(data);
        worker.onerror = (event) => reject(new Error(`The record was not recomputed: ${event.message}`));
        worker.postMessage({ from, lines } satisfies FollowOrder);
      });
    },
    stop: () => worker.terminate(),
  };
}
