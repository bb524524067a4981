import type { ChainLine, ChainLink, Followed } from './chain.ts';
import type { FollowOrder } from './chain-worker.ts';

/** Follows chains in a worker, one order after the other. */
export function startFollower() {
  const worker = new Worker(new URL('./chain-worker.ts', import.meta.url), { type: 'module' });
  return {
    follow(from: ChainLink, lines: ChainLine[]): Promise<Followed> {
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<Followed>) => resolve(data);
        worker.onerror = (event) => reject(new Error(`The record was not recomputed: ${event.message}`));
        worker.postMessage({ from, lines } satisfies FollowOrder);
      });
    },
    stop: () => worker.terminate(),
  };
}
