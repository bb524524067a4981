import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster, openCluster } from '../../bench/postgres/cluster.ts';
import { checkAll, killAt, mirrorIn, withDatabase } from '../checks.ts';
import { createField, type Field, untilAllAreTold } from '../field.ts';
import { type MailServer, startMailServer } from '../mail-server.ts';
import { createSite, type Site } from '../site.ts';
import { acknowledged, ended, underLoad } from '../under-load.ts';
import { type CrashOptions, type CrashResult, nothingYet, stopCleanly } from './drill.ts';
import { killOf } from './kills.ts';

const readyMsMax = 180_000;
const finishMsMax = 120_000;

/** As the cluster of ops/ has them. */
const workers = 2;

/** Web servers and workers that come and go, all on one database. */
interface Fleet {
  web: Site[];
  workers: Site[];
  databaseUrl: string;
  env: NodeJS.ProcessEnv;
  mirrorDir: string;
  close(): Promise<void>;
}

const allOf = ({ web, workers }: Pick<Fleet, 'web' | 'workers'>) => [...web, ...workers];

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
  const several = (count: number, ROLE: string) =>
    Promise.all(Array.from({ length: count }, () => createSite({ ...env, ROLE }, { dir })));
  const both = { web: await several(servers, 'web'), workers: await several(workers, 'worker') };
  return {
    ...both,
    databaseUrl: Object.assign(new URL(url), { username: 'postgres' }).href,
    env: { DATABASE_URL: url, DATA_DIR: dir },
    mirrorDir: mirrorIn(dir),
    async close() {
      for (const site of allOf(both)) await site.killServer();
      for (const site of allOf(both)) await site.close();
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
  const [first, ...others] = allOf(fleet);
  if (first) await startOne(fleet, first);
  await Promise.all(others.map((site) => startOne(fleet, site)));
}

/** One after the other is told to end, and the next only when it is back: as an upgrade does it. */
async function restartAll(fleet: Fleet, field: Field): Promise<void> {
  for (const site of allOf(fleet)) {
    await stopCleanly(site, field);
    await startOne(fleet, site);
  }
}

/** One is gone without a word; somebody starts it again. How long that takes. */
async function killOne(fleet: Fleet, site: Site, killedAt: number[]): Promise<number> {
  await site.killServer();
  const at = performance.now();
  // Letters are in the hands of workers alone: nobody else's end lets one come twice.
  if (fleet.workers.includes(site)) killedAt.push(at);
  await startOne(fleet, site);
  return performance.now() - at;
}

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
  mail: MailServer;
  result: CrashResult;
  killedAt: number[];
  say(line: string): void;
  isStopped(): boolean;
}

/** What ends at each number: of three in a row all of them in turn, then a web server, then a worker. */
const ends = ['all restarted in turn', 'a web server killed', 'a worker killed'] as const;

async function endOnAndOn({ options, fleet, field, result, killedAt, say, isStopped }: Course) {
  const { kills, seed, from, minutes, clients, breaks } = options;
  const began = performance.now();
  await untilBusy(field, clients);
  for (let number = from; number < from + kills && !isStopped(); number += 1) {
    if (performance.now() - began > minutes * 60_000) break;
    const { delayMs, which } = killOf(seed, number);
    await delay(delayMs);
    const [before, unanswered] = [acknowledged(field), field.heard.get(0) ?? 0];
    const end = ends[number % ends.length];
    if (end === ends[0]) await restartAll(fleet, field);
    else {
      const those = end === ends[1] ? fleet.web : fleet.workers;
      const site = those[Math.floor(which * those.length)] as Site;
      result.recoveryMs.push(await killOne(fleet, site, killedAt));
    }
    if (breaks === 'sessions') await endSessions(fleet);
    result.kills += 1;
    say(
      `${end}: ${acknowledged(field) - before} acknowledged meanwhile, ` +
        `${(field.heard.get(0) ?? 0) - unanswered} tries without an answer`,
    );
  }
  // Those who were asked last while one was away are to be heard of, too.
  await untilBusy(field, field.acts.filter(({ kind }) => kind === 'investment').length);
}

async function endAndCheck({ fleet, field, mail, result, killedAt }: Course, crowd: Promise<unknown>) {
  await untilAllAreTold(field, crowd, finishMsMax);
  const signedOut = field.heard.get(401) ?? 0;
  if (signedOut > 0) field.findings.add(`signed out: ${signedOut} times`);
  const scene = { ...fleet, field, mail, siteUrl: siteUrlOf(fleet) };
  Object.assign(result, await checkAll(scene, killedAt.map(killAt)));
  for (const site of allOf(fleet)) await stopCleanly(site, field);
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
  const result = nothingYet(field);
  const underWay = { options, fleet, field, mail, result, killedAt: [], say, isStopped };
  await underLoad({
    field,
    result,
    seed: options.seed,
    clients: options.clients,
    begin: () => startFleet(fleet),
    async course(crowd) {
      await endOnAndOn(underWay);
      await endAndCheck(underWay, crowd);
    },
    async close() {
      await fleet.close();
      await cluster.close();
      await mail.close();
    },
  });
  for (const { last } of allOf(fleet).flatMap(({ gaveUp }) => gaveUp))
    field.findings.add(`a server gave up: ${last}`);
  return ended(result, field);
}
