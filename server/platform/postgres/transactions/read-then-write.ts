import type { DatabaseError } from '../away.ts';
import { type Db, type Line, moneyPoolOf, type Statement, type Tx, transactionOn } from '../db.ts';
import { mayOnlyReadCode } from '../pool/connection.ts';
import { againIfUndone } from '../undone.ts';
import { inOnePiece, together } from '../wire/together.ts';

/** Of a statement whose transaction has failed already, or has not begun. */
const isRefusedAfterFailure = (error: unknown) =>
  ['25P02', '25006'].includes((error as DatabaseError).code ?? '');

/** What a standby says to a transaction that may write, where it says something else to everything else that it may not do. */
const cannotWriteCode = '0A000';

/**
 * A prepared statement that does not fit the tables any more, that the database has forgotten, or that it has although nobody
 * heard of it: the next connection has none of them.
 */
const staleCodes = ['0A000', '26000', '42P05'];

/** What a transaction comes to, and what is left to be sent: no answer of it is needed, so it travels with the commit. */
interface Outcome<T> {
  result: T;
  last?: readonly Statement[];
}

interface Steps<Facts, T> {
  read(tx: Tx): Promise<Facts>;
  write(tx: Tx, facts: Facts): Promise<Outcome<T>>;
  /** It failed, and why: nobody is to go on from it, also where a commit was made and not heard of. It may be tried again. */
  undone?(error: unknown): void;
}

/**
 * A transaction that costs as few trips to the database as it can: it begins together with what is read first, nothing
 * is written before that was heard of, and it ends together with what is written last. Where one of these fails, the
 * database makes the commit a rollback.
 */
export const readThenWrite = <Facts, T>(db: Db, { read, write, undone }: Steps<Facts, T>): Promise<T> =>
  moneyTransaction(db, {
    async work(line, begun) {
      const tx = transactionOn(line);
      const [facts] = await Promise.all([read(tx), begun]);
      return write(tx, facts);
    },
    undone,
  });

/**
 * A transaction that is one trip to the database: it is written whole, or it fails. It may be sent behind another, which may have
 * to wait for a row. So whoever has locked rows must not wait in this process for one of these to be over.
 */
export const writeAtOnce = (db: Db, statements: readonly Statement[]): Promise<void> =>
  moneyTransaction(db, { isOneTrip: true, work: async () => ({ result: undefined, last: statements }) });

interface Work<T> {
  isOneTrip?: boolean;
  work(line: Line, begun: Promise<unknown>): Promise<Outcome<T>>;
  undone?: ((error: unknown) => void) | undefined;
}

async function moneyTransaction<T>(db: Db, { isOneTrip, work, undone }: Work<T>): Promise<T> {
  const money = moneyPoolOf(db);
  return againIfUndone(async () => {
    // A pooler gives a connection away with the answer of a commit: nothing may be behind that.
    const place = await (isOneTrip && !money.shared ? money.places.behindAnother() : money.places.own());
    const { client } = place;
    let hasEnded = false;
    let isBroken = false;
    let failedFirst: unknown;
    let failedToBegin: unknown;
    let end: Promise<unknown> | undefined;
    const how = { keepsPrepared: !money.shared };
    const sent = async <Result>(send: () => Promise<Result>): Promise<Result> => {
      if (hasEnded) throw new Error('this transaction has ended');
      try {
        return await send();
      } catch (error) {
        if (!isRefusedAfterFailure(error)) failedFirst ??= error;
        throw error;
      }
    };
    const query = ((...args: Parameters<typeof client.query>) =>
      sent(() => client.query(...args) as unknown as Promise<unknown>)) as typeof client.query;
    const send = (statements: readonly Statement[]) => sent(async () => together(client, statements, how));
    try {
      const begun = query(money.begin);
      begun.catch((error) => {
        if (error.code === cannotWriteCode) error.code = mayOnlyReadCode;
        failedToBegin = error;
      });
      if (money.shared) await begun;
      const { result, last = [] } = await work({ query, send, release() {} }, begun);
      // One that the driver has not sent: the database knows nothing of it and would commit the others.
      if (failedFirst) throw failedFirst;
      const sentAt = performance.now();
      hasEnded = true;
      const [written, committed] = inOnePiece(
        client,
        () => [together(client, last, how), client.query('commit')] as const,
      );
      place.sent();
      end = committed;
      const [{ command }] = await Promise.all([committed, begun, written]);
      if (command !== 'COMMIT') throw failedFirst ?? new Error('the transaction had failed before its end');
      money.onCommit((performance.now() - Math.max(sentAt, place.firstSince())) / 1000);
      return result;
    } catch (error) {
      hasEnded = true;
      // Behind a commit nothing is sent: PgBouncer may give the connection away with its answer, and who has it then hears ours.
      await (end ?? client.query('rollback')).catch(() => {
        isBroken = true;
      });
      // Those that travelled behind it failed because of it, and say only that; what is done next depends on the first,
      // which is known for certain once all have been answered.
      const first = failedToBegin ?? (isRefusedAfterFailure(error) ? (failedFirst ?? error) : error);
      isBroken ||= staleCodes.includes((first as DatabaseError).code ?? '');
      undone?.(first);
      throw first;
    } finally {
      place.leave(isBroken);
    }
  });
}
