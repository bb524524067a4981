import { createCipheriv, randomBytes, randomInt, scryptSync } from 'node:crypto';

/**
 * A file that only whoever was told its passphrase can read, made while it is sent, of any length. It begins with two
 * lines of text:
 *
 *     tallystick-sealed/v1
 *     scrypt 32768 8 1 <salt, 32 hexadecimal digits>
 *
 * The key is scrypt (N, r, p, 32 bytes) of the passphrase. Then come parts: the length of what is sealed in it as u32
 * (big-endian), that, and a tag of 16 bytes, by AES-256-GCM. A part's nonce is its number from 0 on, in 12 bytes; the
 * additional data is one byte, 1 for the last part and 0 for the others, so that a file that was cut off is found out.
 */
const [cost, blockSize, parallelization] = [32_768, 8, 1] as const;
const partBytes = 64 * 1024;
/** Letters and digits that are not mistaken for each other; 25 of them are 122 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz2345679';
const groups = 5;
const groupLength = 5;

export function newPassphrase(): string {
  const letter = () => alphabet[randomInt(alphabet.length)];
  const group = () => Array.from({ length: groupLength }, letter).join('');
  return Array.from({ length: groups }, group).join('-');
}

function sealedPart(key: Buffer, number: number, plain: Buffer, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 6, 6);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from([isLast ? 1 : 0]));
  const sealed = cipher.update(plain);
  cipher.final();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(sealed.length);
  return Buffer.concat([length, sealed, cipher.getAuthTag()]);
}

/** Seals lines of text. */
export async function* sealedLines(lines: AsyncIterable<string>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(16);
  const options = { cost, blockSize, parallelization, maxmem: 2 ** 27 };
  const key = scryptSync(passphrase, salt, 32, options);
  yield Buffer.from(
    `tallystick-sealed/v1\nscrypt ${cost} ${blockSize} ${parallelization} ${salt.toString('hex')}\n`,
  );
  let number = 0;
  let waiting = '';
  for await (const line of lines) {
    waiting += `${line}\n`;
    if (waiting.length < partBytes) continue;
    yield sealedPart(key, number, Buffer.from(waiting), false);
    number += 1;
    waiting = '';
  }
  yield sealedPart(key, number, Buffer.from(waiting), true);
}
