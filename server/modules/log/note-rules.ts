import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Checkpoints of the log as signed notes: C2SP `tlog-checkpoint`, `signed-note`, `tlog-cosignature`. */

export interface Checkpoint {
  size: number;
  root: Buffer;
}

export const checkpointText = (origin: string, { size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

const checkpointShape = /^[^\n]+\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n\n/;

/** What a note says of the tree, whoever has signed it; null when it is none. */
export function parseCheckpoint(note: string): Checkpoint | null {
  const [, size, root] = checkpointShape.exec(note) ?? [];
  if (size === undefined || root === undefined || !Number.isSafeInteger(Number(size))) return null;
  return { size: Number(size), root: Buffer.from(root, 'base64') };
}

/** Kinds of signatures. */
const byLog = 0x01;
const byWitness = 0x04;

const rawKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
const typed = (type: number, raw: Uint8Array) => Buffer.concat([Buffer.from([type]), raw]);

/** A short name of a key, so that its signatures are found among others. */
const keyId = (name: string, typedKey: Uint8Array): Buffer =>
  createHash('sha256').update(`${name}\n`).update(typedKey).digest().subarray(0, 4);

/** What a verifier is given: `name+id+key`. */
export function vkeyOf(name: string, key: KeyObject): string {
  const typedKey = typed(byLog, rawKey(key));
  return `${name}+${keyId(name, typedKey).toString('hex')}+${typedKey.toString('base64')}`;
}

const lineOf = (name: string, id: Uint8Array, signature: Uint8Array): string =>
  `— ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;

/** One signature for each key: while a key is being replaced, verifiers of the old one and of the new one are content. */
export const logSignatures = (origin: string, text: string, keys: readonly KeyObject[]): string[] =>
  keys.map((key) =>
    lineOf(origin, keyId(origin, typed(byLog, rawKey(key))), sign(null, Buffer.from(text), key)),
  );

export const noteOf = (text: string, lines: readonly string[]): string => `${text}\n${lines.join('')}`;

export interface WitnessKey {
  name: string;
  id: Buffer;
  key: KeyObject;
}

const fromBase64 = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
};

export function parseWitnessVkey(vkey: string): WitnessKey {
  const [, name = '', hex = '', base64 = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(vkey) ?? [];
  const typedKey = fromBase64(base64);
  const isRight =
    typedKey?.length === 33 && typedKey[0] === byWitness && keyId(name, typedKey).toString('hex') === hex;
  if (!isRight) throw new Error(`This is not the key of a witness (name+id+key, Ed25519, type 4): ${vkey}`);
  const x = typedKey.subarray(1).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return { name, id: keyId(name, typedKey), key };
}

export interface Cosignature {
  line: string;
  /** When the witness says that it signed. */
  at: Date;
}

const cosignatureBytes = 4 + 8 + 64;
/** The last second that a date can hold. */
const secondsMax = 8_640_000_000_000n;

/** The first of the lines that is this witness's signature under a checkpoint. */
export function findCosignature(
  lines: readonly string[],
  text: string,
  witness: WitnessKey,
): Cosignature | null {
  for (const line of lines) {
    const [, name, base64 = ''] = /^— (\S+) (\S+)\n$/.exec(line) ?? [];
    const bytes = name === witness.name ? fromBase64(base64) : null;
    if (bytes?.length !== cosignatureBytes || !bytes.subarray(0, 4).equals(witness.id)) continue;
    const seconds = bytes.readBigUInt64BE(4);
    const signed = Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);
    if (seconds > secondsMax || !verify(null, signed, witness.key, bytes.subarray(12))) continue;
    return { line, at: new Date(Number(seconds) * 1000) };
  }
  return null;
}
