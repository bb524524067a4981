import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Witness, WitnessAnswer } from './witness.ts';

const bodyBytesMax = 64 * 1024;
const requestMsMax = 10_000;

const say = (status: number, words: string): WitnessAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${words}\n`,
});

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > bodyBytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function answerTo(request: IncomingMessage, witness: Witness): Promise<WitnessAnswer> {
  const path = request.url?.split('?')[0];
  if (path === '/vkey' && request.method === 'GET') return say(200, witness.vkey);
  if (path !== '/add-checkpoint') return say(404, 'POST add-checkpoint, GET vkey');
  if (request.method !== 'POST') return say(405, 'POST it');
  const body = await bodyOf(request);
  return body === null ? say(413, 'That is too much.') : witness.addCheckpoint(body);
}

interface ServedWitness {
  url: string;
  close(): Promise<void>;
}

/** Answers for a witness over HTTP; port 0 takes any that is free. */
export async function serveWitness(
  witness: Witness,
  { host, port }: { host: string; port: number },
): Promise<ServedWitness> {
  const server: Server = createServer({ requestTimeout: requestMsMax }, (request, response) => {
    answerTo(request, witness)
      .catch((error: Error) => {
        process.stderr.write(`witness: ${error.message}\n`);
        return say(500, 'Something is wrong here. Nothing was signed.');
      })
      .then(({ status, type, body }) => {
        // What was not read of the request would hold up whoever sends it.
        if (!request.complete) response.setHeader('connection', 'close');
        response.writeHead(status, { 'content-type': type }).end(body);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
