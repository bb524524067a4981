import { setTimeout as delay } from 'node:timers/promises';
import { checkAll, checkBooks, checkLog, type Gap, mirrorIn, type Scene, withDatabase } from '../checks.ts';
import { percentile } from '../ending.ts';
import { createField, type Field, untilAllAreTold } from '../field.ts';
import { startMailServer } from '../mail-server.ts';
import { createSite, type Site } from '../site.ts';
import { acknowledged, ended, type Tally, tallyOf, underLoad } from '../under-load.ts';
import { createExecutioner, killOf, type Victim } from './kills.ts';

export interface CrashOptions {
  kills: number;
  seed: number;
  /** The number of the first kill; what was killed before it is another run's. */
  from: number;
  minutes: number;
  clients: number;
  /** With more than one they come and go, and the database, which is then their own, stays. */
  servers: number;
  breaks: 'sync' | 'sessions' | null;
}

export interface CrashResult extends Tally {
  kills: number;
  /** From the kill of a server to the first word of the next that it can do its work. */
  recoveryMs: number[];
  /** Servers that ended before they were ready, because their database was killed under them. */
  startsGivenUp: number;
}

export const nothingYet = (field: Field): CrashResult => ({
  ...tallyOf(field),
  kills: 0,
  recoveryMs: [],
  startsGivenUp: 0,
});

const readyMsMax = 180_000;
const finishMsMax = 120_000;
const checkEvery = 100;
const tellEvery = 10;

/**
 * Killing PostgreSQL's processes takes nothing from the operating system, which still writes what it was given. Lost is
 * what was in the processes' own memory: with synchronous_commit off, the part of the log that its writer has not handed
 * over yet. It does so five times a second; here every five, and several acknowledgements a second are made meanwhile,
 * so that each kill finds some of them in memory alone.
 */
const breakSync = (site: Site) =>
  withDatabase(site.adminUrl(), async (client) => {
    await client.query('alter system set synchronous_commit = off');
    await client.query(`alter system set wal_writer_delay = '5s'`);
    await client.query('select pg_reload_conf()');
  });

/** Whatever may tell why nothing moves. */
async function standstill(site: Site): Promise<string> {
  const asked = { signal: AbortSignal.timeout(5_000) };
  const readyz = await fetch(`http://127.0.0.1:${site.port}/readyz`, asked).then(
    (answer) => answer.text(),
    (error) => String(error.cause ?? error),
  );
  const busy = withDatabase(site.adminUrl(), async (client) => {
    const { rows } = await client.query(
      `select pid, usename, state, wait_event_type, wait_event, pg_blocking_pids(pid) as blocked_by, left(query, 80) as query
       from pg_stat_activity where backend_type = 'client backend'`,
    );
    return rows;
  });
  const { gaveUp, serverPid, databasePids, said } = site;
  const known = {
    readyz,
    server: serverPid(),
    database: databasePids(),
    gaveUp: gaveUp.slice(-2),
    busy: await Promise.race([busy.catch(String), delay(5_000, 'no answer')]),
  };
  return `${JSON.stringify(known)} ${said().slice(-2_000)}`;
}

/** Somebody always starts a server again that has ended. */
async function untilBack(site: Site): Promise<void> {
  const giveUpAt = performance.now() + readyMsMax;
  while (!(await site.isReady())) {
    if (!site.isRunning()) site.start();
    if (performance.now() > giveUpAt)
      throw new Error(`the site did not come back: ${await standstill(site)}`);
    await delay(25);
  }
}

/** Where something has to be lost it is what was acknowledged just now: its writer has hardly had the time to save it. */
async function untilToldOnceMore(field: Field): Promise<void> {
  const [before, giveUpAt] = [acknowledged(field), performance.now() + finishMsMax];
  while (acknowledged(field) === before && performance.now() < giveUpAt) await delay(1);
}

interface Course {
  options: CrashOptions;
  site: Site;
  field: Field;
  scene: Scene;
  result: CrashResult;
  gaps: Gap[];
  say(line: string): void;
  isStopped(): boolean;
}

