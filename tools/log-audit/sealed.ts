import { createDecipheriv, scryptSync } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { NotReachable } from './served.ts';

const headMax = 200;
const partBytesMax = 16 * 1024 * 1024;
const tagBytes = 16;

/** The lines of a sealed file, read as they are asked for. `docs/trust.md` says how such a file is made. */
export function* sealedLines(path: string, passphrase: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const read = (at: number, length: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, at));
    };
    const head = read(0, headMax).toString('latin1');
    const [whole = '', salt = ''] =
      /^tallystick-sealed\/v1\nscrypt 32768 8 1 ([0-9a-f]{32})\n/.exec(head) ?? [];
    if (!whole) throw new NotReachable(`${path} is not a sealed file.`);
    const options = { cost: 32_768, blockSize: 8, parallelization: 1, maxmem: 2 ** 27 };
    const key = scryptSync(passphrase, Buffer.from(salt, 'hex'), 32, options);
    let rest = '';
    for (let [at, number, isLast] = [whole.length, 0, false]; !isLast; number += 1) {
      const length = read(at, 4);
      const size = length.length === 4 ? length.readUInt32BE() : Number.POSITIVE_INFINITY;
      if (size > partBytesMax) throw new NotReachable(`${path} was cut off or damaged.`);
      const part = read(at + 4, size + tagBytes);
      at += 4 + size + tagBytes;
      isLast = read(at, 1).length === 0;
      const lines = (rest + openPart({ path, key, number, part, isLast }).toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest) throw new NotReachable(`${path} ends within a line.`);
  } finally {
    closeSync(file);
  }
}

interface Part {
  path: string;
  key: Buffer;
  number: number;
  part: Buffer;
  isLast: boolean;
}

function openPart({ path, key, number, part, isLast }: Part): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 6, 6);
  const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.of(isLast ? 1 : 0));
  try {
    cipher.setAuthTag(part.subarray(-tagBytes));
    return Buffer.concat([cipher.update(part.subarray(0, -tagBytes)), cipher.final()]);
  } catch {
    throw new NotReachable(`${path} cannot be opened: another passphrase, cut off, or damaged.`);
  }
}
