import pg from 'pg';
import { type DatabaseError, outcomeUnknownCode } from '../away.ts';

/** Where PostgreSQL gives up waiting for its standbys. What it says of it may be in any language, this is not. */
const waitingRoutine = 'SyncRepWaitForLSN';

export const mayOnlyReadCode = '25006';

const lost = (message: string, code: string): DatabaseError => Object.assign(new Error(message), { code });

/** What has been asked here has no answer any more: the node behind it is not the one that the address leads to. */
export const leftBehind = () => lost('the database is elsewhere by now', '08006');

/** A connection that ends itself rather than tell, or do, what cannot be relied on. */
export class Connection extends pg.Client {
  /** Which run of which node it leads to; null where nobody has asked, or where that may change any time. */
  run: string | null = null;
  /** A node that takes no writes: demoted, and the next connection finds the one that was promoted. */
  isStandby = false;
  #askedAt: number | null = null;
  #givenUp: DatabaseError | null = null;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('drain', () => {
      this.#askedAt = null;
    });
    this.connection.on('readyForQuery', () => {
      this.#askedAt &&= performance.now();
    });
    this.connection.on('errorMessage', ({ code }) => {
      this.isStandby ||= code === mayOnlyReadCode;
    });
    /**
     * A commit whose wait for the standbys was cancelled is answered like any other, with this notice before it, and is
     * lost when a standby takes over. So it counts as one that nobody has heard the answer of.
     */
    this.on('notice', ({ routine }) => {
      if (routine === waitingRoutine)
        this.giveUp(lost('a commit did not reach its standbys', outcomeUnknownCode));
    });
  }

  /** How long it has owed an answer, or the next piece of one. */
  silentMs(): number {
    return this.#askedAt === null ? 0 : performance.now() - this.#askedAt;
  }

  /** As if the line had broken: whatever is under way fails with this, and no pool keeps it. */
  giveUp(error: DatabaseError): void {
    if (this.#givenUp) return;
    this.#givenUp = error;
    // The answer may be in the same piece as what it is given up for, and nobody is left to hear it.
    this.connection.removeAllListeners('commandComplete');
    this.connection.emit('error', error);
    this.connection.stream.destroy();
  }

  override query<T extends pg.Submittable>(stream: T): T;
  override query<R extends pg.QueryResultRow>(...args: unknown[]): Promise<pg.QueryResult<R>>;
  /** One body for all the ways to ask that the driver has. */
  override query(...args: unknown[]): unknown {
    const isAwaited = !args.some((arg) => typeof arg === 'function' || arg instanceof pg.Query);
    // A rollback, mostly: it failed of what the others failed of.
    if (this.#givenUp && isAwaited) return Promise.reject(this.#givenUp);
    this.#askedAt ??= performance.now();
    const answer = Reflect.apply(super.query as (...args: unknown[]) => Promise<unknown>, this, args);
    // The answer may still come, and would be taken for that of the next.
    if (isAwaited)
      answer.catch((error: Error) => error.message === 'Query read timeout' && this.giveUp(error));
    return answer;
  }
}

/**
 * By way of a pooler that gives every transaction another connection of its own: what was prepared on one is not known
 * on the next.
 */
export class SharedConnection extends Connection {
  override query<T extends pg.Submittable>(stream: T): T;
  override query<R extends pg.QueryResultRow>(...args: unknown[]): Promise<pg.QueryResult<R>>;
  override query(...[asked, ...rest]: unknown[]): unknown {
    const { name } = asked as { name?: string };
    const isNamed = name !== undefined && !(asked instanceof pg.Query);
    return super.query(isNamed ? { ...(asked as object), name: undefined } : asked, ...rest);
  }
}
