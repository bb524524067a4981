import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { livingProcess } from '../../server/platform/embedded-postgres/owner.ts';
import { nameOfNode, nodeNumbers, type Places } from './layout.ts';
import { postmasterIn } from './node.ts';

/** A process of a cluster whose own process is gone, so that nobody looks after it. */
export interface Left {
  name: string;
  pid: number;
}

/** PostgreSQL writes down itself who it is; that it is still that one is known by the folder it works in. */
function postmasterOf(nodeDir: string): number | null {
  const pid = postmasterIn(nodeDir);
  try {
    return pid > 1 && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(join(nodeDir, 'postgres'))
      ? pid
      : null;
  } catch {
    return null;
  }
}

const namesIn = (dir: string) => {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
};

/** Found by what was written down when each was started, never by what a process is called. */
export function leftOf(places: Places): Left[] {
  const parts = namesIn(places.parts).map((name) => ({ name, pid: livingProcess(join(places.parts, name)) }));
  const postmasters = nodeNumbers.map((node) => ({
    name: `PostgreSQL of ${nameOfNode(node)}`,
    pid: postmasterOf(places.node(node)),
  }));
  return [...parts, ...postmasters].flatMap(({ name, pid }) => (pid === null ? [] : [{ name, pid }]));
}

/** As it is ended otherwise: servers first, etcd last. Patroni takes its PostgreSQL along; one without a Patroni is ended by itself. */
const order: { is: RegExp; signal: NodeJS.Signals; msMax: number }[] = [
  { is: /^(web|worker)/, signal: 'SIGTERM', msMax: 15_000 },
  { is: /^haproxy/, signal: 'SIGTERM', msMax: 5_000 },
  { is: /^patroni/, signal: 'SIGTERM', msMax: 30_000 },
  { is: /^PostgreSQL/, signal: 'SIGQUIT', msMax: 10_000 },
  { is: /./, signal: 'SIGTERM', msMax: 15_000 },
];

const lookMs = 100;

function tell({ pid }: Left, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** Ends them, and answers with those that would not. */
export async function endLeft(places: Places, patienceMsMax = Number.POSITIVE_INFINITY): Promise<Left[]> {
  for (const { is, signal, msMax } of order) {
    const found = () => leftOf(places).filter(({ name }) => is.test(name));
    for (const each of found()) tell(each, signal);
    const lateAt = performance.now() + Math.min(msMax, patienceMsMax);
    while (found().length > 0 && performance.now() < lateAt) await delay(lookMs);
    for (const each of found()) tell(each, 'SIGKILL');
  }
  for (const giveUpAt = performance.now() + 5_000; leftOf(places).length > 0; await delay(lookMs)) {
    if (performance.now() > giveUpAt) break;
  }
  return leftOf(places);
}
