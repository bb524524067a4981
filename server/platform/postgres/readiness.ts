import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, isDurable } from './db.ts';
import { appliedSql, knownMigrations } from './migrate.ts';
import { type Applied, fitOf } from './versions/fit.ts';

/** Whoever asks gives up after two seconds. */
const answerMsMax = 1_000;
/** Until then what was found last is the answer: a server that has all hands full finds it later, and is ready all the same. */
const believedMs = 5_000;
/** However many ask, the database is asked once a second at most. */
const keptMs = 1_000;

/** A new file costs more than a row that is written again, so it is not made as often. */
const roomKeptMs = 10_000;

/** Whether the server can do its work, as the answer to a caller: what fails, in words; nothing, when all is well. */
export function createReadiness(db: Db): () => Promise<string[]> {
  let asked: { at: number; answer: Promise<string[]>; done: boolean } | null = null;
  let found: { at: number; reasons: string[] } | null = null;
  let roomAt = Number.NEGATIVE_INFINITY;
  // As it began: whoever puts another version's files into its folder does not make it that version.
  const known = knownMigrations();
  known.catch(() => {});

  async function look(): Promise<string[]> {
    try {
      const reasons = [await schemaFails(db, await known), await grantsFail(db), await told(write(db))];
      if (performance.now() - roomAt > roomKeptMs) {
        const noRoom = await told(writeAnew(db));
        if (noRoom === null) roomAt = performance.now();
        reasons.push(noRoom);
      }
      return [...new Set(reasons)].filter((reason) => reason !== null);
    } catch (error) {
      const code = reasonOf(error);
      return [code === '42501' ? 'rights are missing' : `the database does not answer: ${code}`];
    }
  }

  function ask(): Promise<string[]> {
    const fresh = { at: performance.now(), answer: look(), done: false };
    void fresh.answer.then((reasons) => {
      fresh.done = true;
      found = { at: performance.now(), reasons };
    });
    asked = fresh;
    return fresh.answer;
  }

  const late = () =>
    found && performance.now() - found.at < believedMs ? found.reasons : ['the database does not answer'];

  return () => {
    // One that is still under way is shared, however long it takes: a database that hangs is not asked in vain again.
    const fresh = asked && (!asked.done || performance.now() - asked.at < keptMs) ? asked : null;
    const answer = fresh ? fresh.answer : ask();
    return Promise.race([answer, delay(answerMsMax, undefined, { ref: false }).then(late)]);
  };
}

/** PostgreSQL's own words name no one's data in what these statements can fail of, but a code is enough for a stranger. */
const reasonOf = (error: unknown) => (error as { code?: string }).code ?? 'no connection';

async function schemaFails(db: Db, known: readonly string[]): Promise<string | null> {
  const { rows: applied } = await sql.raw<Applied>(appliedSql).execute(db);
  const missing = known.filter((name) => !applied.some((each) => each.name === name));
  if (missing.length > 0) return `the schema is older than this server: ${missing.join(', ')} is missing`;
  const { misfits, gap } = fitOf(known, applied);
  if (misfits.length > 0) return `the schema is newer than this server: ${misfits.join(', ')}`;
  return gap && `the migrations have a gap: ${gap}`;
}

async function grantsFail(db: Db): Promise<string | null> {
  const { rows } = await sql<{ object: string; right: string }>`
    select object, right_to as right from app_rights_wanted except select object, right_to from app_rights
    order by object limit 10`.execute(db);
  const missing = rows.map(({ object, right }) => `${right} on ${object}`);
  return missing.length > 0 ? `rights are missing: ${missing.join(', ')}` : null;
}

/** Committed: an acknowledged write has reached the disk, and the standbys that are waited for. */
async function write(db: Db): Promise<void> {
  const { rows } = await sql<{ waits: string }>`
    update readiness set written_at = now() returning current_setting('synchronous_commit') as waits`.execute(
    db,
  );
  // A pooler's connections have what the login has, and that can be changed while we run.
  if (isDurable(db) && /^(off|local)$/.test(rows[0]?.waits ?? '')) throw new NotWaited();
}

class NotWaited extends Error {}

/** Emptied and written again, a table is a new file. Whoever reads it, a backup for example, is not waited for. */
async function writeAnew(db: Db): Promise<void> {
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`set local lock_timeout = '100ms'`.execute(tx);
      await sql`truncate readiness`.execute(tx);
      await sql`insert into readiness default values`.execute(tx);
    })
    .catch((error) => {
      if (reasonOf(error) !== lockNotAvailable) throw error;
    });
}

const lockNotAvailable = '55P03';

async function told(writing: Promise<void>): Promise<string | null> {
  try {
    await writing;
    return null;
  } catch (error) {
    if (error instanceof NotWaited) return 'what is acknowledged may be lost: synchronous_commit is not on';
    const code = reasonOf(error);
    if (code === '53100') return 'the disk is full';
    if (code === '25006') return 'the database takes no writes';
    return `the database did not take a write: ${code}`;
  }
}
