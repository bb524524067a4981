/**
 * A witness of public logs, as C2SP `tlog-witness` describes it. It signs a log's newest checkpoint only when that
 * contains everything it has signed before: a log that shows one history to some and another to others cannot have
 * both witnessed. Nothing here is Tallystick's: copy this folder to a machine of your own, which needs Node 24 or newer
 * and nothing else.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface WitnessAnswer {
  status: number;
  type: string;
  body: string;
}

export interface Witness {
  vkey: string;
  addCheckpoint(body: string): WitnessAnswer;
}

const sha256 = (...parts: (Uint8Array | string)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const parentOf = (left: Buffer, right: Buffer) => sha256(Buffer.from([1]), left, right);
const emptyRoot = sha256();

/** Strict: one spelling for one value. */
function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** On the disk, whole, before this returns. */
function keep(dir: string, name: string, text: string, mode = 0o644): void {
  const draft = join(dir, `.${name}.${process.pid}`);
  const file = openSync(draft, 'w', mode);
  writeFileSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, join(dir, name));
  const folder = openSync(dir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

const logSignature = 1;
const cosignature = 4;
const rawKey = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
const keyIdOf = (name: string, typedKey: Uint8Array) => sha256(`${name}\n`, typedKey).subarray(0, 4);

interface LogKey {
  origin: string;
  id: Buffer;
  key: KeyObject;
}

function parseLogVkey(vkey: string): LogKey {
  const [, origin = '', hex = '', base64 = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(vkey) ?? [];
  const typedKey = fromBase64(base64);
  const id = typedKey && keyIdOf(origin, typedKey);
  if (typedKey?.length !== 33 || typedKey[0] !== logSignature || id?.toString('hex') !== hex) {
    throw new Error(`This is not the key of a log (name+id+key, Ed25519): ${vkey}`);
  }
  const x = typedKey.subarray(1).toString('base64url');
  return { origin, id, key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }) };
}

interface Submitted {
  oldSize: number;
  proof: Buffer[];
  /** What is signed, with the last line's end. */
  text: string;
  origin: string;
  size: number;
  root: Buffer;
  signatures: { name: string; bytes: Buffer }[];
}

const proofLinesMax = 63;
const signaturesMax = 64;
const sizeShape = /^(0|[1-9]\d{0,15})$/;
const readSize = (text: string | undefined) =>
  text !== undefined && sizeShape.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;

/** Null when it is not what a log sends. */
function parseSubmitted(body: string): Submitted | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a signed note has none but line ends.
  if (/[\x00-\x09\x0b-\x1f\ufffd]/.test(body) || !body.endsWith('\n')) return null;
  const split = body.indexOf('\n\n');
  const [first = '', ...proofLines] = body.slice(0, split).split('\n');
  const note = body.slice(split + 2);
  const end = note.lastIndexOf('\n\n');
  if (split < 0 || end < 0) return null;
  const text = note.slice(0, end + 1);
  const oldSize = readSize(/^old (\d+)$/.exec(first)?.[1]);
  const proof = proofLines.map((line) => fromBase64(line));
  const [origin = '', sizeLine, rootLine = '', ...rest] = text.split('\n');
  const size = readSize(sizeLine);
  const root = fromBase64(rootLine);
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.map((line) => {
    const [, name = '', base64 = ''] = /^— ([^\s+]+) (\S+)$/.exec(line) ?? [];
    const bytes = fromBase64(base64);
    return name !== '' && bytes && bytes.length > 4 ? { name, bytes } : null;
  });
  const isWhole =
    proofLines.length <= proofLinesMax &&
    lines.length <= signaturesMax &&
    origin !== '' &&
    root?.length === 32 &&
    rest.at(-1) === '' &&
    !rest.slice(0, -1).includes('') &&
    proof.every((hash) => hash?.length === 32) &&
    signatures.every((signature) => signature !== null);
  if (oldSize === null || size === null || !root || !isWhole) return null;
  return {
    oldSize,
    size,
    root,
    origin,
    text,
    proof: proof as Buffer[],
    signatures: signatures as Submitted['signatures'],
  };
}

/** RFC 9162, 2.1.4.2: whether a tree of the new size with this root begins with the old tree. */
function isConsistent(known: { size: number; root: Buffer }, { size, root, proof }: Submitted): boolean {
  if (known.size === 0) return proof.length === 0 && (size > 0 || root.equals(emptyRoot));
  if (known.size === size) return proof.length === 0 && known.root.equals(root);
  // As bits: sizes may be beyond what JavaScript shifts.
  let node = BigInt(known.size) - 1n;
  let last = BigInt(size) - 1n;
  const path = [...proof];
  if ((BigInt(known.size) & (BigInt(known.size) - 1n)) === 0n) path.unshift(known.root);
  while (node & 1n) {
    node >>= 1n;
    last >>= 1n;
  }
  const [start, ...others] = path;
  if (!start) return false;
  let oldRoot = start;
  let newRoot = start;
  for (const hash of others) {
    if (last === 0n) return false;
    if (node & 1n || node === last) {
      oldRoot = parentOf(hash, oldRoot);
      newRoot = parentOf(hash, newRoot);
      while (!(node & 1n) && node !== 0n) {
        node >>= 1n;
        last >>= 1n;
      }
    } else newRoot = parentOf(newRoot, hash);
    node >>= 1n;
    last >>= 1n;
  }
  return last === 0n && oldRoot.equals(known.root) && newRoot.equals(root);
}

