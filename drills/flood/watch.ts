import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Field } from '../field.ts';

/** While it has more than it can do a server may say so now and then; more would take it out of service for nothing. */
const notReadyShareMax = 0.1;
const asBefore = { inARow: 10, ms: 1_000, msMax: 30_000 };
/** More than come in the time that there is. */
const newcomerCount = 600;

/** The most memory that a process has had so far. */
export function heightMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

export interface Health {
  looks: number;
  notReady: number;
  slowestMs: number;
  wrong: string[];
}

/** Investments of those who come after a flood, one after the other. */
export interface Newcomers {
  wishes: {
    bearer: string;
    key: string;
    body: { userid: string; planid: string; investinvestmemntamount: number };
  }[];
  endedAt: number;
  inARow: number;
  ms: number;
  msMax: number;
}

export interface Recovery {
  ms: number;
  isAsBefore: boolean;
  /** Of each that was asked for; null for one that was not done. */
  transactionids: (string | null)[];
}

export interface Watch {
  /** The flood is over: newcomers come, until they are served as before. */
  welcome(nextWish: () => Newcomers['wishes'][number]): Promise<Recovery>;
  /** What was seen of its health meanwhile. */
  health(): string;
  end(): Promise<unknown>;
}

/** Looks at a server from a thread of its own. */
export function watch(field: Field, port: number): Watch {
  const thread = new Worker(new URL('watcher.ts', import.meta.url), { workerData: { port } });
  // It looks on; it keeps nobody here.
  thread.unref();
  let seen = '';
  return {
    async welcome(nextWish) {
      const endedAt = performance.timeOrigin + performance.now();
      const wishes = Array.from({ length: newcomerCount }, nextWish);
      thread.postMessage({ ...asBefore, wishes, endedAt } satisfies Newcomers);
      const [{ health, recovery }] = (await once(thread, 'message')) as [
        { health: Health; recovery: Recovery },
      ];
      for (const wrong of health.wrong) field.findings.add(wrong);
      if (health.notReady > health.looks * notReadyShareMax)
        field.findings.add(`/readyz said ${health.notReady} times of ${health.looks} that it is not ready`);
      if (!recovery.isAsBefore) field.findings.add(`not as before within ${asBefore.msMax / 1_000} s`);
      seen = `health asked for ${health.looks} times, slowest ${(health.slowestMs / 1_000).toFixed(1)} s, not ready ${health.notReady} times`;
      return recovery;
    },
    health: () => seen,
    end: () => thread.terminate(),
  };
}
