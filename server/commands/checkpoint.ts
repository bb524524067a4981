import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Manifest } from '../platform/backup/manifest.ts';
import { Refusal } from '../platform/backup/refusal.ts';
import { say } from './told.ts';

/**
 * A database that was brought back may be older than what was signed, and nothing in it can tell. So the log is not signed
 * before somebody has said what was signed last: this is no checkpoint, and the server stops at it.
 */
const unknownCheckpoint = (asOf: string) =>
  `Brought back as of ${asOf}. Put the newest log/checkpoint of this log in the place of this file;
docs/operations.md, Restore, says what to do when there is none.
`;

const checkpointOf = (dataDir: string) => join(dataDir, 'log', 'checkpoint');

export function refuseCheckpoint(given: string | undefined, dataDir: string): void {
  if (given === undefined) return;
  if (!existsSync(given)) throw new Refusal('failed', `There is no file ${given}.`);
  const path = checkpointOf(dataDir);
  if (existsSync(path)) {
    throw new Refusal('failed', `${path} is there already and guards the log: leave out --checkpoint.`);
  }
}

/** One that is there already knows best; whoever restores beside it gives no other. */
export async function putCheckpoint(
  dataDir: string,
  given: string | undefined,
  { asOf }: Manifest,
): Promise<void> {
  const path = checkpointOf(dataDir);
  if (existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  if (given === undefined) await writeFile(path, unknownCheckpoint(asOf));
  else await copyFile(given, path);
}

interface Filling {
  dataDir: string;
  checkpoint: string | undefined;
  manifest: Manifest;
  fill(): Promise<void>;
  /** Asked when it failed: a word that is lost on the way may still have been heard. */
  isEmpty(): Promise<boolean>;
}

/** Fills a database that only ever has rows in it while the checkpoint guards them: no server may find it otherwise. */
export async function fillGuarded({ dataDir, checkpoint, manifest, fill, isEmpty }: Filling): Promise<void> {
  const isNew = !existsSync(checkpointOf(dataDir));
  await putCheckpoint(dataDir, checkpoint, manifest);
  try {
    await fill();
  } catch (error) {
    if (isNew && (await isEmpty().catch(() => false))) await rm(checkpointOf(dataDir), { force: true });
    throw error;
  }
}

export async function sayWhetherSigned(dataDir: string, { asOf }: Manifest): Promise<void> {
  if ((await readFile(checkpointOf(dataDir), 'utf8').catch(() => '')) !== unknownCheckpoint(asOf)) return;
  say('The public log is not signed until log/checkpoint is there: docs/operations.md, Restore.');
}
