import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts a process's time in hundredths of a second, whatever its own clock does (USER_HZ). */
const tickMicros = 10_000;
const triesMax = 100;

interface Times {
  parentPid: number;
  /** Its own, all threads together. */
  ownMicros: number;
  /** That of its children who have ended, and theirs. */
  endedMicros: number;
}

/** Null when there is no such process (any more). */
function timesOf(pid: number | 'self'): Times | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The second field is a name in brackets and may hold anything; the third follows the last bracket.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
  return {
    parentPid: fields[1] ?? 0,
    ownMicros: (utime + stime) * tickMicros,
    endedMicros: (cutime + cstime) * tickMicros,
  };
}

export function processMicros(pid: number): number {
  return timesOf(pid)?.ownMicros ?? Number.NaN;
}

/** What we have started and waited for: the programs that ask. */
export function endedChildrenMicros(): number {
  return timesOf('self')?.endedMicros ?? Number.NaN;
}

/**
 * A process with its children, those included that have ended. One that ends while we count would be counted twice or
 * not at all, so it is counted again.
 */
export function familyMicros(pid: number): number {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const before = timesOf(pid);
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => timesOf(Number(name)))
      .filter((times) => times?.parentPid === pid);
    const after = timesOf(pid);
    if (!before || !after) return Number.NaN;
    if (before.endedMicros !== after.endedMicros) continue;
    const alive = children.reduce((sum, child) => sum + (child?.ownMicros ?? 0), 0);
    return after.ownMicros + after.endedMicros + alive;
  }
  throw new Error(`the children of process ${pid} come and go too fast to be counted`);
}

/** What a process holds in memory at this moment. */
export function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}
