import { type Profiler, Session } from 'node:inspector/promises';

/** Where this process spends its time, taken by V8 itself between two moments. */
export function createProfiler() {
  const session = new Session();
  return {
    async start(): Promise<void> {
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.start');
    },
    async stop(): Promise<Profiler.Profile> {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return profile;
    },
  };
}
