import type { CallAnswer } from '@tallystick/contract/call';
import type { Statement, state, Witness } from '@tallystick/contract/proof';
import { hexOf } from '@tallystick/verify/bytes';
import type { ChainLine } from '@tallystick/verify/chain';
import { type Checkpoint, openCheckpoint } from '@tallystick/verify/note';
import { isWrong, type Wrong } from '@tallystick/verify/plain';
import type { ProofFile } from '@tallystick/verify/proof-file';
import { accountKinds } from '@tallystick/verify/proof-shape';
import type { Terms } from '@tallystick/verify/terms';
import {
  bundleEntries,
  consistencyFrom,
  entriesPath,
  inclusionFrom,
  type ReadTile,
} from '@tallystick/verify/tiles';

export type AccountKind = (typeof accountKinds)[number];

/** Where the parts of a proof come from. All of it is the house's word until it has been checked. */
export interface Sources {
  readState: () => Promise<CallAnswer<typeof state>>;
  /** Newest first. */
  readStatements: () => Promise<Statement[]>;
  /** The own place in the total of a statement; null when none is shown. */
  readMine: (number: number) => Promise<OwnPlace | null>;
  readChain: (kind: AccountKind) => Promise<{ account: string | null; lines: ChainLine[] }>;
  readInvestments: () => Promise<Terms[]>;
  /** The newest signed head of the log; null as long as there is none. */
  readCheckpoint: () => Promise<string | null>;
  readLog: ReadTile;
}

interface OwnPlace {
  id: string;
  secret: string;
  pieces: NonNullable<ProofFile['liabilities']>['pieces'];
}

/** What this browser has found good before. */
export interface Remembered {
  log: { vkey: string; checkpoint: string } | null;
  accounts: Record<AccountKind, { seq: number; hash: string } | null>;
}

/** The head is signed, but not with the key that this browser knows. */
export interface OtherKey {
  known: string;
  told: string;
  /** Whether it still contains the log that the known key has signed. Whose the new key is, that does not say. */
  isContinued: boolean;
}

export interface Gathered {
  file: ProofFile;
  /** Null as long as nothing was ever signed. */
  checkpoint: Checkpoint | Wrong | null;
  witnesses: Witness[];
  otherKey: OtherKey | null;
  /** Why nothing is signed any more. */
  stopped: string | null;
  /** For whom the server says that the own place is. */
  madeFor: string | null;
}

/** Reads everything that a proof needs, into the file that it can be saved as. */
export async function gather(sources: Sources, remembered: Remembered, now: Date): Promise<Gathered> {
  const [{ vkey, witnesses, stopped }, statements, investments, ...chains] = await Promise.all([
    sources.readState(),
    sources.readStatements(),
    sources.readInvestments(),
    ...accountKinds.map((kind) => sources.readChain(kind)),
  ]);
  // After the statements, so that the newest of them is in it.
  const note = await sources.readCheckpoint();
  const checkpoint = note === null ? null : openCheckpoint(note, remembered.log?.vkey ?? vkey);
  const otherKey = note === null ? null : await otherKeyOf(sources.readLog, remembered.log, { note, vkey });
  const accounts = Object.fromEntries(
    accountKinds.map((kind, at) => [
      kind,
      { known: remembered.accounts[kind], ...(chains[at] ?? { account: null, lines: [] }) },
    ]),
  ) as ProofFile['accounts'];
  const statement = newestIn(statements, checkpoint);
  const isOwed = accountKinds.some((kind) =>
    accounts[kind].lines.some(({ at }) => statement && Date.parse(at) <= Date.parse(statement.time)),
  );
  // Who had nothing then is not asked after: who looks is known to the house.
  const mine = statement && isOwed ? await sources.readMine(statement.number) : null;
  const file: ProofFile = {
    format: 'tallystick/proof/v1',
    saved: now.toISOString(),
    vkey,
    witnesses: witnesses.map((witness) => witness.vkey),
    checkpoint: note ?? '',
    known: remembered.log && (await knownPart(sources.readLog, remembered.log, checkpoint)),
    entry: statement && (await entryPart(sources.readLog, statement.place, checkpoint)),
    liabilities: mine && { secret: mine.secret, pieces: mine.pieces },
    accounts,
    investments,
  };
  return { file, checkpoint, otherKey, witnesses, stopped, madeFor: mine?.id ?? null };
}

/**
 * Anyone can put a signature of their own beside one of the old key, so no checkpoint tells whether the old key stands for
 * the new one. What can be told is whether the log goes on.
 */
async function otherKeyOf(
  read: ReadTile,
  known: Remembered['log'],
  { note, vkey }: { note: string; vkey: string },
): Promise<OtherKey | null> {
  if (!known || !isWrong(openCheckpoint(note, known.vkey))) return null;
  const [before, now] = [openCheckpoint(known.checkpoint, known.vkey), openCheckpoint(note, vkey)];
  if (isWrong(now)) return null;
  const isContinued = !isWrong(before) && !isWrong(await grown(read, before, now));
  return { known: known.vkey, told: vkey, isContinued };
}

const grown = (read: ReadTile, from: Checkpoint, to: Checkpoint) =>
  consistencyFrom(read, { oldSize: from.size, oldRoot: from.root, newSize: to.size, newRoot: to.root });

/** A statement that is not appended yet, or not signed yet, cannot be found by anyone. */
function newestIn(
  statements: readonly Statement[],
  checkpoint: Gathered['checkpoint'],
): (Statement & { place: number }) | null {
  const size = checkpoint && !isWrong(checkpoint) ? checkpoint.size : Number.POSITIVE_INFINITY;
  const isIn = (one: Statement): one is Statement & { place: number } =>
    one.place !== null && one.place < size;
  return checkpoint ? (statements.find(isIn) ?? null) : null;
}

/** Without a proof that leads from the earlier log to this one the check finds that there is none. */
async function knownPart(
  read: ReadTile,
  known: NonNullable<Remembered['log']>,
  checkpoint: Gathered['checkpoint'],
): Promise<ProofFile['known']> {
  const before = openCheckpoint(known.checkpoint, known.vkey);
  if (!checkpoint || isWrong(checkpoint) || isWrong(before))
    return { checkpoint: known.checkpoint, consistency: [] };
  const found = await grown(read, before, checkpoint);
  return { checkpoint: known.checkpoint, consistency: isWrong(found) ? [] : found.proof.map(hexOf) };
}

const bundleWidth = 256;

async function entryPart(
  read: ReadTile,
  place: number,
  checkpoint: Gathered['checkpoint'],
): Promise<ProofFile['entry']> {
  if (!checkpoint || isWrong(checkpoint)) return { place, text: '', inclusion: [] };
  const { size, root } = checkpoint;
  const number = Math.floor(place / bundleWidth);
  const width = Math.min(bundleWidth, size - number * bundleWidth);
  const entries = bundleEntries(await read(entriesPath(number, width)));
  const bytes = isWrong(entries) ? undefined : entries[place % bundleWidth];
  const found = await inclusionFrom(read, { index: place, size, root });
  return {
    place,
    text: new TextDecoder().decode(bytes),
    inclusion: isWrong(found) ? [] : found.proof.map(hexOf),
  };
}
