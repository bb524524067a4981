import pg from 'pg';
import { type DatabaseError, outcomeUnknownCode } from '../away.ts';

/** Where PostgreSQL gives up waiting for its standbys. What it says of it may be in any language, this is not. */
const waitingRoutine = 'SyncRepWaitForLSN';

export const mayOnlyReadCode = '25006';

const lost = (message: string, code: string): DatabaseError => Object.assign(new Error(message), { code });

/** What has been asked here has no answer any more: the node behind it is not the one that the address leads to. */
export const leftBehind = () => lost('the database is elsewhere by now', '08006');

/** In the driver's words, which `away.ts` and `replica.ts` know it by: a replica's connections are the driver's own. */
const late = () => new Error('Query read timeout');

/** What may be said of a question beside what the driver knows. */
interface Asked {
  /** For how long its answer is waited for, where that is not what the connection was told. */
  answerMsMax?: number | undefined;
}
type Answered = (error: Error | null, result?: unknown) => void;
type Question = pg.Query & { callback?: Answered };
/** Understands all the ways to ask that the driver has, callbacks included; its types do not say so. */
const Question = pg.Query as unknown as new (...asked: unknown[]) => Question;
/** `setTimeout` takes no more. */
const timerMsMax = 2 ** 31 - 1;
/** The driver's own fields, which its types leave out. */
interface Told {
  /** Text where the address of the database says so. */
  connectionParameters: { query_timeout: number | string | false };
}

/** A connection that ends itself rather than tell, or do, what cannot be relied on. */
export class Connection extends pg.Client {
  /** Which run of which node it leads to; null where nobody has asked, or where that may change any time. */
  run: string | null = null;
  /** A node that takes no writes: demoted, and the next connection finds the one that was promoted. */
  isStandby = false;
  #isLost = false;
  #askedAt: number | null = null;
  #givenUp: DatabaseError | null = null;
  readonly #answerMsMax: number;
  /** When each answer that is owed has to be there. */
  readonly #due: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looksAt = Number.POSITIVE_INFINITY;

  constructor(config?: pg.ClientConfig) {
    super(config);
    // The driver would set a timer for every question, and hold what it was answered until the next full collection.
    const told = (this as unknown as Told).connectionParameters;
    this.#answerMsMax = Number(told.query_timeout) || Number.POSITIVE_INFINITY;
    told.query_timeout = false;
    this.once('end', () => clearTimeout(this.#timer));
    for (const end of ['end', 'error'] as const) {
      this.connection.once(end, () => {
        this.#isLost = true;
      });
    }
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

  /** Whether what is asked here now can be answered, as far as is known. */
  isGood(): boolean {
    return !this.#isLost && !this.isStandby;
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
  override query(...args: unknown[]): unknown {
    const [asked] = args as [Asked & Partial<Question>];
    if (typeof asked?.submit === 'function') {
      const isWatched = asked.callback !== undefined && (asked as unknown) instanceof pg.Query;
      if (isWatched) return this.#ask(asked as Question, asked);
      // Waited for as whoever made it likes; that an answer is owed is known all the same.
      this.#askedAt ??= performance.now();
      return Reflect.apply(super.query as (...args: unknown[]) => unknown, this, args);
    }
    const question = new Question(...args);
    if (question.callback) return void this.#ask(question, asked);
    // A rollback, mostly: it failed of what the others failed of.
    if (this.#givenUp) return Promise.reject(this.#givenUp);
    const { promise, resolve, reject } = Promise.withResolvers();
    const callback: Answered = (error, result) => (error ? reject(error) : resolve(result));
    this.#ask(Object.assign(question, { callback }), asked);
    // Where it was asked says more than where its answer was read.
    return promise.catch((error) => {
      Error.captureStackTrace(error);
      throw error;
    });
  }

  #ask(question: Question, { answerMsMax = this.#answerMsMax }: Asked): Question {
    const now = performance.now();
    this.#askedAt ??= now;
    const dueAt = now + answerMsMax;
    this.#due.push(dueAt);
    if (dueAt < this.#looksAt) this.#lookAt(dueAt, now);
    const { callback } = question;
    const heard: Answered = (error, result) => {
      const index = this.#due.indexOf(dueAt);
      if (index >= 0) this.#due.splice(index, 1);
      callback?.(error, result);
    };
    return super.query(Object.assign(question, { callback: heard }));
  }

  #lookAt(dueAt: number, now: number): void {
    clearTimeout(this.#timer);
    this.#looksAt = dueAt;
    this.#timer = setTimeout(() => this.#look(), Math.min(dueAt - now, timerMsMax)).unref();
  }

  #look(): void {
    this.#looksAt = Number.POSITIVE_INFINITY;
    // What has come while this process was busy is read first.
    setImmediate(() => {
      const now = performance.now();
      const next = Math.min(...this.#due);
      // The answer may still come, and would be taken for that of the next: nothing is asked here any more.
      if (next <= now) this.giveUp(late());
      else if (next < this.#looksAt) this.#lookAt(next, now);
    });
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

const tryingMsMax = 5_000;

/** Whether an address opens: null, or why it does not. */
export async function tryConnecting(databaseUrl: string): Promise<DatabaseError | null> {
  let client: pg.Client | undefined;
  try {
    // An address may name files, of certificates for example, which are read here.
    client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: tryingMsMax });
    client.on('error', () => {});
    await client.connect();
    return null;
  } catch (error) {
    return error as DatabaseError;
  } finally {
    await client?.end().catch(() => {});
  }
}
