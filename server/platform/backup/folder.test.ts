import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { segmentsOf } from './base-backup.ts';
import { makeFolders, refuseWithoutRoom, writeFolder, writeNewFile } from './folder.ts';
import { demandWhole, readManifest, refuseNewer, writeManifest } from './manifest.ts';

const dir = mkdtempSync(join(tmpdir(), 'folder-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let stopping = new AbortController();
beforeEach(() => {
  stopping = new AbortController();
});

it('a folder has its name only when it is whole, and a failure or a signal leaves nothing', async () => {
  const folder = join(dir, 'made');
  const write = (after: () => void) =>
    writeFolder(folder, stopping.signal, async (draft) => {
      const written = await writeNewFile(draft, 'file', [Buffer.from('a'), Buffer.from('b')]);
      expect(readdirSync(dir)).toEqual([`made.unfinished-${process.pid}`]);
      after();
      return written;
    });
  const fails = write(() => {
    throw new Error('no more');
  });
  await expect(fails).rejects.toThrow('no more');
  expect(readdirSync(dir)).toEqual([]);
  await expect(write(() => stopping.abort(new Error('told to stop')))).rejects.toThrow('told to stop');
  expect(readdirSync(dir)).toEqual([]);
  stopping = new AbortController();
  expect(await write(() => {})).toMatchObject({ path: 'file', bytes: 2 });
  expect([readdirSync(dir), readFileSync(join(folder, 'file'), 'utf8')]).toEqual([['made'], 'ab']);
});

it('what a kill leaves is not taken for a backup', async () => {
  const unfinished = mkdtempSync(join(dir, 'night.unfinished-'));
  writeFileSync(join(unfinished, 'file'), 'half');
  await expect(readManifest(unfinished)).rejects.toThrow('it has no manifest.json');
});

it('a folder is as its manifest says, or is refused with what is wrong', async () => {
  const folder = join(dir, 'whole');
  const migrations = [{ name: '0001-a.sql', sha256: 'a'.repeat(64) }];
  const about = {
    format: 1,
    kind: 'export',
    version: '1',
    postgres: 180_000,
    mode: null,
    schema: 1,
  } as const;
  const at = new Date(0).toISOString();
  await writeFolder(folder, stopping.signal, async (draft) => {
    const files = [await writeNewFile(draft, 'file', [Buffer.from('ab')])];
    const times = { began: at, asOf: at, ended: at, wal: { start: '0/1', stop: '0/1' } };
    const rest = { migrations, logSize: 0, keptApart: [], folders: [], files };
    await writeManifest(draft, { ...about, ...times, ...rest });
  });
  const file = join(folder, 'file');
  const look = async () => demandWhole(folder, await readManifest(folder));
  await look();
  writeFileSync(file, 'ax');
  await expect(look()).rejects.toThrow('file was changed');
  rmSync(file);
  await expect(look()).rejects.toThrow('file is missing');
  writeFileSync(file, 'ab');
  writeFileSync(join(folder, 'recovery.signal'), '');
  await expect(look()).rejects.toThrow('recovery.signal does not belong to it');
  const manifest = await readManifest(folder);
  expect(() => refuseNewer(manifest, [])).toThrow('A newer version of Tallystick');
  expect(() => refuseNewer(manifest, [{ name: '0001-a.sql', sha256: 'b'.repeat(64) }])).toThrow(
    'another than ours',
  );
  refuseNewer(manifest, migrations);
  const path = join(folder, 'manifest.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"bytes":2', '"bytes":3'));
  await expect(look()).rejects.toThrow('manifest.json was changed');
});

it('nothing is begun that the disk has no room for', async () => {
  await expect(refuseWithoutRoom(dir, 2 ** 60)).rejects.toThrow(
    /^There is no room for it: \d+ MB are needed/,
  );
});

it('the names of the write-ahead log go on after the last of an upper number', () => {
  const names = segmentsOf('0000000100000000000000FE', '000000010000000100000001', 16 * 1024 * 1024);
  expect(names.map((name) => name.slice(8))).toEqual([
    '00000000000000FE',
    '00000000000000FF',
    '0000000100000000',
    '0000000100000001',
  ]);
  expect(() => segmentsOf('000000010000000000000002', '000000020000000000000003', 2 ** 24)).toThrow();
});

it('a backup of files puts nothing anywhere but where it belongs, and holds nothing but plain files', async () => {
  const at = new Date(0).toISOString();
  const make = async (name: string, path: string) => {
    const folder = join(dir, name);
    await writeFolder(folder, stopping.signal, async (draft) => {
      await makeFolders(draft, [dirname(path)]);
      const files = [await writeNewFile(draft, path, [Buffer.from('a')])];
      const about = {
        format: 1,
        kind: 'base',
        version: '1',
        postgres: 180_000,
        mode: null,
        schema: 1,
      } as const;
      const times = { began: at, asOf: at, ended: at, wal: { start: '0/1', stop: '0/1' } };
      const rest = { migrations: [], logSize: 0, keptApart: [], folders: [], files };
      await writeManifest(draft, { ...about, ...times, ...rest });
    });
    return folder;
  };
  const whole = async (folder: string) => demandWhole(folder, await readManifest(folder));
  for (const [at, path] of ['postgres/base/1', 'data/secret', 'data/log/key'].entries())
    await whole(await make(`fits-${at}`, path));
  // The second loses its first letters on the way to DATA_DIR; the third would say that the backup is the newest.
  const odd = ['data/postgres-location', 'aaaaa../pwned.env', 'data/log/checkpoint', 'postgresql.conf'];
  for (const [at, path] of odd.entries())
    await expect(whole(await make(`odd-${at}`, path))).rejects.toThrow(`${path} does not belong to it`);
  const linked = await make('linked', 'data/secret');
  rmSync(join(linked, 'data/secret'));
  symlinkSync('/dev/zero', join(linked, 'data/secret'));
  await expect(whole(linked)).rejects.toThrow('data/secret is no plain file');
});
