import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteProcess } from '../../server/platform/embedded-postgres/owner.ts';
import { exitCodes } from '../../server/platform/start-refusal.ts';
import type { Places } from './layout.ts';

interface PartNeeds {
  name: string;
  command: [string, ...string[]];
  places: Pick<Places, 'logs' | 'parts'>;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Started again when it ends by itself, as a service is. */
  isKept?: boolean;
}

/** One process of a cluster, which writes what it says to a file of its own; who it is stands in another. */
export interface Part {
  name: string;
  logFile: string;
  pid(): number;
  isRunning(): boolean;
  start(): void;
  /** One of our own servers that has ended because somebody has to change something first. */
  isRefused(): boolean;
  /** How often it has ended without having been told to, and how the last time. */
  ended: { times: number; code: number | null };
  /** The end of what it has said. */
  said(): string;
  /** Told to end, and killed where it does not. */
  end(msMax?: number): Promise<number | null>;
  kill(): Promise<void>;
}

const againMs = 2_000;
const saidMax = 3_000;

export function createPart({ name, command, places, isKept = false, env, cwd, uid, gid }: PartNeeds): Part {
  const [program, ...args] = command;
  const logFile = join(places.logs, `${name}.log`);
  let child: ChildProcess | null = null;
  let isToldToEnd = false;
  let again: NodeJS.Timeout | undefined;
  const isRunning = () => child?.pid !== undefined && child.exitCode === null && child.signalCode === null;

  async function end(signal: NodeJS.Signals, msMax = 0): Promise<number | null> {
    isToldToEnd = true;
    clearTimeout(again);
    if (!child || !isRunning()) return child?.exitCode ?? null;
    const gone = once(child, 'exit');
    child.kill(signal);
    const late = msMax > 0 ? setTimeout(() => child?.kill('SIGKILL'), msMax) : undefined;
    await gone;
    clearTimeout(late);
    return child.exitCode;
  }

  const part: Part = {
    name,
    logFile,
    isRunning,
    pid: () => (isRunning() ? (child?.pid ?? 0) : 0),
    isRefused: () => !isRunning() && part.ended.code === exitCodes.refused,
    ended: { times: 0, code: null },
    start() {
      isToldToEnd = false;
      const log = openSync(logFile, 'a');
      // Whoever presses Ctrl-C means the whole, which is ended in its order.
      const started = spawn(program, args, {
        cwd,
        stdio: ['ignore', log, log],
        detached: true,
        ...(env && { env }),
        ...(uid !== undefined && process.getuid?.() === 0 && { uid, gid }),
      });
      closeSync(log);
      child = started;
      // For whoever has to end it when nobody is there to tell it.
      if (started.pid !== undefined) noteProcess(join(places.parts, name), started.pid);
      started.on('error', () => {});
      started.once('exit', (code) => {
        if (started !== child || isToldToEnd) return;
        part.ended = { times: part.ended.times + 1, code };
        if (isKept && code !== exitCodes.refused) again = setTimeout(part.start, againMs);
      });
    },
    said() {
      try {
        return readFileSync(logFile, 'utf8').slice(-saidMax);
      } catch {
        return '';
      }
    },
    end: (msMax = 15_000) => end('SIGTERM', msMax),
    kill: async () => void (await end('SIGKILL')),
  };
  return part;
}
