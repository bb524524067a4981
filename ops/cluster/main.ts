/**
 * `npm run cluster`: three PostgreSQL nodes under Patroni, three etcd members, HAProxy, two web servers and two workers, all
 * on this machine and on loopback, until Ctrl-C. `npm run cluster -- stop` ends it from elsewhere, `-- status` says who is
 * what, `-- files` writes the files of the same for machines of their own. What it was is kept in DATA_DIR (data/cluster). Run as root, PostgreSQL and etcd run as the user postgres, for they
 * refuse root; run as anybody else, all of it runs as that user.
 */
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  forgetOwner,
  isAlive,
  livingOwner,
  noteOwner,
} from '../../server/platform/embedded-postgres/owner.ts';
import { endingSignals, whenNpmIsGone } from '../../server/told-to-end.ts';
import { type Cluster, raiseCluster } from './cluster.ts';
import { allPorts, nameOfNode, nodeNumbers, placesIn, ports, serverNumbers } from './layout.ts';
import { endLeft, type Left, leftOf } from './left.ts';
import { files } from './machines/files.ts';
import { membersOf } from './patroni.ts';
import { takenOf } from './ports.ts';
import { howToInstall, missingPackages } from './programs.ts';
import { createServers, isReady, startServers } from './servers.ts';
import { statusOf, whatIsWhere } from './what-is-where.ts';

const dir = resolve(process.env.DATA_DIR || 'data/cluster');
const places = placesIn(dir);
const say = (text: string) => process.stdout.write(`${text}\n`);
const entry = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const wholeMsMax = 120_000;
const readyMsMax = 300_000;
const stopMsMax = 60_000;
/** As our servers say it: somebody has to change something first, or it is not the moment. */
const [refused, notNow] = [78, 75];

async function stop(): Promise<number> {
  const pid = livingOwner(dir);
  if (!pid) return stopWhatIsLeft();
  process.kill(pid, 'SIGTERM');
  const giveUpAt = performance.now() + stopMsMax;
  while (isAlive(pid) && performance.now() < giveUpAt) await delay(200);
  say(
    isAlive(pid) ? `It has not ended within ${stopMsMax / 1000} seconds; its process is ${pid}.` : 'Ended.',
  );
  return isAlive(pid) ? 1 : 0;
}

/** Killed, it could end nothing: its parts go on without it. */
const orphaned = (left: readonly Left[]) =>
  `The process that looked after the cluster on ${dir} is gone. Still there: ${left.map(({ name, pid }) => `${name} (${pid})`).join(', ')}.`;

async function stopWhatIsLeft(): Promise<number> {
  const left = leftOf(places);
  if (left.length === 0) {
    say(`No cluster runs on ${dir}.`);
    return 0;
  }
  say(orphaned(left));
  const stayed = await endLeft(places);
  say(stayed.length === 0 ? 'Ended.' : orphaned(stayed));
  return stayed.length === 0 ? 0 : 1;
}

async function status(): Promise<number> {
  if (!livingOwner(dir)) {
    const left = leftOf(places);
    say(
      left.length === 0
        ? `No cluster runs on ${dir}.`
        : `${orphaned(left)} npm run cluster -- stop ends them.`,
    );
    return 1;
  }
  const nodes = nodeNumbers.map((number) => ({
    name: nameOfNode(number),
    restUrl: `http://127.0.0.1:${ports.rest(number)}`,
  }));
  const servers = serverNumbers.flatMap((number) => [
    { name: `web${number}`, port: ports.web(number) },
    { name: `worker${number}`, port: ports.worker(number) },
  ]);
  const ready = await Promise.all(
    servers.map(async ({ name, port }) => ({ name, isReady: await isReady(port) })),
  );
  process.stdout.write(statusOf(await membersOf(nodes), ready));
  return 0;
}

/** What stands in its way before anything runs is a folder: told in a sentence, as our servers do it. */
function raise(): Cluster | null {
  try {
    return raiseCluster({ dir, isKept: true });
  } catch (error) {
    process.stderr.write(`The cluster cannot start. ${(error as Error).message}\n`);
    return null;
  }
}

/** Everything is ended in its order, whatever has ended it. */
async function run(): Promise<number> {
  const missing = missingPackages();
  if (missing.length > 0) {
    say(howToInstall(missing));
    return refused;
  }
  const running = livingOwner(dir);
  if (running) {
    say(`A cluster runs on ${dir} already, as process ${running}: npm run cluster -- stop`);
    return notNow;
  }
  const left = leftOf(places);
  if (left.length > 0) {
    say(`${orphaned(left)} First: npm run cluster -- stop`);
    return notNow;
  }
  const taken = await takenOf(allPorts);
  if (taken.length > 0) {
    // Each part would be started again and again, and the last of them be waited for in vain.
    say(`In use on 127.0.0.1: ${taken.join(', ')}. A cluster needs these ports; ss -ltnp says who has them.`);
    return notNow;
  }
  let isStopped = false;
  const told = new Promise<void>((resolve) => {
    const stopNow = () => {
      isStopped = true;
      resolve();
    };
    for (const signal of endingSignals) process.on(signal, stopNow);
    whenNpmIsGone(stopNow);
  });
  say(
    'Starting three nodes, then two web servers and two workers. The first time that takes about a minute.',
  );
  const cluster = raise();
  if (!cluster) return refused;
  noteOwner(dir);
  const servers = createServers(cluster, {
    entry,
    env: { MODE: 'demo' },
    isKept: true,
    dataDirOf: () => resolve(dir, 'site'),
  });
  try {
    await cluster.untilWhole(wholeMsMax, () => isStopped);
    say('Three nodes are there. Nothing is acknowledged before a second one has it: checked.');
    await startServers(servers, readyMsMax, () => isStopped);
    process.stdout.write(whatIsWhere(cluster, servers));
    await told;
    return 0;
  } catch (error) {
    if (isStopped) return 0;
    process.stderr.write(`The cluster cannot start. ${(error as Error).message}\n`);
    return 1;
  } finally {
    say('Ending …');
    await Promise.all(servers.map(({ part }) => part.end()));
    await cluster.end();
    forgetOwner(dir);
  }
}

const [word = 'start', ...rest] = process.argv.slice(2);

/** The same files for machines of their own. What is wrong with what was asked for is told in a sentence. */
async function writeFiles(): Promise<number> {
  try {
    // Folders keep their modes on the machines, where others than root have to enter them. What is secret says so itself.
    process.umask(0o022);
    say(files(rest));
    return 0;
  } catch (error) {
    process.stderr.write(`No files were written. ${(error as Error).message}\n`);
    return refused;
  }
}

const commands: Record<string, () => Promise<number>> = { start: run, stop, status, files: writeFiles };
const command = commands[word];
if (!command) {
  process.stderr.write('npm run cluster takes nothing, or stop, status or files.\n');
  process.exit(refused);
}
process.exit(await command());
