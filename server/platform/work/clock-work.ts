import { sql } from 'kysely';
import type { Logger } from '../logger.ts';
import type { Db } from '../postgres/db.ts';

/** Something that happens by the clock, on one server at a time. */
interface ClockWork {
  name: string;
  everySeconds: number;
  run(): Promise<void>;
}

interface ClockWorkNeeds {
  db: Db;
  works: ClockWork[];
  logger: Logger;
  /** Told what is to happen, and when it has ended well. */
  watched?: { begin(name: string, everySeconds: number): void; endWell(name: string): void };
}

const lookMs = 1_000;
/** What failed is tried again soon, but not at once. */
const retrySeconds = 10;

/**
 * Asks the database every second what is due. The database's clock and its rows decide, so a server whose clock is
 * wrong changes nothing, and a database whose clock was wrong for a while goes on when it is right again. Each work runs
 * beside the others and waits for no queue.
 */
export function startClockWork({ db, works, logger, watched }: ClockWorkNeeds) {
  const running = new Map<string, Promise<void>>();
  let looking: Promise<void> | null = null;
  let known = false;
  for (const { name, everySeconds } of works) watched?.begin(name, everySeconds);

  async function run({ name, run: work }: ClockWork): Promise<void> {
    try {
      await work();
      watched?.endWell(name);
    } catch (error) {
      logger.error({ err: error, work: name }, 'what happens by the clock failed; it is tried again');
      await tryAgainSoon(db, name).catch(() => {});
    }
  }

  async function look(): Promise<void> {
    if (!known) await makeKnown(db, works);
    known = true;
    const idle = works.filter(({ name }) => !running.has(name));
    const due = await claimDue(
      db,
      idle.map(({ name }) => name),
    );
    for (const work of idle.filter(({ name }) => due.includes(name))) {
      running.set(
        work.name,
        run(work).finally(() => running.delete(work.name)),
      );
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      // The database is away, which whoever waits for an answer is told; here there is always another second.
      .catch((error) => logger.debug({ err: error }, 'what is due could not be asked'))
      .finally(() => {
        looking = null;
      });
  }, lookMs);

  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await looking;
      await Promise.all(running.values());
    },
  };
}

async function makeKnown(db: Db, works: ClockWork[]): Promise<void> {
  await sql`
    insert into clock_work (name, every)
    select name, make_interval(secs => seconds)
    from unnest(${works.map(({ name }) => name)}::text[], ${works.map(({ everySeconds }) => everySeconds)}::int[])
      as work (name, seconds)
    on conflict (name) do update set every = excluded.every where clock_work.every <> excluded.every`.execute(
    db,
  );
}

/**
 * One statement: of several servers that ask at once, one gets it. By the time of looking, not of asking: what another
 * took in between would lie ahead of that.
 */
async function claimDue(db: Db, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    update clock_work set last_run_at = clock_timestamp()
    where name = any(${names}::text[])
      and (last_run_at is null or last_run_at > clock_timestamp() or last_run_at <= clock_timestamp() - every)
    returning name`.execute(db);
  return rows.map(({ name }) => name);
}

async function tryAgainSoon(db: Db, name: string): Promise<void> {
  await sql`
    update clock_work set last_run_at = least(last_run_at, now() - every + make_interval(secs => ${retrySeconds}))
    where name = ${name}`.execute(db);
}
