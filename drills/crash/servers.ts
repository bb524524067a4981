import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster, openCluster } from '../../bench/postgres/cluster.ts';
import { checkAll, killAt, mirrorIn, withDatabase } from '../checks.ts';
import { createField, type Field, takeTheField, untilAllAreTold } from '../field.ts';
import { investors } from '../investor.ts';
import { type MailServer, startMailServer } from '../mail-server.ts';
import { chanceOf } from '../seed.ts';
import { createSite, type Site } from '../site.ts';
import type { CrashOptions, CrashResult } from './drill.ts';
import { killOf } from './kills.ts';

const readyMsMax = 180_000;
const finishMsMax = 120_000;

/** Web servers that come and go, and a worker beside them, all on one database. */
interface Fleet {
  web: Site[];
  worker: Site;
  databaseUrl: string;
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

async function openFleet(cluster: Cluster, mail: MailServer, servers: number): Promise<Fleet> {
  // One folder: what they share is the database and the secret.
  const dir = await mkdtemp(join(tmpdir(), 'tallystick-fleet-'));
  const { url } = cluster.database;
  const env = {
    DATABASE_URL: url,
    SMTP_URL: mail.url,
    TRUST_PROXY: '127.0.0.1',
    // Nobody is there: a drill asks nobody beyond this machine.
    PRICE_API_BASE: 'http://127.0.0.1:9',
  };
  const worker = await createSite({ ...env, ROLE: 'worker' }, { dir });
  const web: Site[] = [];
  for (let n = 0; n < servers; n += 1) web.push(await createSite({ ...env, ROLE: 'web' }, { dir }));
  return {
    web,
    worker,
    databaseUrl: Object.assign(new URL(url), { username: 'postgres' }).href,
    env: { DATABASE_URL: url, DATA_DIR: dir },
    async close() {
      for (const site of [...web, worker]) await site.killServer();
      for (const site of [...web, worker]) await site.close();
    },
  };
}

/** All of them are one site, at one address. */
const siteUrlOf = ({ web }: Pick<Fleet, 'web'>) => `http://127.0.0.1:${web[0]?.port}`;

async function startOne(fleet: Fleet, site: Site): Promise<void> {
  site.start({ SITE_URL: siteUrlOf(fleet) });
  const giveUpAt = performance.now() + readyMsMax;
  while (!(await site.isReady())) {
    // One that refuses to start says why, and would not do so later.
    if (!site.isRunning() || performance.now() > giveUpAt)
      throw new Error(`a server does not start: ${site.said().slice(-1_000)}`);
    await delay(25);
  }
}

/** The first makes what all of them share. */
async function startFleet(fleet: Fleet): Promise<void> {
  for (const site of [fleet.worker, ...fleet.web]) await startOne(fleet, site);
}

async function stopCleanly(site: Site, { findings }: Field): Promise<void> {
  const code = await site.stop();
  if (code !== 0) findings.add(`told to end, a server ended with ${code}: ${site.said().slice(-500)}`);
}

/** One after the other is told to end, and the next only when it is back: as an upgrade does it. */
async function restartAll(fleet: Fleet, field: Field): Promise<void> {
  for (const site of fleet.web) {
    await stopCleanly(site, field);
    await startOne(fleet, site);
  }
}

/** One is gone without a word; somebody starts it again. How long that takes. */
async function killOne(fleet: Fleet, which: number, killedAt: number[]): Promise<number> {
  const site = fleet.web[Math.floor(which * fleet.web.length)] as Site;
  await site.killServer();
  const at = performance.now();
  killedAt.push(at);
  await startOne(fleet, site);
  return performance.now() - at;
}

const acknowledged = ({ acts }: Field) => acts.filter((act) => act.acknowledged).length;

/** Everybody has money and moves it. */
async function untilBusy(field: Field, count: number): Promise<void> {
  const giveUpAt = performance.now() + readyMsMax;
  const busy = () => field.acts.filter((act) => act.acknowledged && act.kind === 'investment').length;
  for (; busy() < count; await delay(25))
    if (performance.now() > giveUpAt) throw new Error('nobody invests anything');
}

/** Taken from everybody who has one, to see that it is noticed. */
const endSessions = ({ databaseUrl }: Fleet) =>
  withDatabase(databaseUrl, (client) => client.query('delete from sessions'));

interface Course {
  options: CrashOptions;
  fleet: Fleet;
  field: Field;
  result: CrashResult;
  killedAt: number[];
  say(line: string): void;
  isStopped(): boolean;
}

/** Every other time all are restarted in turn, else one is killed. */
async function endOnAndOn({ options, fleet, field, result, killedAt, say, isStopped }: Course) {
  const { kills, seed, from, minutes, clients, breaks } = options;
  const began = performance.now();
  await untilBusy(field, clients);
  for (let number = from; number < from + kills && !isStopped(); number += 1) {
    if (performance.now() - began > minutes * 60_000) break;
    const { delayMs, which } = killOf(seed, number);
    await delay(delayMs);
    const [before, unanswered] = [acknowledged(field), field.heard.get(0) ?? 0];
    const isRestart = number % 2 === 0;
    if (isRestart) await restartAll(fleet, field);
    else result.recoveryMs.push(await killOne(fleet, which, killedAt));
    if (breaks === 'sessions') await endSessions(fleet);
    result.kills += 1;
    say(
      `${isRestart ? 'all restarted in turn' : 'one killed'}: ${acknowledged(field) - before} acknowledged meanwhile, ` +
        `${(field.heard.get(0) ?? 0) - unanswered} tries without an answer`,
    );
  }
  // Those who were asked last while one was away are to be heard of, too.
  await untilBusy(field, field.acts.filter(({ kind }) => kind === 'investment').length);
}

/** People who never give up ask servers that come and go: whoever is not answered asks the next, with the same key. */
export async function serversDrill(
  options: CrashOptions,
  say: (line: string) => void,
  isStopped: () => boolean,
): Promise<CrashResult> {
  const mail = await startMailServer();
  const cluster = await openCluster({ countsStatements: false });
  const fleet = await openFleet(cluster, mail, options.servers);
  let asked = 0;
  const field = createField(() => fleet.web[asked++ % fleet.web.length]?.port ?? 0, mail);
  const result: CrashResult = {
    ...{ kills: 0, acknowledged: 0, lost: 0, doubled: 0, repeated: 0, findings: [], recoveryMs: [] },
    ...{ startsGivenUp: 0, answers: field.heard, slowestMs: 0 },
  };
  const killedAt: number[] = [];
  let crowd: Promise<unknown> = Promise.resolve();
  try {
    await startFleet(fleet);
    await takeTheField(field, chanceOf(options.seed));
    const places = Array.from({ length: options.clients }, (_, place) => place);
    crowd = Promise.all(places.map((place) => investors(field, place, chanceOf(options.seed, -2 - place))));
    await endOnAndOn({ options, fleet, field, result, killedAt, say, isStopped });
    await untilAllAreTold(field, crowd, finishMsMax);
    const signedOut = field.heard.get(401) ?? 0;
    if (signedOut > 0) field.findings.add(`signed out: ${signedOut} times`);
    const { databaseUrl, env, worker } = fleet;
    const scene = {
      field,
      mail,
      siteUrl: siteUrlOf(fleet),
      databaseUrl,
      env,
      mirrorDir: mirrorIn(worker.dir),
    };
    Object.assign(result, await checkAll(scene, killedAt.map(killAt)));
    for (const site of [...fleet.web, worker]) await stopCleanly(site, field);
  } catch (error) {
    field.findings.add(`the drill could not go on: ${(error as Error).stack}`);
    result.acknowledged ||= acknowledged(field);
    // What cannot be looked for is not there.
    result.lost ||= result.acknowledged;
  } finally {
    field.isStopping = true;
    field.isOver = true;
    await crowd.catch(() => {});
    await fleet.close();
    await cluster.close();
    await mail.close();
  }
  for (const { last } of [...fleet.web, fleet.worker].flatMap(({ gaveUp }) => gaveUp))
    field.findings.add(`a server gave up: ${last}`);
  return { ...result, findings: [...field.findings], slowestMs: field.slowestMs };
}
