import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { checkAll, mirrorIn } from '../checks.ts';
import { createField, type Field, invent, takeTheField } from '../field.ts';
import { type MailServer, startMailServer } from '../mail-server.ts';
import { chanceOf } from '../seed.ts';
import { createSite, type Site } from '../site.ts';
import { bodyOf, type Crowd, disperse, gather, nextWish, openConnections, type Wish } from './crowd.ts';
import { calibrate, type Offered, openTheGates } from './flood.ts';
import { checkLines, openLines, roomForIdle } from './lines.ts';
import { guessPasswords } from './strangers.ts';
import { heightMb, type Watch, watch } from './watch.ts';

export const breakings = ['lost', 'limit', 'memory'] as const;
type Breaking = (typeof breakings)[number];

export interface FloodOptions {
  seed: number;
  seconds: number;
  idle: number;
  breaks: Breaking | null;
  stopping: AbortSignal;
}

export interface FloodResult extends Offered {
  acknowledged: number;
  lost: number;
  doubled: number;
  findings: string[];
}

const readyMsMax = 180_000;
/** Letters about all that was done go out one after the other. */
const quietMsMax = 600_000;
const peopleCount = 24;
const others = { drips: 200, slows: 100, huges: 20 };
/** Of those who keep to the limits. */
const doneShareMin = 0.999;
/** Of those who do not: a line may break, and hardly any does. */
const unansweredShareMax = 0.001;
const callsPerGuess = 20;
const memoryMbMax = 512;

const hoard = fileURLToPath(new URL('hoard.ts', import.meta.url));

function openSite(mail: MailServer, breaks: Breaking | null): Promise<Site> {
  const env = {
    SMTP_URL: mail.url,
    // Everybody here comes from this machine and says who they are: limits count people, not the drill.
    TRUST_PROXY: '127.0.0.0/8',
    PRICE_API_BASE: 'http://127.0.0.1:9',
    ...(breaks === 'limit' && { DRILL_BREAKS_LIMITS: 'yes' }),
  };
  return createSite(env, { flags: breaks === 'memory' ? ['--import', hoard] : [] });
}

/** Who comes after the flood, and until when they are not served as before. */
async function welcomeNewcomers({ crowd, field, watcher }: Course & { watcher: Watch }): Promise<number> {
  const wished: Wish[] = [];
  const { ms, transactionids } = await watcher.welcome(() => {
    const wish = nextWish(crowd);
    wished.push(wish);
    return { bearer: wish.person.bearer, key: wish.key, body: bodyOf(field, wish) };
  });
  for (const [at, transactionid] of transactionids.entries()) {
    if (transactionid) Object.assign(wished[at]?.act ?? {}, { acknowledged: true, transactionid });
  }
  return ms;
}

interface Course {
  options: FloodOptions;
  site: Site;
  field: Field;
  crowd: Crowd;
  say(line: string): void;
}

async function flood(course: Course): Promise<Offered> {
  const { options, site, field, crowd, say } = course;
  const { seed, seconds } = options;
  const { perSecond: bears, medianMs } = await calibrate(crowd, seed);
  const heightBefore = heightMb(site.serverPid());
  say(
    `bears ${bears.toFixed(0)} money calls a second, the middle one in ${medianMs.toFixed(0)} ms; ${heightBefore.toFixed(0)} MB`,
  );
  if (bears < 1) throw new Error('the server does nothing');
  const idle = roomForIdle(options.idle);
  if (idle < options.idle)
    say(`left out: ${options.idle - idle} of ${options.idle} idle connections, for want of open files`);
  // Before the gates open, as whoever watches a server does not begin with its trouble.
  const watcher = watch(field, site.port);
  await openConnections(crowd);
  const lines = await openLines(field, { idle, ...others });
  const heightIdle = heightMb(site.serverPid());
  let isOver = false;
  const over = () => isOver || field.isOver;
  const guessing = guessPasswords(
    field,
    crowd.people.map(({ email }) => email),
    { chance: chanceOf(seed, 300), perSecond: bears / callsPerGuess, isOver: over },
  );
  const { offered, settled } = openTheGates(crowd, { seed, seconds, bears });
  await offered;
  const open = lines.idle.filter(({ destroyed }) => !destroyed).length;
  isOver = true;
  lines.stop();
  const endedAt = performance.now();
  const asBeforeMs = await welcomeNewcomers({ ...course, watcher });
  await watcher.end();
  const result = await settled;
  options.stopping.throwIfAborted();
  const settledMs = performance.now() - endedAt;
  const height = heightMb(site.serverPid());
  if (height > heightBefore + memoryMbMax)
    field.findings.add(
      `${height.toFixed(0)} MB, more than ${memoryMbMax} MB above ${heightBefore.toFixed(0)}`,
    );
  if (crowd.queued > 0) say(`${crowd.queued} arrivals had to wait in the drill itself, for a connection`);
  const guessed = [...(await guessing)].sort(([one], [other]) => one - other);
  say(
    `idle connections ${idle}, open at the end ${open}; wrong passwords ${guessed.map(([status, count]) => `${status || 'none'} ${count}x`).join(', ')}`,
  );
  say(await checkLines(field, lines));
  say(watcher.health());
  say(
    `memory ${heightBefore.toFixed(0)} MB before, ${heightIdle.toFixed(0)} with the idle connections, ${height.toFixed(0)} at its height`,
  );
  say(
    `as before ${(asBeforeMs / 1_000).toFixed(1)} s after the flood, all of it done after ${(settledMs / 1_000).toFixed(1)} s; ` +
      `the slowest call ${(result.slowestMs / 1_000).toFixed(1)} s from its first try, the slowest answer ${(field.slowestMs / 1_000).toFixed(1)} s`,
  );
  return result;
}

