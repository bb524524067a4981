/**
 * The load of the HTTP measurement, in a process of its own: connections that are kept, one request at a time on each.
 * Told what to do on the first line of its input; answers with one line of JSON.
 */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { perSecond } from './loop.ts';

export interface Orders {
  port: number;
  seconds: number;
  planId: string;
  amount: number;
  investors: { userId: string; bearer: string }[];
}

/** Just enough of HTTP for answers that say how long they are. */
function createConnection(port: number): { socket: Socket; ask(request: string): Promise<string> } {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  let received = '';
  let waiting: { resolve(answer: string): void; reject(error: Error): void } | null = null;
  socket.setEncoding('utf8').on('data', (piece: string) => {
    received += piece;
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) waiting?.reject(new Error(`no length: ${received}`));
    if (received.length < headEnd + 4 + length) return;
    const answer = received;
    received = '';
    waiting?.resolve(answer);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the server hung up')));
  const ask = (request: string) =>
    new Promise<string>((resolve, reject) => {
      waiting = { resolve, reject };
      socket.write(request);
    });
  return { socket, ask };
}

const { port, seconds, planId, amount, investors }: Orders = JSON.parse(await text(process.stdin));
const connections = investors.map(() => createConnection(port));
const requests = investors.map(({ userId, bearer }) => {
  const body = JSON.stringify({ userid: userId, planid: planId, investinvestmemntamount: amount });
  const head = [
    'POST /api/investment/makeinvestment HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${bearer}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  return (key: string) => `${head.join('\r\n')}\r\nidempotency-key: ${key}\r\n\r\n${body}`;
});

const rate = await perSecond(investors.length, seconds, async (who) => {
  const answer = await connections[who]?.ask(requests[who]?.(randomUUID()) ?? '');
  if (!answer?.startsWith('HTTP/1.1 200')) throw new Error(`refused: ${answer}`);
});
for (const { socket } of connections) socket.destroy();
process.stdout.write(JSON.stringify({ rate }));
