import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

/** One of the programs behind the address: Vite, or the server as it was at its last edit. */
export interface Side {
  ended: Promise<void>;
  /** When it has said that it is ready, if it ever does. */
  ready: Promise<void>;
  /** To one that listens. */
  say(word: string): void;
  end(): Promise<void>;
}

interface SideOptions {
  name: string;
  command: [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  /** Whether it is told what to do, and tells when it is ready. */
  listens?: boolean;
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
export function startSide(options: SideOptions): Side {
  const { name, cwd, env, listens = false, pauseMs = 0 } = options;
  const [program, ...args] = options.command;
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', listens ? 'ipc' : 'ignore'],
  });
  const isEcho = createEchoes(pauseMs);
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (!unwanted.test(line) && !isEcho(line, performance.now())) tell(name, line);
    });
  }
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      tell(name, error.message);
      resolve();
    });
    child.once('exit', () => {
      // Whom it has left behind; later, its number may be somebody else's.
      killGroup(child);
      resolve();
    });
  });
  return {
    ended,
    ready: new Promise((resolve) => child.once('message', () => resolve())),
    // One that has just ended hears nothing any more, which is told by its end.
    say: (word) => void (child.connected && child.send(word, () => {})),
    end: () => endGroup(child, ended),
  };
}

/** The program hands a signal on to what it started; what has not ended in time is ended with its whole group. */
async function endGroup(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const late = setTimeout(() => killGroup(child), endMsMax);
  await ended;
  clearTimeout(late);
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}
