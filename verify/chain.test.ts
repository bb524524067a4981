import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { beginningOf, type ChainLine, canonicalText, followChain } from './chain.ts';

const account = '5b0f6a52-0d3a-4f6e-9d1c-2a7e4c1b9e10';

/** Hashes made with `sha256sum`, not with the code under test. */
const lines: readonly ChainLine[] = [
  {
    seq: 1,
    at: '2026-11-08T09:30:00.000Z',
    transactionid: 'TS-7K4M-9XQ2',
    fundingtype: 'Bitcoin',
    amountCents: 500_000n,
    balanceAfterCents: 500_000n,
    hash: '62de066bd8b1c02c52b7db8d4dcdda29c83d518c24aeb6648775f323641b88dd',
    recordcode: '62de 066b',
  },
  {
    seq: 2,
    at: '2026-11-09T10:00:00.123Z',
    transactionid: 'TS-2W7C-5MHT',
    fundingtype: 'Investment',
    amountCents: -150_050n,
    balanceAfterCents: 349_950n,
    hash: '90d09536cdecff39b90e9de9409626f53c82f003fb51e5ae3a1b331818740a7c',
    recordcode: '90d0 9536',
  },
  {
    seq: 3,
    at: '2026-12-09T10:00:00.123Z',
    transactionid: 'TS-8R3D-6VNY',
    fundingtype: 'Bitcoin – “Ünïcode”',
    amountCents: 5n,
    balanceAfterCents: 349_955n,
    hash: '5687a040855dec0da577d1d2f9cbc25a9affbab0edde4d6ee1b9bd74698afa7b',
    recordcode: '5687 a040',
  },
];

const follow = (changed: readonly ChainLine[]) => followChain(beginningOf(account), changed);

describe('a chain of entries', () => {
  it('is followed to its end, which is the link to remember', () => {
    expect(follow(lines)).toEqual({
      link: { account, seq: 3, hash: lines[2]?.hash, balanceCents: 349_955n },
      broken: null,
    });
  });

  it('is hashed over the hash before it, a line break and eight lines of text', () => {
    let previous = '0'.repeat(64);
    for (const line of lines) {
      previous = createHash('sha256')
        .update(`${previous}\n${canonicalText(account, line)}`)
        .digest('hex');
      expect(previous).toBe(line.hash);
    }
  });

  it('goes on from a remembered link', () => {
    const { link } = follow(lines.slice(0, 2));
    expect(followChain(link, lines.slice(2)).broken).toBeNull();
  });

  it('without new entries stays where it was', () => {
    const { link } = follow(lines);
    expect(followChain(link, [])).toEqual({ link, broken: null });
  });

  it.each([
    { at: '2026-11-09T10:00:00.124Z' },
    { transactionid: 'TS-2W7C-5MHX' },
    { fundingtype: 'Profit' },
    { amountCents: -150_051n },
    { balanceAfterCents: 349_951n },
    { amountCents: -150_051n, balanceAfterCents: 349_949n },
    { hash: '0'.repeat(64) },
    { recordcode: '90d0 9537' },
  ])('names the entry that was altered: %o', (change) => {
    const altered = lines.map((line) => (line.seq === 2 ? { ...line, ...change } : line));
    const transactionid = change.transactionid ?? 'TS-2W7C-5MHT';
    expect(follow(altered).broken).toEqual({ kind: 'altered', seq: 2, transactionid });
  });

  it('names the entry that is missing', () => {
    expect(follow(lines.filter(({ seq }) => seq !== 2)).broken).toEqual({ kind: 'missing', seq: 2 });
  });

  it('of another account does not fit', () => {
    const { broken } = followChain(beginningOf('another account'), lines);
    expect(broken).toEqual({ kind: 'altered', seq: 1, transactionid: 'TS-7K4M-9XQ2' });
  });
});
