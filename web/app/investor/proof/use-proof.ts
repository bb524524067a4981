import { fetchsingleinvestment, type Investment } from '@tallystick/contract/investment';
import { entries } from '@tallystick/contract/ledger';
import { mine, state, statements } from '@tallystick/contract/proof';
import type { ChainLine } from '@tallystick/verify/chain';
import { openCheckpoint } from '@tallystick/verify/note';
import { isWrong } from '@tallystick/verify/plain';
import type { ProofFile, Step } from '@tallystick/verify/proof-file';
import { accountKinds } from '@tallystick/verify/proof-shape';
import type { Terms } from '@tallystick/verify/terms';
import { useQuery } from '@tanstack/react-query';
import { ApiRefusal, callApi, isSessionOver, readOpen } from '../../api.ts';
import { centsOf } from '../../domain/money/amount.ts';
import { logFailure } from '../../log.ts';
import { readStored, writeStored } from '../../storage.ts';
import { lineOf, readRemembered, remember } from '../record/use-record-check.ts';
import {
  type AccountKind,
  type Gathered,
  gather,
  type OtherKey,
  type Remembered,
  type Sources,
} from './gather.ts';
import type { CheckOrder } from './proof-worker.ts';
import { type ShownProof, shownProof } from './shown.ts';

export interface Checked {
  shown: ShownProof;
  file: ProofFile;
}

/** Recomputes the proof when the screen opens, and when the reader asks again. */
export function useProof({ userId, email }: { userId: string; email: string }) {
  return useQuery({
    queryKey: ['proof', userId],
    queryFn: () => check(userId, email),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
    // Amounts are bigints, which the comparison by JSON cannot read.
    structuralSharing: false,
  });
}

async function check(userId: string, email: string): Promise<Checked> {
  try {
    const remembered = readAllRemembered(userId);
    const gathered = await gather(sourcesOf(userId), remembered, new Date());
    const steps = await inWorker({
      file: gathered.file,
      id: email,
      trust: { vkey: remembered.log?.vkey ?? null, witnesses: null },
    });
    const shown = shownProof(gathered, steps, email);
    const broken = shown.steps.filter(({ state }) => state === 'broken');
    if (broken.length > 0) logFailure('The proof is broken:', broken);
    rememberGood(userId, gathered, broken);
    return { shown, file: gathered.file };
  } catch (error) {
    if (!isSessionOver(error)) logFailure('The proof could not be checked:', error);
    throw error;
  }
}

function inWorker(order: CheckOrder): Promise<Step[]> {
  const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Step[]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Step[]>) => resolve(data);
    worker.onerror = (event) => reject(new Error(`The proof was not recomputed: ${event.message}`));
    worker.postMessage(order);
  }).finally(() => worker.terminate());
}

const own = { inTurn: true } as const;
const pageLimit = 1000;

const sourcesOf = (userId: string): Sources => ({
  readState: () => callApi(state, {}, own),
  readStatements: async () => (await callApi(statements, { query: {} }, own)).statements,
  readMine: (number) => orNone(callApi(mine, { query: { number: String(number) } }, own)),
  readChain,
  readInvestments: async () => {
    const { investment } = await callApi(
      fetchsingleinvestment,
      { params: { userid: userId }, query: {} },
      own,
    );
    return investment.map(termsOf);
  },
  readCheckpoint: () => orNone(readOpen('/log/checkpoint').then((answer) => answer.text())),
  readLog: async (path) => new Uint8Array(await (await readOpen(`/log/${path}`)).arrayBuffer()),
});

/** Nothing of the kind is there yet: no failure. */
async function orNone<Found>(reading: Promise<Found>): Promise<Found | null> {
  return reading.catch((error) => {
    if (error instanceof ApiRefusal && error.status === 404) return null;
    throw error;
  });
}

/** From the first entry on: what was known before is compared, and does not replace it. */
async function readChain(kind: AccountKind) {
  const lines: ChainLine[] = [];
  for (;;) {
    const query = { account: kind, after: String(lines.length), limit: String(pageLimit) };
    const page = await callApi(entries, { query }, own);
    lines.push(...page.entries.map(lineOf));
    if (page.entries.length === 0 || lines.length >= page.head.seq)
      return { account: page.head.account, lines };
  }
}

const termsOf = (one: Investment): Terms => ({
  transactionid: one.investmentransactionid,
  plan: one.planname,
  amountCents: centsOf(one.investinvestmemntamount),
  points: Math.round(one.roi * 100),
  days: one.duration,
  profitCents: centsOf(one.profit),
  openedAt: one.openedat,
  maturesAt: one.maturesat,
  settledAt: one.settledat,
});

/** The wallet's is the one that the dashboard keeps, too. */
const memoryOf = (userId: string, kind: AccountKind) => (kind === 'wallet' ? userId : `${userId}:${kind}`);

function readAllRemembered(userId: string): Remembered {
  const knownOf = (kind: AccountKind) => {
    const link = readRemembered(memoryOf(userId, kind));
    return link && { seq: link.seq, hash: link.hash };
  };
  return {
    log: readLog(),
    accounts: {
      wallet: knownOf('wallet'),
      invested: knownOf('invested'),
      withdrawing: knownOf('withdrawing'),
    },
  };
}

/** The state of the log that this browser knows. One for all who use it: there is one log. */
function readLog(): Remembered['log'] {
  try {
    const { vkey, checkpoint } = JSON.parse(readStored('log') ?? 'null');
    return typeof vkey === 'string' && typeof checkpoint === 'string' ? { vkey, checkpoint } : null;
  } catch {
    return null;
  }
}

/** Only on the reader's word, who has compared the key elsewhere, and only for a log that goes on. */
export function rememberNewKey(otherKey: OtherKey | null, { checkpoint }: ProofFile): boolean {
  if (!otherKey?.isContinued) return false;
  writeStored('log', JSON.stringify({ vkey: otherKey.told, checkpoint }));
  return true;
}

/** Only what was found good takes the place of what was known: a break stays one, however often it is looked at. */
function rememberGood(userId: string, { file, checkpoint }: Gathered, broken: readonly Step[]): void {
  const isGood = (name: Step['name']) => broken.every((step) => step.name !== name);
  if (isGood('chains')) {
    for (const kind of accountKinds) {
      const { account, lines } = file.accounts[kind];
      const last = lines.at(-1);
      if (!account || !last) continue;
      const { seq, hash, balanceAfterCents: balanceCents } = last;
      remember(memoryOf(userId, kind), { account, seq, hash, balanceCents });
    }
  }
  const isSigned = checkpoint && !isWrong(checkpoint) && !isWrong(openCheckpoint(file.checkpoint, file.vkey));
  if (isSigned && isGood('log') && isGood('consistency')) {
    writeStored('log', JSON.stringify({ vkey: file.vkey, checkpoint: file.checkpoint }));
  }
}