/** Of each kind. */
const evidenceMax = 100;
const plain = 'text/plain; charset=utf-8';
const answer = (status: number, words: string): WitnessAnswer => ({
  status,
  type: plain,
  body: `${words}\n`,
});

function readOrMakeKey(dir: string): KeyObject {
  const path = join(dir, 'key');
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    keep(dir, 'key', String(privateKey.export({ type: 'pkcs8', format: 'pem' })), 0o600);
  }
  return createPrivateKey(readFileSync(path));
}

/** What a witness must not forget: the newest checkpoint of each log, and those that it has refused. */
function createMemory(dir: string) {
  const fileOf = (origin: string) => `${sha256(origin).toString('hex').slice(0, 32)}.checkpoint`;

  function knownOf(origin: string): { size: number; root: Buffer } {
    const path = join(dir, fileOf(origin));
    if (!existsSync(path)) return { size: 0, root: emptyRoot };
    const [keptOrigin, sizeLine, rootLine = ''] = readFileSync(path, 'utf8').split('\n');
    const size = readSize(sizeLine);
    const root = fromBase64(rootLine);
    // Rather no signature than one that forgets.
    if (keptOrigin !== origin || size === null || root?.length !== 32) throw new Error(`${path} is damaged`);
    return { size, root };
  }

  /**
   * The log has signed both: whoever sees both files knows that it has shown two histories. Two roots of one size show it
   * by themselves (`fork`); a proof that is none may be nonsense, of which so much is sent that it must not take their place.
   */
  function keepEvidence({ origin, size, root }: Submitted, note: string, kind: 'fork' | 'unproven'): void {
    const refused = join(dir, 'refused');
    mkdirSync(refused, { recursive: true });
    const file = `${fileOf(origin)}.${size}.${root.toString('hex').slice(0, 16)}.${kind}`;
    const count = readdirSync(refused).filter((name) => name.endsWith(`.${kind}`)).length;
    if (count < evidenceMax && !existsSync(join(refused, file))) keep(refused, file, note);
  }

  return {
    knownOf,
    keepEvidence,
    keepNewest: (origin: string, note: string) => keep(dir, fileOf(origin), note),
  };
}

/**
 * Everything in it is done at once, without waiting in between, so of two requests one comes first. One process for one
 * folder: two would not know of each other.
 */
export function createWitness(needs: {
  name: string;
  dir: string;
  logs: string[];
  now?: () => Date;
}): Witness {
  const { name, dir, logs, now = () => new Date() } = needs;
  if (!/^[^\s+]+$/.test(name)) throw new Error('A witness’s name has no spaces and no plus sign.');
  mkdirSync(dir, { recursive: true });
  const key = readOrMakeKey(dir);
  const trusted = logs.map(parseLogVkey);
  const typedKey = Buffer.concat([Buffer.from([cosignature]), rawKey(createPublicKey(key))]);
  const id = keyIdOf(name, typedKey);

  const memory = createMemory(dir);

  function cosign(text: string): string {
    const seconds = Math.floor(now().getTime() / 1000);
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(seconds));
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), key);
    return `— ${name} ${Buffer.concat([id, time, signature]).toString('base64')}\n`;
  }

  function isSigned({ origin, text, signatures }: Submitted): boolean {
    const keys = trusted.filter((each) => each.origin === origin);
    const verdicts = signatures.flatMap(({ name: signer, bytes }) => {
      const known = keys.find((each) => signer === origin && each.id.equals(bytes.subarray(0, 4)));
      return known ? [verify(null, Buffer.from(text), known.key, bytes.subarray(4))] : [];
    });
    return verdicts.length > 0 && verdicts.every((isRight) => isRight);
  }

  return {
    vkey: `${name}+${id.toString('hex')}+${typedKey.toString('base64')}`,

    addCheckpoint(body) {
      const submitted = parseSubmitted(body);
      if (!submitted) return answer(400, 'This is not a checkpoint with its proof.');
      const { origin, oldSize, size, root, text } = submitted;
      if (!trusted.some((log) => log.origin === origin)) return answer(404, 'This log is not known here.');
      if (!isSigned(submitted)) return answer(403, 'No key that is known here has signed this.');
      if (oldSize > size) return answer(400, 'The old size is above the new one.');
      const known = memory.knownOf(origin);
      const note = body.slice(body.indexOf('\n\n') + 2);
      if (oldSize !== known.size) return { status: 409, type: 'text/x.tlog.size', body: `${known.size}\n` };
      if (size === known.size && !root.equals(known.root)) {
        memory.keepEvidence(submitted, note, 'fork');
        return { status: 409, type: 'text/x.tlog.size', body: `${known.size}\n` };
      }
      if (!isConsistent(known, submitted)) {
        memory.keepEvidence(submitted, note, 'unproven');
        return answer(422, 'The proof does not show that this log contains the one that was signed here.');
      }
      if (size !== known.size) memory.keepNewest(origin, note);
      return { status: 200, type: plain, body: cosign(text) };
    },
  };
}