function judge(field: Field, { within, beyond }: Offered): void {
  if (within.done < doneShareMin * within.offered)
    field.findings.add(`within the limits only ${within.done} of ${within.offered} were done in time`);
  if (beyond.failed > unansweredShareMax * beyond.offered)
    field.findings.add(`beyond the limits ${beyond.failed} of ${beyond.offered} got no answer`);
}

/** Five times what the server bears, and whatever else keeps a server busy; then all that was told is looked for. */
export async function floodDrill(options: FloodOptions, say: (line: string) => void): Promise<FloodResult> {
  const { seed, breaks, stopping } = options;
  const mail = await startMailServer();
  const site = await openSite(mail, breaks);
  const field = createField(() => site.port, mail);
  const interrupted = Promise.withResolvers<never>();
  interrupted.promise.catch(() => {});
  stopping.addEventListener('abort', () => {
    field.isStopping = true;
    field.isOver = true;
    interrupted.reject(stopping.reason);
  });
  const result: FloodResult = {
    within: { offered: 0, done: 0, failed: 0 },
    beyond: { offered: 0, done: 0, turnedAway: 0, failed: 0 },
    slowestMs: 0,
    acknowledged: 0,
    lost: 0,
    doubled: 0,
    findings: [],
  };
  try {
    site.start();
    await site.untilReady(readyMsMax);
    // Whoever asks has a machine of their own elsewhere; here they share the server's, and give way to it.
    setPriority(constants.priority.PRIORITY_LOW);
    await takeTheField(field, chanceOf(seed));
    const crowd = await gather(field, seed, peopleCount);
    Object.assign(result, await flood({ options, site, field, crowd, say }));
    disperse(crowd);
    judge(field, result);
    if (breaks === 'lost') invent(field);
    stopping.throwIfAborted();
    say('waiting for the letters of all that was done');
    const scene = {
      field,
      mail,
      siteUrl: `http://127.0.0.1:${site.port}`,
      env: { DATA_DIR: site.dir },
      databaseUrl: site.adminUrl(),
      mirrorDir: mirrorIn(site.dir),
      quietMsMax,
    };
    Object.assign(result, await Promise.race([checkAll(scene), interrupted.promise]));
    if (field.findings.size > 0) say(site.said().slice(-3_000));
    const code = await site.stop();
    if (code !== 0) field.findings.add(`told to end, the server ended with ${code}`);
  } catch (error) {
    const why = stopping.aborted ? 'it was interrupted' : (error as Error).stack;
    field.findings.add(`the drill could not go on: ${why}`);
  } finally {
    field.isStopping = true;
    field.isOver = true;
    await site.close();
    await mail.close();
  }
  for (const { last } of site.gaveUp) field.findings.add(`the server gave up: ${last}`);
  const heard = [...field.heard].sort(([one], [other]) => one - other);
  say(`answers: ${heard.map(([status, count]) => `${status || 'none'} ${count}x`).join(', ')}`);
  return { ...result, findings: [...field.findings] };
}
