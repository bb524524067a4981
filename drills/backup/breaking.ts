import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** What the drill must notice: each is done to a backup that was good. */
export const breakings = ['manifest', 'wal', 'rows'] as const;
export type Breaking = (typeof breakings)[number];

/** A file that is not as its manifest says; or the last of the write-ahead log gone, with a manifest that fits. */
export async function breakBackup(folder: string, how: Breaking | null): Promise<void> {
  if (how === 'manifest') await appendFile(join(folder, 'postgres', 'postgresql.conf'), '\n');
  if (how !== 'wal') return;
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse((await readFile(path, 'utf8')).split('\n')[0] ?? '');
  const isSegment = (file: { path: string }) => /^postgres\/pg_wal\/\w{24}$/.test(file.path);
  const last = manifest.files.findLast(isSegment);
  manifest.files = manifest.files.filter((file: unknown) => file !== last);
  await rm(join(folder, last.path));
  const text = JSON.stringify(manifest);
  await writeFile(path, `${text}\n${createHash('sha256').update(text).digest('hex')}\n`);
}

/** A copy in which no movement bears the key of the first command, as if that had not been copied; its books agree. */
export async function breakRows(adminUrl: string, how: Breaking | null): Promise<void> {
  if (how !== 'rows') return;
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`set session_replication_role = replica;
    create temp table first as select id, gen_random_uuid() as other from ledger_movements
      where body_sha256 is not null order by number limit 1;
    update ledger_entries set movement_id = other from first where movement_id = first.id;
    update ledger_movements m set id = other from first where m.id = first.id`);
  await client.end();
}
