import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf, signal } from '../site.ts';
import { type Ground, type Told, underFault } from './ground.ts';
import type { Weather } from './proxy.ts';

/** A fault: the class it belongs to, and what breaks when it is asked to break. */
export interface Fault {
  name: string;
  /** What a negative control of it is called. */
  breaks?: string[];
  run(ground: Ground, how: { block: number; breaks: string | null }): Promise<Told>;
}

/** Beyond the driver's own limit of 35 s, so that it has to give up. */
const longMs = 42_000;
const shortMs = 4_000;

interface Stormy {
  between: 'toDatabase' | 'toServer';
  weather: Weather;
  ms: number;
}

const stack = 'Error: boom\n    at Object.<anonymous> (/srv/server/app.ts:1:1)\n';
const garbledAnswer = `HTTP/1.1 500 Internal Server Error\r\ncontent-length: ${stack.length}\r\n\r\n${stack}`;

/** The one who waits is not told, in time or in our words: what a drill has to notice. */
const brokenWeather: Record<string, Weather> = {
  shape: { kind: 'garbled', word: 'HTTP/1.1 200', by: garbledAnswer },
  hang: { kind: 'half-open' },
};

const storm = (name: string, { between, weather, ms }: Stormy): Fault => ({
  name,
  breaks: between === 'toServer' ? ['lost', 'shape', 'hang'] : ['lost'],
  run: (ground, { block, breaks }) =>
    underFault(ground, {
      name,
      block,
      port: () => (between === 'toServer' ? ground.toServer.port : ground.site.port),
      ...(breaks === 'hang' && { msMax: 2_000 }),
      invents: breaks === 'lost',
      async fault(field) {
        const proxy = ground[between];
        proxy.set(brokenWeather[breaks ?? ''] ?? weather);
        await delay(ms);
        const struck = proxy.struck();
        proxy.set({ kind: 'fair' });
        if ('word' in weather && struck === 0)
          field.findings.add('not one word was kept back: nothing was tried');
      },
    }),
});

/** All of the database's processes stand still, as on a machine or a disk that hangs. */
const frozen = (name: string, ms: number): Fault => ({
  name,
  breaks: ['lost'],
  run: (ground, { block, breaks }) =>
    underFault(ground, {
      name,
      block,
      port: () => ground.site.port,
      invents: breaks === 'lost',
      async fault() {
        const { postmasterPid } = ground.cluster;
        const pids = [postmasterPid, ...childrenOf(postmasterPid)];
        signal(pids, 'SIGSTOP');
        try {
          await delay(ms);
        } finally {
          signal(pids, 'SIGCONT');
        }
      },
    }),
});

export const networkFaults: Fault[] = [
  storm('database-cut', { between: 'toDatabase', weather: { kind: 'cut' }, ms: shortMs }),
  storm('database-slow', { between: 'toDatabase', weather: { kind: 'slow', ms: 300 }, ms: 2 * shortMs }),
  storm('database-half-open', { between: 'toDatabase', weather: { kind: 'half-open' }, ms: longMs }),
  // The end of a transaction as PostgreSQL tells it: a message C with the word COMMIT.
  storm('commit-unheard', {
    between: 'toDatabase',
    weather: { kind: 'unheard', word: 'COMMIT\0', every: 4 },
    ms: 2 * shortMs,
  }),
  storm('client-cut', { between: 'toServer', weather: { kind: 'cut' }, ms: shortMs }),
  storm('client-slow', { between: 'toServer', weather: { kind: 'slow', ms: 300 }, ms: 2 * shortMs }),
  storm('answer-unheard', {
    between: 'toServer',
    weather: { kind: 'unheard', word: 'HTTP/1.1 200', every: 3 },
    ms: 2 * shortMs,
  }),
  frozen('database-frozen', shortMs),
  frozen('database-frozen-long', longMs),
];
