import type { Socket } from 'node:net';
import type pg from 'pg';
import { vi } from 'vitest';
import { Connection } from '../../platform/postgres/pool/connection.ts';

/**
 * Stands between the server and its connections: what is asked on one goes through here, and on by `send`, as it is or
 * otherwise, or not at all. Until the mock that it answers with is restored.
 */
export function standBetween(
  pass: (asked: unknown[], send: (...asked: unknown[]) => Promise<unknown>, client: pg.Client) => unknown,
) {
  const { query } = Connection.prototype;
  return vi.spyOn(Connection.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...asked: unknown[]
  ) {
    return pass(asked, (...args) => Reflect.apply(query, this, args) as unknown as Promise<unknown>, this);
  } as typeof query);
}

/** A client's line, to be stopped or cut. */
export const streamOf = (client: pg.Client) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** The next commit is made, but its answer is never heard: the line breaks once it shows. */
export function leaveCommitUnheard(shows: () => Promise<unknown>): void {
  const ends = standBetween((asked, send, client) => {
    const answer = send(...asked);
    if (asked[0] !== 'commit') return answer;
    ends.mockRestore();
    const stream = streamOf(client);
    stream.pause();
    void shows().finally(() => stream.destroy());
    return answer;
  });
}
