import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { unzipped } from '../testing/account/unzip.ts';
import { zipped } from './zip.ts';

const now = new Date('2026-11-15T09:30:20Z');
const made = async (files: Record<string, AsyncIterable<string | Buffer>>) =>
  Buffer.concat(
    await Readable.from(
      zipped(
        Object.entries(files).map(([name, content]) => ({ name, content })),
        now,
      ),
    ).toArray(),
  );

async function* lines(count: number) {
  for (let n = 0; n < count; n += 1) yield `line ${n}, as long as it takes\n`;
}

describe('a zip that is sent while it is read', () => {
  it('is read by another reader, whatever is in it', async () => {
    const bytes = await made({
      'README.txt': Readable.from(['Grüße']),
      'empty.csv': Readable.from([]),
      'long.csv': lines(50_000),
      'bytes.bin': Readable.from([Buffer.from([0, 255, 80, 75, 5, 6])]),
    });
    const files = unzipped(bytes);
    expect([...files.keys()]).toEqual(['README.txt', 'empty.csv', 'long.csv', 'bytes.bin']);
    expect(String(files.get('README.txt'))).toBe('Grüße');
    expect(files.get('empty.csv')).toHaveLength(0);
    expect(String(files.get('long.csv')).split('\n')).toHaveLength(50_001);
    expect(files.get('bytes.bin')).toEqual(Buffer.from([0, 255, 80, 75, 5, 6]));
    expect(() => unzipped(bytes.subarray(0, -1))).toThrow('no directory');
  });

  it('is read by programs that people have, where there are any', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'zip-'));
    try {
      const path = join(dir, 'all.zip');
      await writeFile(
        path,
        await made({ 'a/README.txt': Readable.from(['Hello']), 'rows.csv': lines(1000) }),
      );
      const script = `import zipfile; z = zipfile.ZipFile('${path}'); print(z.testzip(), len(z.namelist()), z.infolist()[0].date_time)`;
      const told = await promisify(execFile)('python3', ['-c', script]).catch((error) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (told) expect(told.stdout.trim()).toBe('None 2 (2026, 11, 15, 9, 30, 20)');
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('has no end when what it is made of breaks off, and reads no further than it is asked to', async () => {
    async function* breaking() {
      yield* lines(10);
      throw new Error('the database is gone');
    }
    const pieces: Buffer[] = [];
    const reading = (async () => {
      for await (const piece of zipped([{ name: 'all.csv', content: breaking() }], now)) pieces.push(piece);
    })();
    await expect(reading).rejects.toThrow('the database is gone');
    expect(() => unzipped(Buffer.concat(pieces))).toThrow('no directory');

    let read = 0;
    let isLetGo = false;
    async function* counted() {
      try {
        for (;;) {
          read += 1;
          yield Buffer.from(crypto.getRandomValues(new Uint8Array(16_384)));
        }
      } finally {
        isLetGo = true;
      }
    }
    const zip = zipped([{ name: 'endless.bin', content: counted() }], now);
    for (let n = 0; n < 3; n += 1) await zip.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(read).toBeLessThan(20);
    await zip.return(undefined);
    expect(isLetGo).toBe(true);
  });
});
