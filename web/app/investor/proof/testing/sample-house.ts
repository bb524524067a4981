import type { Amounts } from '@tallystick/verify/books';
import { utf8 } from '@tallystick/verify/bytes';
import type { ChainLine } from '@tallystick/verify/chain';
import { leafHash, rootOf } from '@tallystick/verify/merkle';
import type { Terms } from '@tallystick/verify/terms';
import { growTree, type Planted } from '@tallystick/verify/testing/liability-tree';
import { chainOf } from '@tallystick/verify/testing/sample-proof';
import { checkpointNote, testKey } from '@tallystick/verify/testing/signing';
import { bundlesOf, tilesOf } from '@tallystick/verify/testing/tree';
import type { AccountKind, Remembered, Sources } from '../gather.ts';

/** For tests alone: a small house with one reader, whose every part can be told a lie about. */

export const email = 'ada@example.org';
const origin = 'tallystick.test/log';
const time = '2026-11-16T00:04:00Z';
const log = testKey(origin);

const terms: Terms = {
  transactionid: 'TS-2',
  plan: 'Starter',
  amountCents: 150_000n,
  points: 80,
  days: 30,
  profitCents: 1_200n,
  openedAt: '2026-11-09T10:00:00.000Z',
  maturesAt: '2026-12-09T10:00:00.000Z',
  settledAt: null,
};

/** 6 days, 14 hours and 4 minutes of 30 days. */
const accrued = 263n;
export const owned: Amounts = [330_000n, 150_000n, accrued, 20_000n];

interface Lies {
  /** What the total counts as the reader's. */
  counted?: Amounts;
  /** What is told of the wallet. */
  wallet?: ChainLine[];
  /** What the log had before the statement. */
  past?: string[];
  /** What is told of the statement's text beside the log. */
  isLeftOut?: boolean;
  hasStatement?: boolean;
  isSigned?: boolean;
  madeFor?: string;
  witnesses?: { name: string; sample: boolean; signs: boolean }[];
  stopped?: string;
}

const past = ['plan/v1\ntime 2026-03-01T09:00:00Z\n', 'audit/v1\ntime 2026-03-02T00:00:00Z\n'];
export const wallet = (more: Parameters<typeof chainOf>[1] = []) =>
  chainOf('wallet-1', [
    ['2026-11-08T09:30:00.000Z', 'TS-1', 'Bitcoin', 500_000n],
    ['2026-11-09T10:00:00.000Z', 'TS-2', 'Investment', -150_000n],
    ['2026-11-10T10:00:00.000Z', 'TS-3', 'Withdrawal', -20_000n],
    ...more,
  ]);

const halves = ([one, ...rest]: Amounts): [Amounts, Amounts] => [
  [one - 7n, ...rest],
  [7n, 0n, 0n, 0n],
];

function chainsOf(lies: Lies): Record<AccountKind, { account: string; lines: ChainLine[] }> {
  return {
    wallet: { account: 'wallet-1', lines: lies.wallet ?? wallet() },
    invested: {
      account: 'invested-1',
      lines: chainOf('invested-1', [['2026-11-09T10:00:00.000Z', 'TS-2', 'Investment', 150_000n]]),
    },
    withdrawing: {
      account: 'withdrawing-1',
      lines: chainOf('withdrawing-1', [['2026-11-10T10:00:00.000Z', 'TS-3', 'Withdrawal', 20_000n]]),
    },
  };
}

export function sampleHouse(lies: Lies = {}) {
  const tree = growTree({ origin, number: 1, time }, planted(lies.counted ?? owned));
  const statement = `books/v1\nnumber 1\ntime ${time}\nunit USD-cents\ndepth 2\nroot ${Buffer.from(tree.top.hash).toString('hex')}\nowed ${tree.top.amounts.join(' ')}\ndue later ${tree.top.amounts[1]} 0\ncoverage unknown\n`;
  const hasStatement = lies.hasStatement ?? true;
  const entries = [...(lies.past ?? past), ...(hasStatement ? [statement] : [])];
  const hashes = entries.map((entry) => leafHash(utf8(entry)));
  const files = new Map([...tilesOf(hashes), ...bundlesOf(entries)]);
  const witnesses = (lies.witnesses ?? [{ name: 'witness.test', sample: false, signs: true }]).map((one) => ({
    ...one,
    key: testKey(one.name, 'cosignature'),
  }));
  const signing = witnesses.filter(({ signs }) => signs).map(({ key }) => key);
  const checkpoint = checkpointNote(log, { size: entries.length, root: rootOf(hashes) }, signing);
  const sources: Sources = {
    readState: async () => ({
      origin,
      vkey: log.vkey,
      size: entries.length,
      signedat: '2026-11-16T00:05:00.000Z',
      witnesses: witnesses.map(({ name, sample, signs, key }) => ({
        name,
        sample,
        vkey: key.vkey,
        size: signs ? entries.length : null,
        at: signs ? '2026-11-16T00:05:01.000Z' : null,
      })),
      stopped: lies.stopped ?? null,
    }),
    readStatements: async () =>
      hasStatement
        ? [
            {
              number: 1,
              time,
              place: entries.length - 1,
              owed: tree.top.amounts.map(String) as [string, string, string, string],
              held: null,
              typed: null,
            },
          ]
        : [],
    readMine: async () =>
      lies.isLeftOut
        ? null
        : {
            id: lies.madeFor ?? email,
            secret: '11'.repeat(32),
            pieces: [1, 3].map((at) => tree.pieceAt(at)),
          },
    readChain: async (kind) => chainsOf(lies)[kind],
    readInvestments: async () => [terms],
    readCheckpoint: async () => ((lies.isSigned ?? true) ? checkpoint : null),
    readLog: async (path) => {
      const bytes = files.get(path);
      if (!bytes) throw new Error(`there is no ${path}`);
      return bytes;
    },
  };
  return { sources, checkpoint, vkey: log.vkey };
}

function planted(counted: Amounts): Planted[] {
  const [larger, smaller] = halves(counted);
  const own = { secret: '11'.repeat(32), id: email, pieces: 2 };
  return [
    { secret: '22'.repeat(32), id: 'bob@example.org', piece: 0, pieces: 1, amounts: [50n, 0n, 0n, 7_000n] },
    { ...own, piece: 0, amounts: larger },
    { secret: '33'.repeat(32), id: '', piece: 0, pieces: 1, amounts: [0n, 0n, 0n, 0n] },
    { ...own, piece: 1, amounts: smaller },
  ];
}

export const nothingKnown: Remembered = {
  log: null,
  accounts: { wallet: null, invested: null, withdrawing: null },
};
