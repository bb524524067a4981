import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, fromBase64, hexOf, sameBytes, utf8 } from './bytes.ts';
import { countOf, isWrong, type Wrong } from './plain.ts';

/** Texts with signatures as C2SP `signed-note` has them, and those of a log: `tlog-checkpoint`, `tlog-cosignature`. */

/** The first byte of a key: what it signs. */
const signsNotes = 1;
const cosigns = 4;

export interface Vkey {
  name: string;
  /** Eight hexadecimal digits, by which a signature names its key. */
  id: string;
  type: 'note' | 'cosignature';
  publicKey: Uint8Array;
}

/** Reads `name+8hex+base64`, and checks that the eight digits are those of this name and key. */
export function parseVkey(text: string): Vkey | Wrong {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/s.exec(text) ?? [];
  const key = fromBase64(encoded);
  if (!isKeyName(name) || key === null || key.length !== 33) return { wrong: 'This is not a verifier key.' };
  if (hexOf(sha256(concat(utf8(`${name}\n`), key)).subarray(0, 4)) !== id) {
    return { wrong: `The verifier key of ${name} was altered: its name and its key do not belong together.` };
  }
  const publicKey = key.subarray(1);
  if (key[0] === signsNotes) return { name, id, type: 'note', publicKey };
  if (key[0] === cosigns) return { name, id, type: 'cosignature', publicKey };
  return { wrong: `The verifier key of ${name} is of a kind that is not known here.` };
}

const isKeyName = (name: string) =>
  name.length > 0 && name.isWellFormed() && !/[\p{White_Space}\p{Cc}+]/u.test(name);

interface Signature {
  name: string;
  id: string;
  bytes: Uint8Array;
}

const noteCharactersMax = 100_000;
const signaturesMax = 64;

/** The text of a note, with its last line feed, and the signatures below it, none of them checked yet. */
function splitNote(note: string): { text: string; signatures: Signature[] } | Wrong {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  if (note.length > noteCharactersMax || !note.isWellFormed() || /[\u0000-\u0009\u000b-\u001f]/.test(note)) {
    return { wrong: 'This is not a signed text: it is too long or has characters that none may have.' };
  }
  const blank = note.lastIndexOf('\n\n');
  if (blank < 0 || !note.endsWith('\n'))
    return { wrong: 'This is not a signed text: signatures are missing.' };
  const lines = note.slice(blank + 2, -1).split('\n');
  if (lines.length > signaturesMax) return { wrong: `There are more than ${signaturesMax} signatures.` };
  const signatures: Signature[] = [];
  for (const line of lines) {
    const [, name = '', encoded = ''] = /^\u2014 (\S+) (\S+)$/u.exec(line) ?? [];
    const bytes = fromBase64(encoded);
    if (!isKeyName(name) || bytes === null || bytes.length < 5) {
      return { wrong: 'A line where a signature must stand is not one.' };
    }
    signatures.push({ name, id: hexOf(bytes.subarray(0, 4)), bytes: bytes.subarray(4) });
  }
  return { text: note.slice(0, blank + 1), signatures };
}

// By the letter of RFC 8032: a signature that only some implementations take is no signature.
const isSigned = (text: string, signature: Uint8Array, { publicKey }: Vkey) =>
  signature.length === 64 && ed25519.verify(signature, utf8(text), publicKey, { zip215: false });

/** When a witness has signed, in seconds since 1970; null when it has not. */
function cosignedAt(text: string, bytes: Uint8Array, vkey: Vkey): number | null {
  if (bytes.length !== 72) return null;
  const time = bytes.subarray(0, 8).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  if (time > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return isSigned(`cosignature/v1\ntime ${time}\n${text}`, bytes.subarray(8), vkey) ? Number(time) : null;
}

export interface Cosigned {
  name: string;
  /** Seconds since 1970. */
  time: number;
}

/** Checks a note: it must be signed by this key, and no signature that claims to be of a known key may be false. */
export function openNote(
  note: string,
  signer: Vkey,
  witnesses: readonly Vkey[] = [],
): { text: string; cosigned: Cosigned[] } | Wrong {
  const split = splitNote(note);
  if (isWrong(split)) return split;
  const { text, signatures } = split;
  const of = (vkey: Vkey) => signatures.filter(({ name, id }) => name === vkey.name && id === vkey.id);
  const own = of(signer);
  if (own.length === 0) return { wrong: `It is not signed by the key of ${signer.name}.` };
  if (!own.every(({ bytes }) => isSigned(text, bytes, signer))) {
    return { wrong: `The signature of ${signer.name} is false.` };
  }
  const cosigned: Cosigned[] = [];
  for (const witness of witnesses) {
    const times = of(witness).map(({ bytes }) => cosignedAt(text, bytes, witness));
    if (times.includes(null)) return { wrong: `The signature of the witness ${witness.name} is false.` };
    const time = Math.max(...times.map(Number));
    if (times.length > 0) cosigned.push({ name: witness.name, time });
  }
  return { text, cosigned };
}

export interface Checkpoint {
  origin: string;
  size: number;
  root: Uint8Array;
  /** The witnesses, of those that were asked about, that have signed it. */
  cosigned: Cosigned[];
}

/** Opens the checkpoint of the log whose key this is: its name is the log's. */
export function openCheckpoint(
  note: string,
  vkey: string,
  witnessVkeys: readonly string[] = [],
): Checkpoint | Wrong {
  const signer = parseVkey(vkey);
  if (isWrong(signer)) return signer;
  if (signer.type !== 'note') return { wrong: `The key of ${signer.name} is a witness's, not a log's.` };
  const witnesses: Vkey[] = [];
  for (const text of witnessVkeys) {
    const witness = parseVkey(text);
    if (isWrong(witness)) return witness;
    if (witness.type !== 'cosignature') return { wrong: `The key of ${witness.name} is not a witness's.` };
    const isSecond = witnesses.some(({ publicKey }) => sameBytes(publicKey, witness.publicKey));
    if (isSecond) return { wrong: `${witness.name} is a witness with the key of another.` };
    witnesses.push(witness);
  }
  const opened = openNote(note, signer, witnesses);
  if (isWrong(opened)) return opened;
  return checkpointOf(opened.text, signer.name, opened.cosigned);
}

function checkpointOf(text: string, name: string, cosigned: Cosigned[]): Checkpoint | Wrong {
  const [origin = '', sizeText = '', rootText = '', ...rest] = text.split('\n');
  if (origin !== name) return { wrong: `It is a checkpoint of ${origin}, not of ${name}.` };
  const [size, root] = [countOf(sizeText), fromBase64(rootText)];
  if (size === null || root === null || root.length !== 32 || rest.length !== 1 || rest[0] !== '') {
    return { wrong: 'The checkpoint is not three lines: the name of the log, its size and its root.' };
  }
  return { origin, size, root, cosigned };
}
