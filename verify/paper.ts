import { sha256 } from '@noble/hashes/sha2.js';
import { hexOf, textOf } from './bytes.ts';
import { openNote, parseVkey } from './note.ts';
import { countOf, isWrong, momentOf, type Wrong, wholeOf } from './plain.ts';

/** Account statements as files that carry their own signature: docs/trust.md, Papers. */

type PaperKind = 'pdf' | 'csv' | 'json';

/** Where one of the three accounts stood at the end; nothing was posted to it before when `account` is null. */
interface PaperHead {
  account: string | null;
  seq: number;
  hash: string;
}

export interface Paper {
  kind: PaperKind;
  origin: string;
  /** Whole days in UTC, both included. */
  from: string;
  to: string;
  /** How many bytes are signed: all that stand before the signature, which are the file. */
  bytes: number;
  wallet: PaperHead;
  invested: PaperHead;
  withdrawing: PaperHead;
  /** Wallet, invested, profit so far, being withdrawn: cents that were owed at the end. */
  owed: [bigint, bigint, bigint, bigint];
}

interface Split {
  kind: PaperKind;
  /** How many bytes stand before the signature. */
  signed: number;
  note: string;
}

const firstLine = 'tallystick paper/v1';
/** A signature is some hundred bytes; what is further from the end is none. */
const noteBytesMax = 10_000;

const startsWith = (bytes: Uint8Array, text: string) =>
  [...text].every((character, at) => bytes[at] === character.charCodeAt(0));

/** Where an ASCII text stands for the last time in these bytes; -1 when it does not. */
function lastPlaceOf(bytes: Uint8Array, text: string): number {
  for (let at = bytes.length - text.length; at >= 0; at -= 1) {
    if (startsWith(bytes.subarray(at, at + text.length), text)) return at;
  }
  return -1;
}

/** Whether a file says of itself that it is such a statement, and not, for example, a proof. */
export const seemsPaper = (bytes: Uint8Array): boolean =>
  ['%PDF-', 'Line,Account,', `{"format":"${firstLine}"`].some((beginning) => startsWith(bytes, beginning));

const unsigned: Wrong = { wrong: 'This file carries no signature at its end.' };

/** The lines of a signature that stands as comments: each begins and ends alike. */
function uncommented(text: string, before: string, after: string): string | null {
  if (!text.endsWith(after)) return null;
  const lines = text.slice(0, -after.length).split(after);
  if (!lines.every((line) => line.startsWith(before))) return null;
  return lines.map((line) => `${line.slice(before.length)}\n`).join('');
}

const comments = {
  pdf: { begins: `\n% ${firstLine}\n`, skipped: 1, before: '% ', after: '\n' },
  csv: { begins: `\r\n# ${firstLine}\r\n`, skipped: 2, before: '# ', after: '\r\n' },
};
const jsonBegins = ',\n"signature":';

function split(bytes: Uint8Array): Split | Wrong {
  const kind = startsWith(bytes, '%PDF-') ? 'pdf' : startsWith(bytes, '{') ? 'json' : 'csv';
  const end = Math.max(0, bytes.length - noteBytesMax);
  const tail = bytes.subarray(end);
  const begins = kind === 'json' ? jsonBegins : comments[kind].begins;
  const place = lastPlaceOf(tail, begins);
  if (place < 0) return unsigned;
  const skipped = kind === 'json' ? 0 : comments[kind].skipped;
  const text = textOf(tail.subarray(place + skipped));
  const note = text === null ? null : kind === 'json' ? fromJson(text) : fromComments(text, kind);
  return note === null ? unsigned : { kind, signed: end + place + skipped, note };
}

const fromComments = (text: string, kind: 'pdf' | 'csv') =>
  uncommented(text, comments[kind].before, comments[kind].after);

/** The last member of the object: a string, the end of the object and of the line. One spelling, as everywhere. */
function fromJson(text: string): string | null {
  if (!text.endsWith('}\n')) return null;
  const value = text.slice(jsonBegins.length, -2);
  try {
    const note: unknown = JSON.parse(value);
    return typeof note === 'string' && JSON.stringify(note) === value ? note : null;
  } catch {
    return null;
  }
}

const dayOf = (text: string) => (momentOf(`${text}T00:00:00.000Z`) === null ? null : text);

function headOf(text: string): PaperHead | null {
  const [account = '', seqText = '', hash = '', ...rest] = text.split(' ');
  const seq = countOf(seqText);
  if (seq === null || rest.length > 0 || !/^[0-9a-f]{64}$/.test(hash)) return null;
  if (account === '-') return seq === 0 && /^0+$/.test(hash) ? { account: null, seq, hash } : null;
  return seq > 0 && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(account)
    ? { account, seq, hash }
    : null;
}

function owedOf(text: string): Paper['owed'] | null {
  const [wallet, invested, profit, withdrawing, ...rest] = text.split(' ').map(wholeOf);
  if (wallet == null || invested == null || profit == null || withdrawing == null) return null;
  return rest.length === 0 ? [wallet, invested, profit, withdrawing] : null;
}

const names = [
  'origin',
  'kind',
  'from',
  'to',
  'bytes',
  'sha256',
  'wallet',
  'invested',
  'withdrawing',
  'owed',
];

/** What the signature says of a file, and the SHA-256 that the file must have. */
function readText(text: string): { paper: Paper; hash: string } | null {
  const [first, ...lines] = text.split('\n');
  const isWhole = first === firstLine && lines.length === names.length + 1 && lines.at(-1) === '';
  if (!isWhole || !names.every((name, at) => lines[at]?.startsWith(`${name} `))) return null;
  const values = names.map((name, at) => (lines[at] ?? '').slice(name.length + 1));
  const [origin = '', kind = '', fromText = '', toText = '', bytesText = '', hash = '', ...rest] = values;
  const [from, to, bytes] = [dayOf(fromText), dayOf(toText), countOf(bytesText)];
  const [wallet, invested, withdrawing] = rest.slice(0, 3).map(headOf);
  const owed = owedOf(rest[3] ?? '');
  if (kind !== 'pdf' && kind !== 'csv' && kind !== 'json') return null;
  if (from === null || to === null || from > to || bytes === null) return null;
  if (!wallet || !invested || !withdrawing || !owed) return null;
  return { paper: { kind, origin, from, to, bytes, wallet, invested, withdrawing, owed }, hash };
}

/**
 * Checks that a file is, byte by byte, what the log of this key has signed, and tells what it is about. That the figures
 * in it are right is for the chains to show; that they were stated cannot be denied any more.
 */
export function checkPaper(bytes: Uint8Array, vkey: string): Paper | Wrong {
  const signer = parseVkey(vkey);
  if (isWrong(signer)) return signer;
  if (signer.type !== 'note') return { wrong: `The key of ${signer.name} is a witness's, not a log's.` };
  const found = split(bytes);
  if (isWrong(found)) return found;
  const opened = openNote(found.note, signer);
  if (isWrong(opened)) return opened;
  const read = readText(opened.text);
  if (!read) return { wrong: 'What is signed is not an account statement.' };
  const { paper, hash } = read;
  if (paper.origin !== signer.name)
    return { wrong: `It is a statement of ${paper.origin}, not of ${signer.name}.` };
  if (paper.kind !== found.kind)
    return { wrong: `The signature is one of a ${paper.kind.toUpperCase()} file.` };
  if (paper.bytes !== found.signed || hexOf(sha256(bytes.subarray(0, found.signed))) !== hash) {
    return { wrong: 'The file was changed after it was signed.' };
  }
  return paper;
}
