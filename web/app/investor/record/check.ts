import {
  type Break,
  beginningOf,
  type ChainLine,
  type ChainLink,
  type Followed,
} from '@tallystick/verify/chain';

export interface RecordPage {
  lines: ChainLine[];
  /** Where the server says that the chain ends. It may have grown by the time the lines were read. */
  head: { account: string | null; seq: number; hash: string };
}

export type Mismatch =
  | Break
  /** The server has fewer entries than this browser has already seen. */
  | { kind: 'shortened'; seq: number }
  /** The entries lead to another end than the one the server names. */
  | { kind: 'other head'; seq: number };

export type Outcome = { kind: 'match'; link: ChainLink | null } | { kind: 'mismatch'; why: Mismatch };

interface CheckNeeds {
  /** The last link that was found good in this browser. */
  remembered: ChainLink | null;
  readPage: (after: number) => Promise<RecordPage>;
  follow: (from: ChainLink, lines: ChainLine[]) => Promise<Followed>;
}

/** Follows what is new since the remembered link, page after page, up to the server's head. */
export async function checkRecord({ remembered, readPage, follow }: CheckNeeds): Promise<Outcome> {
  for (let link = remembered; ; ) {
    const { lines, head } = await readPage(link?.seq ?? 0);
    if (head.account === null) return link ? mismatch('shortened', link.seq) : { kind: 'match', link: null };
    const from: ChainLink = link ?? beginningOf(head.account);
    if (from.account !== head.account || head.seq < from.seq) return mismatch('shortened', from.seq);

    const { link: reached, broken } = await follow(from, lines);
    if (broken) return { kind: 'mismatch', why: broken };
    if (reached.seq >= head.seq) {
      const hashAtHead = head.seq === from.seq ? from.hash : lines[head.seq - from.seq - 1]?.hash;
      return hashAtHead === head.hash ? { kind: 'match', link: reached } : mismatch('other head', head.seq);
    }
    if (lines.length === 0) return mismatch('missing', from.seq + 1);
    link = reached;
  }
}

function mismatch(kind: 'shortened' | 'other head' | 'missing', seq: number): Outcome {
  return { kind: 'mismatch', why: { kind, seq } };
}
