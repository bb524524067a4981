import { sha256 } from '@noble/hashes/sha2.js';
import { hexOf, utf8 } from './bytes.ts';
import { momentOf, type Wrong } from './plain.ts';

/**
 * The reader's own half of the record: recomputes an account's chain of entries. The rule is the server's, written
 * down a second time on purpose, because a check that borrowed the other side's code would check nothing.
 */

/** Where a chain stood after an entry. */
export interface ChainLink {
  account: string;
  seq: number;
  hash: string;
  balanceCents: bigint;
}

export interface ChainLine {
  seq: number;
  at: string;
  transactionid: string;
  fundingtype: string;
  amountCents: bigint;
  balanceAfterCents: bigint;
  hash: string;
  recordcode: string;
}

export type Break =
  /** The entry does not say what its hash was made of, or does not follow from the one before it. */
  | { kind: 'altered'; seq: number; transactionid: string }
  /** The entry that should come next is not there. */
  | { kind: 'missing'; seq: number };

export type Followed = { link: ChainLink; broken: null } | { link: ChainLink; broken: Break };

export function beginningOf(account: string): ChainLink {
  return { account, seq: 0, hash: '0'.repeat(64), balanceCents: 0n };
}

export function canonicalText(account: string, line: Omit<ChainLine, 'hash' | 'recordcode'>): string {
  return [
    'tallystick entry 1',
    account,
    line.seq,
    line.at,
    line.transactionid,
    line.fundingtype,
    line.amountCents,
    line.balanceAfterCents,
  ].join('\n');
}

export const chainHash = (previousHash: string, text: string): string =>
  hexOf(sha256(utf8(`${previousHash}\n${text}`)));

/** Goes along the lines from a link that is known to be good, and stops at the first that does not follow. */
export function followChain(from: ChainLink, lines: readonly ChainLine[]): Followed {
  let link = from;
  for (const line of lines) {
    if (line.seq !== link.seq + 1) return { link, broken: { kind: 'missing', seq: link.seq + 1 } };
    const hash = chainHash(link.hash, canonicalText(link.account, line));
    const addsUp = link.balanceCents + line.amountCents === line.balanceAfterCents;
    if (!addsUp || hash !== line.hash || line.recordcode !== recordCode(hash)) {
      return { link, broken: { kind: 'altered', seq: line.seq, transactionid: line.transactionid } };
    }
    link = { account: link.account, seq: line.seq, hash, balanceCents: line.balanceAfterCents };
  }
  return { link, broken: null };
}

export function recordCode(hash: string): string {
  return `${hash.slice(0, 4)} ${hash.slice(4, 8)}`;
}

/** What an account held at a moment, given its entries from the first on: what was dated then still counts. */
export function balanceAt(lines: readonly ChainLine[], moment: number): { cents: bigint } | Wrong {
  let [cents, before] = [0n, Number.NEGATIVE_INFINITY];
  for (const { seq, at, balanceAfterCents } of lines) {
    const dated = momentOf(at);
    if (dated === null) return { wrong: `Entry ${seq} has no time.` };
    if (dated < before) return { wrong: `Entry ${seq} is dated before the one it follows.` };
    if (balanceAfterCents < 0n) return { wrong: `After entry ${seq} the account is below zero.` };
    if (dated <= moment) cents = balanceAfterCents;
    before = dated;
  }
  return { cents };
}
