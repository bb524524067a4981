import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';

/**
 * A zip that is sent while it is read: of a file only the piece at hand is in memory, and who takes nothing is not read
 * for. Sizes and checksums follow their file (APPNOTE 4.3.9), as nobody knows them before. Without ZIP64: what is larger
 * than it can say fails, and what fails has no directory at its end, so that no program takes it for a whole one.
 */

export interface ZippedFile {
  name: string;
  content: AsyncIterable<string | Buffer>;
}

interface Written {
  name: Buffer;
  crc: number;
  packedBytes: number;
  bytes: number;
  at: number;
}

const bytesMax = 0xffff_ffff;
const version = 20;
/** The sizes follow, and names are UTF-8. */
const flags = 0x0808;
const deflated = 8;

/** As MS-DOS has it: in steps of two seconds, without a time zone; here it is UTC. */
function dosTime(at: Date): { time: number; day: number } {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return { time, day };
}

const numbers = (...fields: [bytes: 2 | 4, value: number][]) => {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
};

function localHead(name: Buffer, { time, day }: ReturnType<typeof dosTime>): Buffer {
  const sizes: [4, number][] = [
    [4, 0],
    [4, 0],
    [4, 0],
  ];
  const head = numbers(
    [4, 0x04034b50],
    [2, version],
    [2, flags],
    [2, deflated],
    [2, time],
    [2, day],
    ...sizes,
    [2, name.length],
    [2, 0],
  );
  return Buffer.concat([head, name]);
}

const descriptor = ({ crc, packedBytes, bytes }: Written) =>
  numbers([4, 0x08074b50], [4, crc], [4, packedBytes], [4, bytes]);

function directoryEntry(written: Written, { time, day }: ReturnType<typeof dosTime>): Buffer {
  const { name, crc, packedBytes, bytes, at } = written;
  const entry = numbers(
    [4, 0x02014b50],
    [2, version],
    [2, version],
    [2, flags],
    [2, deflated],
    [2, time],
    [2, day],
    [4, crc],
    [4, packedBytes],
    [4, bytes],
    [2, name.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, at],
  );
  return Buffer.concat([entry, name]);
}

function directoryEnd(count: number, bytes: number, at: number): Buffer {
  return numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, bytes], [4, at], [2, 0]);
}

/** One that is destroyed drains no more. */
async function roomIn(deflate: DeflateRaw): Promise<void> {
  if (deflate.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  deflate.once('drain', resolve).once('close', resolve);
  await promise;
  deflate.off('drain', resolve).off('close', resolve);
}

/** Packs what it is given, and counts it. */
async function* packed(content: ZippedFile['content'], written: Written): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw();
  const feeding = (async () => {
    for await (const part of content) {
      const piece = typeof part === 'string' ? Buffer.from(part) : part;
      written.crc = crc32(piece, written.crc);
      written.bytes += piece.length;
      if (written.bytes > bytesMax) throw new Error('a file is too large for a zip');
      if (!deflate.write(piece)) await roomIn(deflate);
      // Whoever asked for it has left.
      if (deflate.destroyed) return;
    }
    deflate.end();
  })();
  feeding.catch((error) => deflate.destroy(error));
  try {
    for await (const piece of deflate) {
      written.packedBytes += piece.length;
      yield piece;
    }
    await feeding;
  } finally {
    deflate.destroy();
    // What is being read for it may belong to a transaction that ends next.
    await feeding.catch(() => {});
  }
}

export async function* zipped(files: Iterable<ZippedFile>, now: Date): AsyncGenerator<Buffer> {
  const when = dosTime(now);
  const all: Written[] = [];
  let at = 0;
  const sent = (piece: Buffer) => {
    at += piece.length;
    if (at > bytesMax) throw new Error('this is too large for a zip');
    return piece;
  };
  for (const file of files) {
    const written: Written = { name: Buffer.from(file.name), crc: 0, packedBytes: 0, bytes: 0, at };
    yield sent(localHead(written.name, when));
    for await (const piece of packed(file.content, written)) yield sent(piece);
    yield sent(descriptor(written));
    all.push(written);
  }
  const start = at;
  for (const written of all) yield sent(directoryEntry(written, when));
  yield directoryEnd(all.length, at - start, start);
}
