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

export async function chainHash(previousHash: string, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${previousHash}\n${text}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Goes along the lines from a link that is known to be good, and stops at the first that does not follow. */
export async function followChain(from: ChainLink, lines: readonly ChainLine[]): Promise<Followed> {
  let link = from;
  for (const line of lines) {
    if (line.seq !== link.seq + 1) return { link, broken: { kind: 'missing', seq: link.seq + 1 } };
    const hash = await chainHash(link.hash, canonicalText(link.account, line));
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
