import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkAll, mirrorIn, withDatabase } from '../checks.ts';
import { createField, invent, takeTheField, untilAllAreTold } from '../field.ts';
import { investors } from '../investor.ts';
import { startMailServer } from '../mail-server.ts';
import { chanceOf } from '../seed.ts';
import { createSite, type Site } from '../site.ts';
import { catchUpMsMax, type Told, untilMoneyMoves } from './ground.ts';

const sizeMb = 260;
const readyMsMax = 180_000;
const fullMs = 15_000;

/** A disk of its own, where this machine lets us make one; null where it does not. */
function smallDisk(): { dir: string; remove(): void } | null {
  const dir = mkdtempSync(join(tmpdir(), 'tallystick-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=755`, 'tmpfs', dir], {
      stdio: 'ignore',
    });
  } catch {
    rmdirSync(dir);
    return null;
  }
  return {
    dir,
    remove() {
      execFileSync('umount', ['--lazy', dir]);
      rmdirSync(dir);
    },
  };
}

/** To the last byte; what is in it does not matter. */
function fill(file: string): void {
  const piece = Buffer.alloc(256 * 1024);
  try {
    for (let pieces = 0; pieces < 4 * sizeMb; pieces += 1) appendFileSync(file, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** A log that has to grow cannot: PostgreSQL gives up with PANIC rather than go on without it. */
async function fillUntilPanic(site: Site): Promise<boolean> {
  const file = join(site.dir, 'ballast');
  let panicked = false;
  const giveUpAt = performance.now() + fullMs;
  while (performance.now() < giveUpAt) {
    fill(file);
    await withDatabase(site.adminUrl(), (client) => client.query('select pg_switch_wal()')).catch(() => {});
    panicked ||= /PANIC/.test(site.said());
    // Whoever runs the server starts it again, on a disk that is still full.
    if (!site.isRunning()) {
      panicked ||= /PANIC/.test(site.gaveUp.at(-1)?.last ?? '');
      site.start();
    }
    await delay(300);
  }
  return panicked;
}

/** Null when it was not run. */
export async function diskFull(
  seed: number,
  breaks: string | null,
  closers: (() => Promise<void>)[],
): Promise<Told | null> {
  const disk = smallDisk();
  if (!disk) return null;
  const mail = await startMailServer();
  const site = await createSite(
    {
      SMTP_URL: mail.url,
      TRUST_PROXY: '127.0.0.1',
      PRICE_API_BASE: 'http://127.0.0.1:9',
      LOG_LEVEL: 'debug',
    },
    { dir: disk.dir },
  );
  const field = createField(() => site.port, mail, { name: 'disk-full' });
  let crowd: Promise<unknown> = Promise.resolve();
  const close = async () => {
    field.isStopping = true;
    field.isOver = true;
    await crowd.catch(() => {});
    await site.close().catch(() => {});
    await mail.close();
    disk.remove();
  };
  closers.push(close);
  try {
    site.start();
    await site.untilReady(readyMsMax);
    await takeTheField(field, chanceOf(seed));
    crowd = Promise.all([0, 1, 2, 3].map((place) => investors(field, place, chanceOf(seed, place))));
    await untilMoneyMoves(field, readyMsMax);
    const panicked = await fillUntilPanic(site);
    rmSync(join(site.dir, 'ballast'), { force: true });
    if (!panicked) field.findings.add('the disk was full, and PostgreSQL did not panic: nothing was tried');
    const giveUpAt = performance.now() + readyMsMax;
    while (!(await site.isReady()) && performance.now() < giveUpAt) {
      if (!site.isRunning()) site.start();
      await delay(250);
    }
    const catchUpMs = await untilMoneyMoves(field, readyMsMax);
    await untilAllAreTold(field, crowd, catchUpMsMax);
    if (breaks === 'lost') invent(field);
    const scene = { field, mail, siteUrl: `http://127.0.0.1:${site.port}`, databaseUrl: site.adminUrl() };
    const tally = await checkAll({ ...scene, env: { DATA_DIR: site.dir }, mirrorDir: mirrorIn(site.dir) });
    const findings = [...field.findings];
    return { ...tally, findings, answers: field.heard, slowestMs: field.slowestMs, catchUpMs };
  } finally {
    closers.pop();
    await close();
  }
}
