import * as fs from 'node:fs';
import path from 'node:path';

/** Which process looks after the database of a data folder. */
const ownerFile = (dataDir: string) => path.join(dataDir, 'postgres-owner');

export const noteOwner = (dataDir: string): void => noteProcess(ownerFile(dataDir), process.pid);
export const livingOwner = (dataDir: string): number | null => livingProcess(ownerFile(dataDir));

/** The start time beside the process id tells one that lives from a stranger who got its id. */
export function noteProcess(file: string, pid: number): void {
  fs.writeFileSync(file, `${pid} ${startTime(pid)}\n`);
}

/** The process that was noted there; null when it is no more. */
export function livingProcess(file: string): number | null {
  try {
    const [pid, started] = fs.readFileSync(file, 'utf8').trim().split(' ');
    return isAlive(Number(pid)) && startTime(Number(pid)) === started ? Number(pid) : null;
  } catch {
    return null;
  }
}

function startTime(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function forgetOwner(dataDir: string): void {
  fs.rmSync(ownerFile(dataDir), { force: true });
}
