import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  url: string;
  /** The messages that were handed over, with or without the word that they were taken. */
  received: string[];
  /** From now on the word that a message was taken is kept back, until `release`, or `refuse`. */
  hold(): void;
  release(): void;
  refuse(): void;
  close(): Promise<void>;
}

/** A real mail server on loopback that can keep its word back. */
export async function startMailServer(): Promise<MailServer> {
  type Say = (error?: Error) => void;
  let held: Say[] | null = null;
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 50,
    logger: false,
    onData(stream, _session, callback) {
      text(stream).then((message) => {
        received.push(message);
        if (held) held.push(callback);
        else callback();
      }, callback);
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sayToAll = (error?: Error) => {
    const waiting = held ?? [];
    held = null;
    for (const say of waiting) say(error);
  };
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    hold() {
      held ??= [];
    },
    release: () => sayToAll(),
    refuse: () => sayToAll(Object.assign(new Error('not now'), { responseCode: 451 })),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Takes connections and never says a word. */
export async function startSilentServer(): Promise<{
  url: string;
  connections(): number;
  close(): Promise<void>;
}> {
  const sockets = new Set<{ destroy(): void }>();
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