async function killOnAndOn({
  options,
  site,
  field,
  scene,
  result,
  gaps,
  say,
  isStopped,
}: Course): Promise<void> {
  const { kills, seed, from, minutes, breaks } = options;
  const execute = createExecutioner(site);
  const began = performance.now();
  const watches: Promise<void>[] = [];
  const recovered = async (since: number) => {
    const known = gaps.length;
    while (!(await site.isReady())) {
      // Killed again before it was back: that one is measured.
      if (gaps.length > known || field.isOver) return;
      await delay(25);
    }
    if (gaps.length === known) result.recoveryMs.push(performance.now() - since);
  };
  for (let number = from; number < from + kills && !isStopped(); number += 1) {
    if (performance.now() - began > minutes * 60_000) break;
    const kill = killOf(seed, number, breaks === 'sync' ? 'cluster' : undefined);
    if (!kill.isEarly || breaks) await untilBack(site);
    await delay(breaks ? 2_000 + kill.delayMs : kill.delayMs);
    if (breaks) await untilToldOnceMore(field);
    const victim: Victim = await execute(kill);
    result.kills += 1;
    if (victim === 'server' || victim === 'both') {
      const at = performance.now();
      // What it had sent before may be taken now, on a busy machine, and it cannot note that any more.
      await scene.mail.heardOut();
      gaps.push({ from: at, to: performance.now(), servers: 1 });
      site.start();
      watches.push(recovered(at));
    }
    if (result.kills % checkEvery === 0) {
      await untilBack(site);
      await checkBooks(scene);
      await checkLog(scene);
    }
    if (result.kills % tellEvery === 0)
      say(`kill ${number + 1} of ${from + kills}: ${standing(field, result)}`);
  }
  await untilBack(site);
  await Promise.all(watches);
}

const standing = (field: Field, { recoveryMs }: CrashResult) =>
  `${acknowledged(field)} acknowledged, ${field.findings.size} findings, ` +
  `recovery p50 ${(percentile(recoveryMs, 0.5) / 1000).toFixed(1)} s`;

/** As whoever runs it ends it, and it ends well. */
export async function stopCleanly(site: Site, { findings }: Field): Promise<void> {
  const code = await site.stop();
  if (code !== 0) findings.add(`told to end, a server ended with ${code}: ${site.said().slice(-500)}`);
}

/** Load by people who never give up, while server and database are killed; then all that was told is looked for. */
export async function crashDrill(
  options: CrashOptions,
  say: (line: string) => void,
  isStopped: () => boolean,
): Promise<CrashResult> {
  const mail = await startMailServer();
  const site = await createSite({
    SMTP_URL: mail.url,
    TRUST_PROXY: '127.0.0.1',
    // Nobody is there: a drill asks nobody beyond this machine.
    PRICE_API_BASE: 'http://127.0.0.1:9',
    ...(options.breaks && { DRILL_BREAKS_DURABILITY: 'yes' }),
  });
  const field = createField(() => site.port, mail);
  const result = nothingYet(field);
  const gaps: Gap[] = [];
  const scene = {
    field,
    mail,
    siteUrl: `http://127.0.0.1:${site.port}`,
    env: { DATA_DIR: site.dir },
    databaseUrl: '',
    mirrorDir: mirrorIn(site.dir),
    // What was signed and then lost is never whole again: there is nothing to wait for.
    ...(options.breaks && { quietMsMax: 5_000 }),
  };
  await underLoad({
    field,
    result,
    seed: options.seed,
    clients: options.clients,
    async begin() {
      site.start();
      await site.untilReady(readyMsMax);
      if (options.breaks === 'sync') await breakSync(site);
    },
    async course(crowd) {
      await killOnAndOn({ options, site, field, scene, result, gaps, say, isStopped });
      await untilAllAreTold(field, crowd, finishMsMax);
      Object.assign(result, await checkAll({ ...scene, databaseUrl: site.adminUrl() }, gaps));
      if (field.findings.size > 0) say(site.said().slice(-3_000));
      await stopCleanly(site, field);
    },
    async close() {
      await site.close();
      await mail.close();
    },
  });
  for (const { wasReady, last } of site.gaveUp) {
    if (wasReady) field.findings.add(`a server that was ready gave up: ${last}`);
    else result.startsGivenUp += 1;
  }
  return ended(result, field);
}
