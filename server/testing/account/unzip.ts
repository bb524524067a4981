import { crc32, inflateRawSync } from 'node:zlib';

/**
 * What is in a zip, as a program reads it that begins with the directory at its end. Written from the format's
 * description and not from our writer.
 */
export function unzipped(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'));
  if (end < 0 || end + 22 !== bytes.length) throw new Error('no directory');
  const count = bytes.readUInt16LE(end + 10);
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  if (at + bytes.readUInt32LE(end + 12) !== end) throw new Error('the directory is not where it should be');
  for (let n = 0; n < count; n += 1) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('no entry of a directory');
    const [crc, packed, size] = [16, 20, 24].map((offset) => bytes.readUInt32LE(at + offset));
    const nameBytes = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes);
    const head = bytes.readUInt32LE(at + 42);
    if (bytes.readUInt32LE(head) !== 0x04034b50) throw new Error(`no file where ${name} should be`);
    const from = head + 30 + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28);
    const content = inflateRawSync(bytes.subarray(from, from + (packed ?? 0)));
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is not what it was`);
    files.set(name, content);
    at += 46 + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}
