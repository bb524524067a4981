import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Field } from '../field.ts';
import type { Site } from '../site.ts';

const lookEveryMs = 250;
const healthMsMax = 15_000;
/** While it has more than it can do a server may say so now and then; more would take it out of service for nothing. */
const notReadyShareMax = 0.1;

/** The most memory that a process has had so far. */
export function heightMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

/** Asks, as whoever watches the server does, all the while. */
export async function watchHealth(field: Field, { port }: Site, isOver: () => boolean): Promise<string> {
  let slowestMs = 0;
  const looks = { '/healthz': 0, '/readyz': 0 };
  let notReady = 0;
  while (!isOver()) {
    for (const path of ['/healthz', '/readyz'] as const) {
      const began = performance.now();
      const status = await fetch(`http://127.0.0.1:${port}${path}`, {
        signal: AbortSignal.timeout(healthMsMax),
      }).then(
        async (answer) => {
          await answer.text();
          return answer.status;
        },
        () => 0,
      );
      looks[path] += 1;
      slowestMs = Math.max(slowestMs, performance.now() - began);
      if (path === '/readyz' && status === 503) notReady += 1;
      else if (status !== 200) field.findings.add(`${path} answered ${status || 'nothing in time'}`);
    }
    await delay(lookEveryMs);
  }
  if (notReady > looks['/readyz'] * notReadyShareMax)
    field.findings.add(`/readyz said ${notReady} times of ${looks['/readyz']} that it is not ready`);
  return `health asked for ${looks['/healthz']} times, slowest ${(slowestMs / 1_000).toFixed(1)} s, not ready ${notReady} times`;
}
