import { createServer } from 'node:net';

const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(true));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(false)));
  });

/** Those of them that somebody listens on already. */
export async function takenOf(ports: readonly number[]): Promise<number[]> {
  const found = await Promise.all(ports.map(isTaken));
  return ports.filter((_, at) => found[at]);
}
