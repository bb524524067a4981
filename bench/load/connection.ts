import { connect } from 'node:net';

export interface Connection {
  /** One at a time. */
  ask(request: string): Promise<string>;
  close(): void;
}

/** Just enough of HTTP for answers that say how long they are. */
export function createConnection(port: number): Connection {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let waiting: { resolve(answer: string): void; reject(error: Error): void } | null = null;
  socket.on('data', (piece: Buffer) => {
    received = received.length > 0 ? Buffer.concat([received, piece]) : piece;
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = received.toString('latin1', 0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) waiting?.reject(new Error(`no length: ${head}`));
    if (received.length < headEnd + 4 + length) return;
    const answer = received.toString();
    received = Buffer.alloc(0);
    waiting?.resolve(answer);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the server hung up')));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        // One that was closed in between says nothing more by itself.
        if (socket.destroyed) reject(new Error('the server hung up'));
        else socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

export const isGood = (answer: string) => answer.startsWith('HTTP/1.1 2');
