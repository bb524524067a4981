import { createHash } from 'node:crypto';
import { hexOf, utf8 } from '../bytes.ts';
import type { ChainLine } from '../chain.ts';
import { leafHash, rootOf } from '../merkle.ts';
import type { ProofFile } from '../proof-file.ts';
import { growTree, type Planted } from './liability-tree.ts';
import { checkpointNote, testKey } from './signing.ts';
import { consistencyProof, inclusionProof } from './tree.ts';

/** For tests alone: a small house with one investor, and the proof that she saves. Everything in it can be changed. */

export const log = testKey('tallystick.test/log');
export const witness = testKey('witness.example/w1', 'cosignature');
export const adasId = 'ada@example.org';

type Posted = readonly [at: string, transactionid: string, label: string, cents: bigint];

export function chainOf(account: string, posted: readonly Posted[]): ChainLine[] {
  let [hash, balance] = ['0'.repeat(64), 0n];
  return posted.map(([at, transactionid, fundingtype, amountCents], index) => {
    balance += amountCents;
    const seq = index + 1;
    const text = ['tallystick entry 1', account, seq, at, transactionid, fundingtype, amountCents, balance];
    hash = createHash('sha256')
      .update([hash, ...text].join('\n'))
      .digest('hex');
    const recordcode = `${hash.slice(0, 4)} ${hash.slice(4, 8)}`;
    return { seq, at, transactionid, fundingtype, amountCents, balanceAfterCents: balance, hash, recordcode };
  });
}

const times = {
  deposit: '2026-03-02T09:15:00.000Z',
  investment: '2026-03-02T09:40:12.345Z',
  withdrawal: '2026-03-05T18:03:27.500Z',
  later: '2026-03-20T10:00:00.000Z',
};

const accounts = () => ({
  wallet: {
    account: '3f2a8c1e-7d54-4b6f-9a10-5c2e8d7b4f61',
    known: null,
    lines: chainOf('3f2a8c1e-7d54-4b6f-9a10-5c2e8d7b4f61', [
      [times.deposit, 'TS-7K4M-9XQ2', 'Bitcoin', 100_000n],
      [times.investment, 'TS-H3VB-62ND', 'Investment', -15_031n],
      [times.withdrawal, 'TS-9PYF-M4KC', 'Withdrawal', -30_000n],
      [times.later, 'TS-AAAA-2222', 'Bitcoin', 5_000n],
    ]),
  },
  invested: {
    account: '4f2a8c1e-7d54-4b6f-9a10-5c2e8d7b4f62',
    known: null,
    lines: chainOf('4f2a8c1e-7d54-4b6f-9a10-5c2e8d7b4f62', [
      [times.investment, 'TS-H3VB-62ND', 'Investment', 15_031n],
    ]),
  },
  withdrawing: {
    account: '5f2a8c1e-7d54-4b6f-9a10-5c2e8d7b4f63',
    known: null,
    lines: chainOf('5f2a8c1e-7d54-4b6f-9a10-5c2e8d7b4f63', [
      [times.withdrawal, 'TS-9PYF-M4KC', 'Withdrawal', 30_000n],
    ]),
  },
});

/** What is owed to Ada at the statement's time: 14 of 30 days have passed since she invested, less a moment. */
const owed = {
  time: '2026-03-16T09:40:00Z',
  wallet: 54_969n,
  invested: 15_031n,
  profit: 55n,
  withdrawing: 30_000n,
};

const secrets = { ada: '11'.repeat(32), bob: '22'.repeat(32), pad: '33'.repeat(32) };
const planted: Planted[] = [
  { secret: secrets.bob, id: 'bob@example.org', piece: 0, pieces: 1, amounts: [50n, 0n, 0n, 7000n] },
  { secret: secrets.ada, id: adasId, piece: 0, pieces: 2, amounts: [54_000n, 15_031n, 0n, 0n] },
  { secret: secrets.pad, id: '', piece: 0, pieces: 1, amounts: [0n, 0n, 0n, 0n] },
  { secret: secrets.ada, id: adasId, piece: 1, pieces: 2, amounts: [969n, 0n, 55n, 30_000n] },
];
const tree = growTree({ origin: log.name, number: 3, time: owed.time }, planted);

export const booksText = `books/v1
number 3
time ${owed.time}
unit USD-cents
depth 2
root ${hexOf(tree.top.hash)}
owed ${tree.top.amounts.join(' ')}
due 2026-03-30 15031 120
coverage unknown
`;

/** The log: a few entries before the statement and some after it. */
export const logEntries = [
  ...Array.from(
    { length: 5 },
    (_, at) => `freeze/v1\ntime 2026-03-0${at + 1}T00:00:00Z\nscope books\nstate on\n`,
  ),
  booksText,
  ...['on', 'off'].map((state) => `freeze/v1\ntime 2026-03-17T00:00:00Z\nscope books\nstate ${state}\n`),
];

export function headOf(entries: readonly string[], witnesses = [witness]): string {
  const hashes = entries.map((entry) => leafHash(utf8(entry)));
  return checkpointNote(log, { size: hashes.length, root: rootOf(hashes) }, witnesses);
}

export function sampleProof(): ProofFile {
  const hashes = logEntries.map((entry) => leafHash(utf8(entry)));
  const place = logEntries.indexOf(booksText);
  const knownSize = 4;
  return {
    format: 'tallystick/proof/v1',
    saved: '2026-03-20T12:00:00.000Z',
    vkey: log.vkey,
    witnesses: [witness.vkey],
    checkpoint: headOf(logEntries),
    known: {
      checkpoint: headOf(logEntries.slice(0, knownSize)),
      consistency: consistencyProof(hashes, knownSize).map(hexOf),
    },
    entry: { place, text: booksText, inclusion: inclusionProof(hashes, place).map(hexOf) },
    liabilities: { secret: secrets.ada, pieces: [tree.pieceAt(1), tree.pieceAt(3)] },
    accounts: accounts(),
    investments: [
      {
        transactionid: 'TS-H3VB-62ND',
        plan: 'Starter',
        amountCents: 15_031n,
        points: 80,
        days: 30,
        profitCents: 120n,
        openedAt: times.investment,
        maturesAt: '2026-04-01T09:40:12.345Z',
        settledAt: null,
      },
    ],
  };
}
