/**
 * Recomputes a chain as docs/money.md tells an investor to. It imports nothing, least of all the code that made the
 * chain: what both agree on is the document.
 */
interface WireEntry {
  seq: number;
  at: string;
  transactionid: string;
  fundingtype: string;
  amount: number;
  balanceafter: number;
  hash: string;
}

/** What GET /api/ledger/entries answers. */
export interface WireChain {
  entries: WireEntry[];
  head: { account: string | null; seq: number; hash: string };
}

function centsText(decimal: number): string {
  const [dollars = '', fraction = ''] = String(decimal).split('.');
  return `${dollars}${fraction.padEnd(2, '0')}`.replace(/^(-?)0+(?=\d)/, '$1');
}

export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The number of the first entry that is not as it was written; 0 when there is none. */
export async function brokenEntry({ entries, head }: WireChain): Promise<number> {
  let previous = '0'.repeat(64);
  let cents = 0n;
  for (const [index, entry] of entries.entries()) {
    cents += BigInt(centsText(entry.amount));
    const lines = [
      previous,
      'tallystick entry 1',
      head.account,
      index + 1,
      entry.at,
      entry.transactionid,
      entry.fundingtype,
      centsText(entry.amount),
      centsText(entry.balanceafter),
    ];
    previous = await sha256Hex(lines.join('\n'));
    if (previous !== entry.hash || BigInt(centsText(entry.balanceafter)) !== cents) return index + 1;
  }
  return head.hash === previous && head.seq === entries.length ? 0 : entries.length;
}
