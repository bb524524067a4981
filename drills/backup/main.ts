/**
 * `npm run drill:backup -- --seed S [--onto cluster] [--break manifest|wal|rows]`: people move money on a real server while it is backed up
 * and exported; the copies are restored and imported elsewhere, started and compared with a model of what was asked for.
 * With `--onto cluster` the export goes onto three nodes under Patroni, too, through HAProxy, and is looked at there with a
 * worker and a web server: as root, with Debian's packages, in a network of its own. With `--break` a copy is spoilt on the way, and the drill has to end with 1. Everything is on this machine, in a folder
 * that is removed, and bounded in time.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { copyFile, cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readManifest } from '../../server/platform/backup/manifest.ts';
import { findRunningPostgres } from '../../server/platform/embedded-postgres/embedded-postgres.ts';
import { say } from '../ending.ts';
import { goApart, isApart, refuseWhereNotApart } from '../failover/apart.ts';
import { oneOf, readFlags } from '../flags.ts';
import { newSeed } from '../seed.ts';
import { breakBackup, breakings, breakRows } from './breaking.ts';
import { onCluster, startBoth } from './cluster.ts';
import { type Comparison, compare } from './compare.ts';
import { endSites, type House, makeHouse, runCommand, type Site, startSite } from './house.ts';
import { type Load, startLoad } from './load.ts';

const people = 12;
const warmUpMs = 1_500;

const { seed, ...said } = readFlags({ seed: { usual: newSeed(), from: 0 } }, ['break', 'onto']);
const breaking = oneOf('break', said.break, breakings);
const isOntoCluster = oneOf('onto', said.onto, ['cluster']) !== null;
if (isOntoCluster && !isApart()) {
  refuseWhereNotApart('npm run drill:backup -- --onto cluster');
  process.exit(await goApart([...process.argv.slice(1), '--seed', String(seed)], {}));
}

const dir = mkdtempSync(join(tmpdir(), 'drill-backup-'));
// As root the database runs as another user, who has to pass.
chmodSync(dir, 0o755);
const at = (name: string) => join(dir, name);
let refused = 0;

/** Of a command that did not do what it should nothing more can be compared. */
class Refused extends Error {}
async function command(name: string, args: string[], env: Record<string, string>): Promise<void> {
  const begun = performance.now();
  const { code, said } = await runCommand(name, args, { dir, env });
  say(
    `${name} ended with ${code} after ${((performance.now() - begun) / 1000).toFixed(1)} s: ${said.replaceAll('\n', ' ')}`,
  );
  if (code !== 0) throw new Refused(name);
}

/** Backup and export, one after the other, while everyone goes on. */
async function copyUnderLoad(house: House): Promise<Load> {
  const env = { DATA_DIR: at('data') };
  const site = await startSite(dir, env);
  try {
    const load = startLoad(house, site, seed);
    try {
      await delay(warmUpMs);
      await command('backup', [at('backup')], env);
      await command('export', [at('export')], env);
      await delay(warmUpMs / 3);
    } finally {
      await load.stop();
    }
    const { asked, failures } = load;
    say(
      `${asked.length} asked for, ${asked.filter(({ doneAt }) => doneAt !== null).length} answered as done, ${failures.length} failed.`,
    );
    if (failures[0]) throw new Error(`The server failed under load: ${failures[0]}`);
    return load;
  } finally {
    await site.stop();
  }
}

async function compareCopy(
  house: House,
  { asked }: Load,
  dataDir: string,
  from: string,
): Promise<Comparison> {
  const site = await startSite(dir, { DATA_DIR: dataDir });
  try {
    const running = await findRunningPostgres({ dataDir });
    const url = (running?.adminUrl ?? '').replace(/\/postgres$/, '/tallystick');
    await breakRows(url, breaking);
    const { asOf, ended } = await readManifest(from);
    const found = await compare(house, asked, { url, site, asOf, ended });
    for (const each of await watchLog(site, dataDir, from === at('backup'))) found.differences.push(each);
    return found;
  } finally {
    await site.stop();
  }
}

