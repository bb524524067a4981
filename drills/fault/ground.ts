import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Cluster, openCluster } from '../../bench/postgres/cluster.ts';
import { checkAll, mirrorIn, withDatabase } from '../checks.ts';
import { createField, type Field, invent, takeTheField, untilAllAreTold } from '../field.ts';
import { investors } from '../investor.ts';
import { type MailServer, startMailServer } from '../mail-server.ts';
import { chanceOf } from '../seed.ts';
import { createSite, type Site, signal } from '../site.ts';
import { type PriceMood, startPriceServer } from './price-server.ts';
import { type FaultProxy, startProxy } from './proxy.ts';

const clockPreload = fileURLToPath(new URL('shifted-clock.ts', import.meta.url));
const readyMsMax = 180_000;
/** How soon after a fault money moves again, by itself. */
export const catchUpMsMax = 90_000;
const crowdSize = 5;
/** So that investors have something to invest before deposits end. */
const warmUpTimes = 25;

/** A site whose every line to the outside runs through something that a drill can break. */
export interface Ground {
  seed: number;
  site: Site;
  cluster: Cluster;
  mail: MailServer;
  prices: { mood: PriceMood; calls: number };
  /** Between the server and its database, and between its clients and the server. */
  toDatabase: FaultProxy;
  toServer: FaultProxy;
  /** The database as its superuser sees it, with nothing in between. */
  databaseUrl: string;
  setClock(shiftMs: number): void;
  close(): Promise<void>;
}

export async function openGround(seed: number, { forgetsLetters = 0 } = {}): Promise<Ground> {
  const cluster = await openCluster({ countsStatements: false });
  const direct = new URL(cluster.database.url);
  const mail = await startMailServer({ forgets: forgetsLetters });
  const prices = await startPriceServer();
  const toDatabase = await startProxy(() => Number(direct.port));
  const through = Object.assign(new URL(direct), { port: String(toDatabase.port) });
  const site = await createSite(
    {
      DATABASE_URL: through.href,
      SMTP_URL: mail.url,
      TRUST_PROXY: '127.0.0.1',
      PRICE_API_BASE: prices.url,
    },
    { flags: ['--import', clockPreload] },
  );
  const toServer = await startProxy(() => site.port);
  const clockFile = join(site.dir, 'clock');
  return {
    seed,
    site,
    cluster,
    mail,
    prices,
    toDatabase,
    toServer,
    databaseUrl: Object.assign(new URL(direct), { username: 'postgres' }).href,
    setClock(shiftMs) {
      writeFileSync(clockFile, String(shiftMs));
      signal([site.serverPid()], 'SIGUSR2');
    },
    async close() {
      await site.close();
      await Promise.all([toDatabase.close(), toServer.close(), mail.close(), prices.close()]);
      await cluster.close();
    },
  };
}

export const startServer = async ({ site }: Ground) => {
  site.start({ CLOCK_FILE: join(site.dir, 'clock') });
  await site.untilReady(readyMsMax);
};

const acknowledged = ({ acts }: Field) => acts.filter((act) => act.acknowledged).length;

/** Waits for money to move: what is acknowledged from now on. */
export async function untilMoneyMoves(field: Field, msMax: number, times = 3): Promise<number> {
  const [before, began] = [acknowledged(field), performance.now()];
  while (acknowledged(field) < before + times) {
    if (performance.now() - began > msMax) {
      field.findings.add(`no money moved for ${msMax / 1000} s`);
      break;
    }
    await delay(50);
  }
  return performance.now() - began;
}

export interface Told {
  findings: string[];
  acknowledged: number;
  lost: number;
  doubled: number;
  answers: Map<number, number>;
  slowestMs: number;
  catchUpMs: number;
}

interface Trial {
  name: string;
  block: number;
  /** Where investors ask. */
  port(): number;
  msMax?: number;
  /** The fault itself, from beginning to end. */
  fault(field: Field): Promise<void>;
  /** What else must be true afterwards. */
  afterwards?(field: Field): Promise<void>;
  mayEndSessions?: boolean;
  /** An acknowledgement that nobody gave, for the drill to miss. */
  invents?: boolean;
}

/** People go on as ever while something breaks; then it is whole again, they see to it that all is well, and all is looked at. */
export async function underFault(ground: Ground, trial: Trial): Promise<Told> {
  const { site, mail, databaseUrl, seed, cluster } = ground;
  const field = createField(trial.port, mail, {
    name: trial.name,
    // Addresses come round again after sixteen; what is drawn by chance does not, or a payment would come twice.
    block: trial.block % 16,
    ...(trial.msMax && { msMax: trial.msMax }),
  });
  await takeOperators(ground, field);
  const places = Array.from({ length: crowdSize }, (_, place) => place);
  const crowd = places.map((place) => investors(field, place, chanceOf(seed, trial.block, place)));
  await untilMoneyMoves(field, readyMsMax, warmUpTimes);
  field.mayEndSessions = trial.mayEndSessions ?? false;
  await trial.fault(field);
  const catchUpMs = await untilMoneyMoves(field, catchUpMsMax);
  await untilAllAreTold(field, Promise.all(crowd), catchUpMsMax);
  if (trial.invents) invent(field);
  const tally = await checkAll({
    field,
    mail,
    databaseUrl,
    siteUrl: `http://127.0.0.1:${site.port}`,
    env: { DATABASE_URL: cluster.database.url, DATA_DIR: site.dir },
    mirrorDir: mirrorIn(site.dir),
  });
  await trial.afterwards?.(field);
  const findings = [
    ...field.findings,
    ...site.gaveUp.splice(0).map(({ last }) => `the server gave up: ${last}`),
  ];
  return { ...tally, findings, answers: field.heard, slowestMs: field.slowestMs, catchUpMs };
}

/** The operators of the site sign in once; a code works once. */
const desks = new WeakMap<Ground, Field>();
async function takeOperators(ground: Ground, field: Field): Promise<void> {
  const known = desks.get(ground) ?? createField(() => ground.site.port, ground.mail);
  if (!desks.has(ground)) {
    await takeTheField(known, chanceOf(ground.seed));
    desks.set(ground, known);
  }
  const { operators, planid, withdrawalid, fundingtypename } = known;
  Object.assign(field, { operators, planid, withdrawalid, fundingtypename });
}

export const asSuperuser = <T>({ databaseUrl }: Ground, sql: string) =>
  withDatabase(databaseUrl, async (client) => (await client.query(sql)).rows as T[]);
