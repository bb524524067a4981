import { createHash } from 'node:crypto';
import {
  beginningOf,
  type ChainLine,
  type ChainLink,
  canonicalText,
  followChain,
} from '@tallystick/verify/chain';
import { describe, expect, it } from 'vitest';
import { checkRecord, type RecordPage } from './check.ts';

const account = 'wallet-1';

function chainOf(amounts: readonly bigint[]): ChainLine[] {
  let [hash, balance] = ['0'.repeat(64), 0n];
  return amounts.map((amountCents, index) => {
    balance += amountCents;
    const line: ChainLine = {
      seq: index + 1,
      at: `2026-11-${String(index + 1).padStart(2, '0')}T00:00:00.000Z`,
      transactionid: `TS-${index + 1}`,
      fundingtype: 'Bitcoin',
      amountCents,
      balanceAfterCents: balance,
      hash: '',
      recordcode: '',
    };
    hash = createHash('sha256')
      .update(`${hash}\n${canonicalText(account, line)}`)
      .digest('hex');
    return { ...line, hash, recordcode: `${hash.slice(0, 4)} ${hash.slice(4, 8)}` };
  });
}

function linkAt(lines: readonly ChainLine[], seq: number): ChainLink {
  const line = lines[seq - 1];
  if (!line) return beginningOf(account);
  return { account, seq, hash: line.hash, balanceCents: line.balanceAfterCents };
}

interface Served {
  lines: readonly ChainLine[];
  head?: Partial<RecordPage['head']>;
  perPage?: number;
}

function check(remembered: ChainLink | null, { lines, head, perPage = 2 }: Served) {
  const last = linkAt(lines, lines.length);
  return checkRecord({
    remembered,
    follow: async (from, lines) => followChain(from, lines),
    readPage: async (after) => ({
      lines: lines.slice(after, after + perPage),
      head: { account, seq: last.seq, hash: last.hash, ...head },
    }),
  });
}

const lines = chainOf([500n, -200n, 300n, 1n, -1n]);

describe('the check of the record', () => {
  it('reads all pages and ends at the server’s head', async () => {
    expect(await check(null, { lines })).toEqual({ kind: 'match', link: linkAt(lines, 5) });
  });

  it('reads only what is new since last time', async () => {
    expect(await check(linkAt(lines, 4), { lines })).toEqual({ kind: 'match', link: linkAt(lines, 5) });
    expect(await check(linkAt(lines, 5), { lines })).toEqual({ kind: 'match', link: linkAt(lines, 5) });
  });

  it('has nothing to say against an account without a wallet', async () => {
    const head = { account: null, seq: 0 };
    expect(await check(null, { lines: [], head })).toEqual({ kind: 'match', link: null });
  });

  it('takes entries that were written while it read', async () => {
    const head = { seq: 4, hash: linkAt(lines, 4).hash };
    expect(await check(null, { lines, head, perPage: 9 })).toEqual({ kind: 'match', link: linkAt(lines, 5) });
  });

  it('finds a past that was rewritten and hashed anew, though it is a good chain by itself', async () => {
    const rewritten = chainOf([500n, -200n, 200n, 101n, -1n, 7n]);
    expect(await check(linkAt(lines, 5), { lines: rewritten })).toEqual({
      kind: 'mismatch',
      why: { kind: 'altered', seq: 6, transactionid: 'TS-6' },
    });
    expect(await check(linkAt(lines, 5), { lines: rewritten.slice(0, 5) })).toEqual({
      kind: 'mismatch',
      why: { kind: 'other head', seq: 5 },
    });
  });

  it('finds that entries are gone', async () => {
    expect(await check(linkAt(lines, 5), { lines: lines.slice(0, 4) })).toEqual({
      kind: 'mismatch',
      why: { kind: 'shortened', seq: 5 },
    });
    const head = { account: null, seq: 0 };
    expect((await check(linkAt(lines, 5), { lines: [], head })).kind).toBe('mismatch');
  });

  it('finds an account that was exchanged for another', async () => {
    expect(await check(linkAt(lines, 5), { lines, head: { account: 'wallet-2' } })).toEqual({
      kind: 'mismatch',
      why: { kind: 'shortened', seq: 5 },
    });
  });

  it('finds that the newest entries are held back', async () => {
    expect(await check(null, { lines, head: { seq: 6 } })).toEqual({
      kind: 'mismatch',
      why: { kind: 'missing', seq: 6 },
    });
  });

  it('finds a head that the entries do not lead to', async () => {
    expect(await check(null, { lines, head: { hash: '0'.repeat(64) } })).toEqual({
      kind: 'mismatch',
      why: { kind: 'other head', seq: 5 },
    });
  });
});
