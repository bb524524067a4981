import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

/** One of the programs behind the address: the server that Node starts anew with every edit, or Vite. */
export interface Side {
  ended: Promise<void>;
  /** It has failed and waits for an edit. */
  isDown(): boolean;
  end(): Promise<void>;
}

interface SideOptions {
  name: string;
  command: [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  /** What it says again before it has been silent for so long is not told again. */
  pauseMs?: number;
}

const endMsMax = 5_000;
const nameWidth = 6;
/** Vite's own address, which is not the one to open, what it says twice, and the insides of packages. */
const unwanted =
  /^\s*$|^\[restart\]|➜|\(ssr\) (connected|page reload|program reload)|^\s+at .*(node:internal|\/node_modules\/)/;

export function tell(name: string, text: string): void {
  const plain = process.stdout.isTTY ? text : stripVTControlCharacters(text);
  for (const line of plain.split('\n')) process.stdout.write(`${name.padEnd(nameWidth)} │ ${line}\n`);
}

/** Whether a line was said before since the last pause. Vite tells an error each time it meets it, with another time. */
export function createEchoes(pauseMs: number): (line: string, at: number) => boolean {
  const said = new Set<string>();
  let last = 0;
  return (line, at) => {
    if (at - last >= pauseMs) said.clear();
    last = at;
    const words = stripVTControlCharacters(line).replace(/^[\d:]+ [AP]M |^Error: /, '');
    return said.size === said.add(words).size;
  };
}

/** In a process group of its own: Ctrl-C reaches this tool alone, which then ends each side once. */
export function startSide({ name, command: [program, ...args], cwd, env, pauseMs = 0 }: SideOptions): Side {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let down = false;
  const isEcho = createEchoes(pauseMs);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      // What `node --watch` says; without these words a request would only wait longer for its refusal.
      if (line.startsWith('Failed running')) down = true;
      if (line.startsWith('Restarting')) down = false;
      if (!unwanted.test(line) && !isEcho(line, performance.now())) tell(name, line);
    });
  }
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      tell(name, error.message);
      resolve();
    });
    child.once('exit', () => resolve());
  });
  return { ended, isDown: () => down, end: () => endGroup(child, ended) };
}

/** The program hands a signal on to what it started; what has not ended in time is ended with its whole group. */
async function endGroup(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const late = setTimeout(() => killGroup(child), endMsMax);
  await ended;
  clearTimeout(late);
  killGroup(child);
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}
