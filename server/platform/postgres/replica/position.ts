/** How far a database has come: PostgreSQL's own count of what was written, and in which of its lives. */
export interface Position {
  /** One more each time that a replica has become the primary. */
  timeline: number;
  lsn: bigint;
}

/** As it is remembered for somebody. */
export const positionToText = ({ timeline, lsn }: Position): string => `${timeline}.${lsn}`;

/** Null for what is no position, whoever wrote it. */
export function positionOf(text: string): Position | null {
  const [, timeline, lsn] = /^(\d{1,9})\.(\d{1,19})$/.exec(text) ?? [];
  return timeline && lsn ? { timeline: Number(timeline), lsn: BigInt(lsn) } : null;
}

/** More than is written between two looks at the primary, however busy it is. */
const aheadBytesMax = 2n ** 32n;
const aheadTimelinesMax = 10;

/**
 * Whether the primary may have been there, as it is known to stand. What lies far beyond is nobody's: believed, it would
 * send all reads of whoever made it up to the primary.
 */
const isBelievable = (position: Position, primary: Position): boolean =>
  position.lsn <= primary.lsn + aheadBytesMax && position.timeline <= primary.timeline + aheadTimelinesMax;

/** What is wrong with reading from a replica; null where it may be read. */
export type Unfit = 'foreign' | 'promoted' | 'timeline' | 'behind' | 'written' | 'moved';

/** What a server has said of itself. */
export interface Seen {
  /** One of several behind an address. */
  server: string;
  /** Of the same installation of PostgreSQL, the same database. */
  isOurs: boolean;
  isReplica: boolean;
  position: Position;
}

export interface Need {
  /** What whoever asks has written themselves. */
  after: Position | null;
  /** Which has answered them before: what they have seen there is not taken back by another. */
  server: string | null;
}

/** Where the primary stood: the least that is new enough, and the last that is known. */
export interface Marks {
  least: Position;
  newest: Position;
}

/**
 * A position counts on its own timeline alone: one that was cut off and goes on by itself counts further, too, and has
 * written something else there. An older timeline's position holds on the next: what lies before the fork is in both, and
 * what lay behind it is gone.
 */
export function unfitFor(seen: Seen, { after, server }: Need, { least, newest }: Marks): Unfit | null {
  if (!seen.isOurs) return 'foreign';
  if (!seen.isReplica) return 'promoted';
  if (seen.position.timeline !== newest.timeline) return 'timeline';
  if (seen.position.lsn < least.lsn) return 'behind';
  if (server !== null && server !== seen.server) return 'moved';
  if (!after || !isBelievable(after, newest)) return null;
  return after.timeline > newest.timeline || seen.position.lsn < after.lsn ? 'written' : null;
}
