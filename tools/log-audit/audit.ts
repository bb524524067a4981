import { checkAddress } from '@tallystick/verify/address/address';
import { bigEndian, concat, sameBytes, textOf } from '@tallystick/verify/bytes';
import { type LogEntry, nothingTold, parseEntry, type Told, tellNext } from '@tallystick/verify/entries';
import { leafHash, rootOf } from '@tallystick/verify/merkle';
import { type Checkpoint, openCheckpoint } from '@tallystick/verify/note';
import { bundleEntries, consistencyFrom, entriesPath, type ReadTile } from '@tallystick/verify/tiles';
import type { Mirror } from './mirror.ts';
import { NotReachable } from './served.ts';

export interface Audit {
  /** Reads below `/log/`. */
  read: ReadTile;
  mirror: Mirror;
  /** Null takes the key that was used last time, or else the log's own word for it. */
  vkey: string | null;
  witnesses: readonly string[];
}

export interface Findings {
  /** What is wrong, and where. */
  wrong: string[];
  /** What could not be checked. */
  unchecked: string[];
  /** What was not looked at, because the auditor has given nothing to compare the log with. */
  unasked: string[];
  /** What was checked and holds. */
  holds: string[];
  /** Every entry of the log, as far as all of it could be read. */
  entries: string[];
  /** The name of the log. */
  origin: string;
}

const bundleSize = 256;
const checkpointFile = 'checkpoint';
const keyFile = 'vkey';
const refusedFile = 'refused';

/** Reads the whole log, checks everything that can be, and keeps what it has seen for the next time. */
export async function auditLog({ read, mirror, vkey, witnesses }: Audit): Promise<Findings> {
  const found: Findings = {
    wrong: [],
    unchecked: [],
    holds: [],
    entries: [],
    origin: '',
    unasked: notAsked(mirror, witnesses),
  };
  let signed: string | null = null;
  try {
    const key = vkey ?? mirror.read(keyFile)?.toString() ?? (await ownWord(read, found));
    const known = mirror.read(keyFile)?.toString() ?? null;
    if (known !== null && known !== key) {
      found.unchecked.push(
        `The key is another than last time: it was ${known}. Ask why before you believe it.`,
      );
    }
    const note = textOf(await read('checkpoint'));
    const head = note === null ? { wrong: 'It is no text.' } : openCheckpoint(note, key, witnesses);
    if (note === null || 'wrong' in head) {
      found.wrong.push(`The checkpoint: ${'wrong' in head ? head.wrong : ''}`);
      return found;
    }
    found.holds.push(`The checkpoint of ${head.origin} with ${head.size} entries is signed by the log.`);
    signed = note;
    found.origin = head.origin;
    checkWitnesses(head, witnesses, found);
    await checkGrowth(read, mirror, { head, key }, found);
    const entries = await readEntries(read, mirror, head, found);
    checkEntries(entries, found);
    if (found.wrong.length === 0) keep(mirror, { key, note, entries });
  } catch (error) {
    if (!(error instanceof NotReachable)) throw error;
    found.unchecked.push(error.message);
  }
  // Beside the one that was believed: both are signed, and together they are the evidence. Also when the rest was held back.
  if (signed !== null && found.wrong.length > 0) mirror.write(refusedFile, signed);
  return found;
}

/** A log that is shown to the auditor alone, or was written anew since, looks whole when there is nothing to compare it with. */
function notAsked(mirror: Mirror, witnesses: readonly string[]): string[] {
  const unasked: string[] = [];
  if (witnesses.length === 0) {
    unasked.push(
      'No witness was asked: others may be shown another log. Give the keys of witnesses with --witness.',
    );
  }
  if (mirror.read(checkpointFile) === null) {
    unasked.push(
      'No earlier look was compared: the log may have been another before. Keep what was seen with --state.',
    );
  }
  return unasked;
}

async function ownWord(read: ReadTile, found: Findings): Promise<string> {
  const key = (textOf(await read('vkey')) ?? '').trim();
  found.unchecked.push(
    `The key is the log's own word (${key}). Compare it with one from elsewhere, and give it with --vkey.`,
  );
  return key;
}

function checkWitnesses(head: Checkpoint, witnesses: readonly string[], found: Findings): void {
  const signed = head.cosigned.map(({ name }) => name);
  for (const name of signed) found.holds.push(`The witness ${name} has signed this checkpoint.`);
  const missing = witnesses.map((vkey) => vkey.split('+')[0] ?? '').filter((name) => !signed.includes(name));
  for (const name of missing) {
    found.unchecked.push(
      `The witness ${name} has not signed this checkpoint: it may be a log that nobody else is shown.`,
    );
  }
}

/** The log must contain the log of last time: by its own tiles, which others rely on, too. */
async function checkGrowth(
  read: ReadTile,
  mirror: Mirror,
  { head, key }: { head: Checkpoint; key: string },
  found: Findings,
): Promise<void> {
  const before = mirror.read(checkpointFile)?.toString();
  if (before === undefined) return;
  const old = openCheckpoint(before, mirror.read(keyFile)?.toString() ?? key);
  if ('wrong' in old) {
    found.unchecked.push(`The checkpoint of last time cannot be read any more: ${old.wrong}`);
    return;
  }
  const grown = await consistencyFrom(read, {
    oldSize: old.size,
    oldRoot: old.root,
    newSize: head.size,
    newRoot: head.root,
  });
  if ('wrong' in grown) {
    found.wrong.push(`Since last time: ${grown.wrong} Keep both checkpoints: they are the proof.`);
    return;
  }
  found.holds.push(`The log still begins with the ${old.size} entries of last time.`);
}

