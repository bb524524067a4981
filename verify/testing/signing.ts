import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

/** For tests alone: keys and signatures by Node's own cryptography, so that the verifier meets another's work. */

export interface TestKey {
  name: string;
  vkey: string;
  /** A line of a note for this text. */
  signature: (text: string, time?: number) => string;
}

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key that is always the same for the same name; another of that name has an age. */
export function testKey(name: string, type: 'note' | 'cosignature' = 'note', age = ''): TestKey {
  const seed = createHash('sha256').update(`seed of ${name}${age}`).digest();
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const key = Buffer.concat([Buffer.from([type === 'note' ? 1 : 4]), spki.subarray(-32)]);
  const id = createHash('sha256').update(`${name}\n`).update(key).digest().subarray(0, 4);
  return {
    name,
    vkey: `${name}+${id.toString('hex')}+${key.toString('base64')}`,
    signature(text, time = 1_700_000_000) {
      const stamp = Buffer.alloc(8);
      stamp.writeBigUInt64BE(BigInt(time));
      const signed =
        type === 'note'
          ? [sign(null, Buffer.from(text), privateKey)]
          : [stamp, sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), privateKey)];
      return `\u2014 ${name} ${Buffer.concat([id, ...signed]).toString('base64')}\n`;
    },
  };
}

export function checkpointNote(
  log: TestKey,
  { size, root }: { size: number; root: Uint8Array },
  witnesses: TestKey[] = [],
): string {
  const text = `${log.name}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
  return [text, '\n', ...[log, ...witnesses].map((key) => key.signature(text))].join('');
}
