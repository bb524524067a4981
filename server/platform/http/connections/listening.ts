import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Connections that wait to be taken: whoever finds no room here tries again only after a second, then three, then seven. The
 * system may allow fewer.
 */
const arrivalsMax = 4_096;

/**
 * Of each listener one connection is taken each time round the loop, of which a server that has all hands full does twenty
 * in a second: with one listener, somebody new waited fifteen seconds behind a hundred others a second, and so did whoever
 * asked for its health.
 */
const listeners = 16;

interface Place {
  host: string;
  port: number;
}

const isShareable = process.platform === 'linux';

/** What several listen at, others of this user could join: whether somebody has it is asked as one who wants it alone. */
async function refuseTaken(place: Place): Promise<void> {
  const probe = createServer().listen(place);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

/** Hands connections on to the app's own server, as that one would have taken them itself. */
async function listenBeside({ server }: FastifyInstance, place: Place): Promise<Server> {
  const beside = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
  beside.listen({ ...place, backlog: arrivalsMax, reusePort: true });
  await once(beside, 'listening');
  return beside;
}

const closed = async (server: Server) => {
  const over = once(server, 'close');
  server.close();
  await over;
};

/** Listens with several listeners at one address, where the system knows how. Closing waits for what came through any. */
export async function listenAt(app: FastifyInstance, place: Place): Promise<void> {
  if (!isShareable) {
    await app.listen({ ...place, backlog: arrivalsMax });
    return;
  }
  const beside: Server[] = [];
  app.addHook('preClose', async () => {
    await Promise.all([app.server, ...beside].filter(({ listening }) => listening).map(closed));
  });
  await refuseTaken(place);
  const shared = { ...place, backlog: arrivalsMax, reusePort: true };
  await app.listen(shared);
  for (const { address, port } of app.addresses() as AddressInfo[]) {
    for (let one = 1; one < listeners; one += 1)
      beside.push(await listenBeside(app, { host: address, port }));
  }
}