const fileOf = (number: number) => `entries/${number}`;

/** What the mirror has of a bundle; nothing when it has none. */
function keptBundle(mirror: Mirror, number: number): Uint8Array[] {
  const kept = mirror.read(fileOf(number));
  const entries = kept ? bundleEntries(kept) : [];
  return 'wrong' in entries ? [] : entries;
}

async function servedBundle(read: ReadTile, number: number, width: number): Promise<Uint8Array[] | string> {
  const path = entriesPath(number, width);
  const entries = bundleEntries(await read(path));
  if ('wrong' in entries) return `${path}: ${entries.wrong}`;
  return entries.length === width ? entries : `${path} has ${entries.length} entries and must have ${width}.`;
}

/** The entries, from the mirror where a bundle is there whole; together they must make the root that was signed. */
async function readEntries(
  read: ReadTile,
  mirror: Mirror,
  head: Checkpoint,
  found: Findings,
): Promise<Uint8Array[]> {
  async function gather(isMirrorUsed: boolean): Promise<Uint8Array[] | null> {
    const all: Uint8Array[] = [];
    for (let number = 0; number * bundleSize < head.size; number += 1) {
      const width = Math.min(bundleSize, head.size - number * bundleSize);
      const kept = keptBundle(mirror, number);
      const isWhole = isMirrorUsed && kept.length === bundleSize;
      const bundle = isWhole ? kept : await servedBundle(read, number, width);
      if (typeof bundle === 'string') {
        found.wrong.push(bundle);
        return null;
      }
      const other = bundle.findIndex((entry, at) => kept[at] !== undefined && !sameBytes(entry, kept[at]));
      if (other >= 0) found.wrong.push(changed(number * bundleSize + other, kept[other], bundle[other]));
      all.push(...bundle);
    }
    return all;
  }
  const entries = await gather(true);
  if (!entries) return [];
  if (sameBytes(rootOf(entries.map(leafHash)), head.root)) {
    found.holds.push(`All ${entries.length} entries make the root that was signed.`);
    return entries;
  }
  // What was kept may be what the log no longer says: asked again, it shows where.
  const wrongBefore = found.wrong.length;
  const asked = await gather(false);
  if (asked && !sameBytes(rootOf(asked.map(leafHash)), head.root)) {
    found.wrong.push(`The entries do not make the root that was signed for ${head.size} of them.`);
  } else if (found.wrong.length === wrongBefore) {
    found.wrong.push('The entries of last time do not make the root that was signed.');
  }
  return [];
}

const shown = (entry: Uint8Array | undefined) =>
  JSON.stringify(textOf(entry ?? new Uint8Array()) ?? 'no text');
const changed = (place: number, before: Uint8Array | undefined, now: Uint8Array | undefined) =>
  `Entry ${place} is another than last time. It was ${shown(before)} and is ${shown(now)}.`;

function checkEntries(entries: readonly Uint8Array[], found: Findings): void {
  const told: Told = nothingTold();
  let signed = 0;
  const wrongBefore = found.wrong.length;
  for (const [place, bytes] of entries.entries()) {
    const text = textOf(bytes);
    const entry = text === null ? { wrong: 'It is no text.' } : parseEntry(text);
    const wrong = 'wrong' in entry ? entry : tellNext(told, entry);
    if (wrong) found.wrong.push(`Entry ${place}: ${wrong.wrong}`);
    else if ('kind' in entry && entry.kind === 'address/v1' && checkSigned(entry, place, found)) signed += 1;
    found.entries.push(text ?? '');
  }
  if (entries.length > 0 && found.wrong.length === wrongBefore) {
    const statements = told.statement?.number ?? 0;
    found.holds.push(
      `Every entry is well formed; ${statements} statements of the books and the versions of ${told.plans.size} plans follow one another, ${signed} addresses have signed.`,
    );
  }
}

/** What an address is said to have signed is computed again: the house’s word is not needed for it. */
function checkSigned({ lines }: LogEntry, place: number, found: Findings): boolean {
  if (lines.get('origin') !== found.origin) {
    found.unchecked.push(`Entry ${place}: an address has signed for another log, ${lines.get('origin')}.`);
    return false;
  }
  const result = checkAddress(lines);
  if (!result) return true;
  if ('wrong' in result) found.wrong.push(`Entry ${place}: ${result.wrong}`);
  else found.unchecked.push(`Entry ${place}: ${result.unchecked}`);
  return false;
}

/** Framed as the log serves them. */
function bundleOf(entries: readonly Uint8Array[]): Uint8Array {
  return concat(...entries.flatMap((entry) => [bigEndian(BigInt(entry.length), 2), entry]));
}

function keep(
  mirror: Mirror,
  { key, note, entries }: { key: string; note: string; entries: Uint8Array[] },
): void {
  for (let number = 0; number * bundleSize < entries.length; number += 1) {
    const bundle = entries.slice(number * bundleSize, (number + 1) * bundleSize);
    if (keptBundle(mirror, number).length < bundle.length) mirror.write(fileOf(number), bundleOf(bundle));
  }
  mirror.write(keyFile, key);
  // Last: it says that all before it is there.
  mirror.write(checkpointFile, note);
}
