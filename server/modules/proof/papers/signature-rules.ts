import { investorAccounts } from '@tallystick/contract/ledger';
import type { PaperKind } from '@tallystick/contract/papers';
import type { Paper } from './rules.ts';

/** How a paper is signed: docs/trust.md, Papers. */

/** What the signature is over: which file, and what it tells. */
export function signedText(
  { origin, from, to, chains, owed }: Paper,
  file: { kind: PaperKind; bytes: number; sha256: string },
): string {
  const heads = investorAccounts.map((kind) => {
    const { accountId, closing } = chains[kind];
    return `${kind} ${closing.seq === 0n ? '-' : accountId} ${closing.seq} ${closing.hash}`;
  });
  const lines = [
    'tallystick paper/v1',
    `origin ${origin}`,
    `kind ${file.kind}`,
    `from ${from}`,
    `to ${to}`,
    `bytes ${file.bytes}`,
    `sha256 ${file.sha256}`,
    ...heads,
    `owed ${owed.wallet} ${owed.invested} ${owed.profit} ${owed.withdrawing}`,
  ];
  return `${lines.join('\n')}\n`;
}

const asComment = (note: string, before: string, after: string) =>
  note
    .split('\n')
    .slice(0, -1)
    .map((line) => `${before}${line}${after}`)
    .join('');

/** A signed note as the last bytes of a file of this kind, which does not mind them. */
export const embedded: Record<PaperKind, (note: string) => string> = {
  pdf: (note) => asComment(note, '% ', '\n'),
  csv: (note) => asComment(note, '# ', '\r\n'),
  json: (note) => `,\n"signature":${JSON.stringify(note)}}\n`,
};