/** A restored log is not signed before it was said what was signed last; an imported one came with that. */
async function watchLog(site: Site, dataDir: string, isRestored: boolean): Promise<string[]> {
  const state = async () => {
    const answer = await fetch(`${site.url}/api/proof/state`);
    return ((await answer.json()) as { stopped: string | null }).stopped;
  };
  const becomes = async (wanted: (stopped: string | null) => boolean) => {
    for (let tries = 0; tries < 100; tries += 1, await delay(100)) if (wanted(await state())) return true;
    return false;
  };
  const wrong: string[] = [];
  if (isRestored) {
    if (!(await becomes((stopped) => stopped !== null))) wrong.push('the log goes on without a checkpoint');
    await copyFile(at('data/log/checkpoint'), join(dataDir, 'log', 'checkpoint'));
  }
  if (!(await becomes((stopped) => stopped === null))) wrong.push(`the log does not go on: ${await state()}`);
  return wrong;
}

/** Row by row, by what the databases themselves say they come to; the check of the books leaves one of its own. */
async function exportedAgain(folder: string, env: Record<string, string>): Promise<string[]> {
  await command('export', [folder], env);
  const [before, after] = [await readManifest(at('export')), await readManifest(folder)];
  return (before.tables ?? []).flatMap((table) => {
    const there = after.tables?.find(({ name }) => name === table.name);
    const isSame = there?.rows === table.rows && there.sum === table.sum;
    return isSame || /ledger_checks$/.test(table.name) ? [] : [`${table.name} is another after the move`];
  });
}

async function drill(): Promise<Comparison[]> {
  const house = await makeHouse(at('data'), people);
  const load = await copyUnderLoad(house);
  await breakBackup(at('backup'), breaking);
  await command('restore', [at('backup')], { DATA_DIR: at('restored') });
  const restored = await compareCopy(house, load, at('restored'), at('backup'));
  await command('ledger-check', [], { DATA_DIR: at('restored') });
  await command('import', [at('export')], { DATA_DIR: at('moved') });
  const differences = await exportedAgain(at('again'), { DATA_DIR: at('moved') });
  // What a move takes along by hand, as docs/operations.md says.
  await copyFile(at('data/secret'), at('moved/secret'));
  await mkdir(at('moved/log'), { recursive: true });
  await cp(at('data/log'), at('moved/log'), { recursive: true });
  const moved = await compareCopy(house, load, at('moved'), at('export'));
  moved.differences.push(...differences);
  return isOntoCluster ? [restored, moved, await moveOntoCluster(house, load)] : [restored, moved];
}

async function moveOntoCluster(house: House, { asked }: Load): Promise<Comparison> {
  const dir = at('apart');
  return onCluster(dir, at('data'), async (moved) => {
    await command('import', [at('export')], moved.env);
    const differences = await exportedAgain(at('of-cluster'), moved.env);
    await command('ledger-check', [], moved.env);
    const site = await startBoth(dir, moved);
    try {
      await breakRows(moved.adminUrl, breaking);
      const { asOf, ended } = await readManifest(at('export'));
      const found = await compare(house, asked, { url: moved.adminUrl, site, asOf, ended });
      differences.push(...(await watchLog(site, dir, false)));
      return { ...found, differences: [...found.differences, ...differences] };
    } finally {
      await site.stop();
    }
  });
}

/** Whoever interrupts a drill finds nothing of it left. */
async function end(): Promise<void> {
  await endSites();
  rmSync(dir, { recursive: true, force: true });
  process.exit(1);
}
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void end());

say(`seed ${seed}`);
let found: Comparison[] = [];
try {
  found = await drill();
} catch (error) {
  if (!(error instanceof Refused)) say(String((error as Error).stack));
  refused = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
const all = (of: 'lost' | 'uninvited' | 'differences') => found.flatMap((each) => each[of]);
for (const each of ['lost', 'uninvited', 'differences'] as const) {
  for (const one of all(each).slice(0, 5)) say(`  ${each}: ${one}`);
}
const [lost, uninvited, differences] = [
  all('lost').length,
  all('uninvited').length,
  all('differences').length,
];
const acknowledged = found.reduce((sum, each) => sum + each.acknowledged, 0);
say(
  `seed ${seed}, acknowledged ${acknowledged}, lost ${lost}, uninvited ${uninvited}, differences ${differences}, refused ${refused}`,
);
process.exitCode = refused + lost + uninvited + differences > 0 || acknowledged === 0 ? 1 : 0;
