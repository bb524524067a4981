/**
 * A thread beside the drill's own, which the crowd keeps so busy that it comes to nothing else for seconds: from there one
 * would see the drill wait, not the server. It asks for the server's health until the flood is over, and then comes as
 * somebody new until it is served as before.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { makeinvestment } from '@tallystick/contract/investment';
import { answerOf, createAsker } from '../ask.ts';
import type { Health, Newcomers, Recovery } from './watch.ts';

const { port } = workerData as { port: number };
const lookEveryMs = 250;
const healthMsMax = 15_000;
const newcomersAddress = '10.106.0.1';

let newcomers: Newcomers | null = null;
parentPort?.once('message', async (told: Newcomers) => {
  newcomers = told;
  parentPort?.postMessage({ health: await watching, recovery: await untilAsBefore(told) });
});
const watching = watchHealth();

/** Asks, as whoever watches the server does, all the while. */
async function watchHealth(): Promise<Health> {
  const health: Health = { looks: 0, notReady: 0, slowestMs: 0, wrong: [] };
  while (!newcomers) {
    health.looks += 1;
    for (const path of ['/healthz', '/readyz']) {
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
      health.slowestMs = Math.max(health.slowestMs, performance.now() - began);
      if (path === '/readyz' && status === 503) health.notReady += 1;
      else if (status !== 200) health.wrong.push(`${path} answered ${status || 'nothing in time'}`);
    }
    await delay(lookEveryMs);
  }
  return health;
}

/** From the end of a flood until somebody who comes now is served at once, some times in a row. */
async function untilAsBefore({ wishes, endedAt, inARow, ms, msMax }: Newcomers): Promise<Recovery> {
  const sinceEnd = () => performance.timeOrigin + performance.now() - endedAt;
  const transactionids: (string | null)[] = [];
  let served = 0;
  for (const { bearer, key, body } of wishes) {
    // On a connection that is new as well: nobody's answers are before theirs.
    const asker = createAsker(() => port, newcomersAddress);
    const outcome = await asker.ask(makeinvestment, { bearer, key, body });
    asker.close();
    transactionids.push(answerOf(makeinvestment, outcome)?.investment.investmentransactionid ?? null);
    served = outcome.status === 200 && outcome.ms <= ms ? served + 1 : 0;
    if (served === inARow) return { ms: sinceEnd(), isAsBefore: true, transactionids };
    if (sinceEnd() > msMax) break;
    await delay(50);
  }
  return { ms: sinceEnd(), isAsBefore: false, transactionids };
}
