import { readFileSync } from 'node:fs';

const stillMsMax = 15_000;
/** However often it is asked: there may be dozens of processes. */
const lookMs = 1_000;
/** A process that waits for what nobody gives back wakes up now and then, which costs next to nothing. */
const ticksMax = 2;

interface Looked {
  at: number;
  /** What each of its processes had computed until then. */
  ticks: Map<string, number>;
}

/** Its processes as the system lists them, where it does: what each has computed, and whether one waits for the disk. */
function processesOf(pid: number): { ticks: Map<string, number>; isRecovering: boolean; isOnDisk: boolean } {
  const ticks = new Map<string, number>();
  const found = { ticks, isRecovering: false, isOnDisk: false };
  const read = (file: string) => {
    try {
      return readFileSync(`/proc/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  for (const child of read(`${pid}/task/${pid}/children`).split(' ').filter(Boolean)) {
    // Behind the name, which may itself hold anything: state, and further on the ticks in user and system mode.
    const fields = read(`${child}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    ticks.set(child, Number(fields[11]) + Number(fields[12]));
    found.isOnDisk ||= fields[0] === 'D';
    found.isRecovering ||= read(`${child}/cmdline`).startsWith('postgres: startup');
  }
  return found;
}

/** Whether it has crashed, or begun, and is not ready yet; unknown where the system does not list its processes. */
export const isRecovering = (pid: number) => processesOf(pid).isRecovering;

/**
 * Tells whether a database that recovers from a crash has come to a standstill. Of a process that is killed in the first
 * moments of a recovery PostgreSQL 18 takes no notice: if it held a lock, all others wait for that, for many minutes. One
 * that recovers, however long it takes, computes or waits for the disk.
 */
export function createStillness(msMax = stillMsMax) {
  let since: Looked | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    hasComeTo(pid: number): boolean {
      if (performance.now() - lookedAt < lookMs) return false;
      lookedAt = performance.now();
      const { ticks, isRecovering, isOnDisk } = processesOf(pid);
      const worked = [...ticks].reduce(
        (sum, [child, now]) => sum + now - (since?.ticks.get(child) ?? now),
        0,
      );
      if (!isRecovering || isOnDisk) since = null;
      else if (!since || worked > ticksMax) since = { at: lookedAt, ticks };
      return since !== null && lookedAt - since.at >= msMax;
    },
  };
}
