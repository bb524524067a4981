import { sql } from 'kysely';
import { type Db, prepared, type Statement, type Tx } from '../../platform/postgres/db.ts';
import { prune } from '../../platform/postgres/prune.ts';
import type { JsonValue } from '../../platform/postgres/schema.ts';
import {
  column,
  columnOf,
  hexBytes,
  jsonb,
  text,
  timestamptz,
  uuid,
} from '../../platform/postgres/wire/binary.ts';
import { copied } from '../../platform/postgres/wire/copy.ts';
import type { BorneKey, Key } from './verb/key-rules.ts';

export interface CommandKey extends Key {
  /** In hexadecimal digits. */
  bodySha256: string;
}

/** With the id of the movement that it makes, where it makes one that bears it. */
type WantedKey = Key & Pick<BorneKey, 'movementId'>;

export interface KeptCommand extends CommandKey {
  answer: JsonValue;
}

/** The one scope that is not an investor's. */
const operatorScope = 'operator';

const keptAndTime = prepared<{ now: Date } & Partial<KeptCommand>>(
  'find commands',
  `with wanted as (select * from unnest($1::text[], $2::text[], $3::uuid[]) as wanted (scope, key, movement_id)),
  clock as (select date_trunc('milliseconds', coalesce($4::timestamptz, clock_timestamp())) as now),
  accepted as (
    select c.scope, c.key, c.body_sha256, c.answer from wanted join ledger_commands c using (scope, key)
    union all
    select scope, key, coalesce(m.body_sha256, ''), jsonb_build_object('about', coalesce(m.reference, m.transactionid))
    from wanted join ledger_movements m on m.id = movement_id),
  kept as (
    select * from accepted
    union all
    select r.scope, r.key, r.body_sha256, jsonb_build_object('refused', r.refused)
    from clock, wanted join ledger_refusals r using (scope, key)
    where r.at > now - interval '1 day' and (scope, key) not in (select scope, key from accepted))
  select now, scope, key, encode(body_sha256, 'hex') as "bodySha256", answer from clock left join kept on true`,
);

/**
 * A movement can be seen, and its key, although the standbys do not have it: where the wait for them was cut short. Whoever
 * only reads does not wait for them; who writes this waits, at the commit, for all that was seen before it.
 */
export const waitForWhatWasSeen: Statement = {
  name: 'wait for what was seen',
  text: `select pg_logical_emit_message(true, 'tallystick', '')`,
  values: [],
};

/**
 * What is known of the keys, and what counts of one last: that it was accepted goes before that it was refused, which another
 * command with the same key may have been at the same moment. And the time by the clock that all servers share; a test's own goes before it.
 */
export async function findCommands(
  tx: Tx,
  keys: WantedKey[],
  givenTime: Date | null,
): Promise<{ now: Date; kept: KeptCommand[] }> {
  const rows = await keptAndTime(tx, [
    columnOf(text, keys, ({ scope }) => scope),
    columnOf(text, keys, ({ key }) => key),
    columnOf(uuid, keys, ({ movementId }) => movementId),
    givenTime,
  ]);
  const [row] = rows;
  if (!row) throw new Error('the database did not tell the time');
  return {
    now: row.now,
    kept: rows.filter((each): each is { now: Date } & KeptCommand => each.key !== null),
  };
}

const newKeys = {
  name: 'keys are new',
  text: `select 1 / (not exists (
      select from unnest($1::text[], $2::text[]) as wanted (scope, key) join ledger_refusals r using (scope, key)
      where r.at > $3::timestamptz - interval '1 day')
    and not exists (
      select from unnest($1::text[], $2::text[]) as wanted (scope, key) join ledger_commands c using (scope, key))
    and coalesce($4::timestamptz, clock_timestamp()) - $3 between interval '-1 second' and interval '10 seconds')::int`,
};

/**
 * Ends the transaction when one of the keys was refused, or accepted for what makes no movement, or when it is not the time
 * that it was taken for. That no movement bears it is seen where the new one is written.
 */
export function demandNewKeys(keys: Key[], now: Date, givenTime: Date | null): Statement {
  const scopes = columnOf(text, keys, ({ scope }) => scope);
  return { ...newKeys, values: [scopes, columnOf(text, keys, ({ key }) => key), now, givenTime] };
}

const copyCommands = copied<KeptCommand & { at: Date }>('ledger_commands', {
  scope: column(text, (c) => c.scope),
  key: column(text, (c) => c.key),
  body_sha256: column(hexBytes, (c) => c.bodySha256),
  at: column(timestamptz, (c) => c.at),
  answer: column(jsonb, (c) => c.answer),
});

/** Fails when one of the keys was used in the meantime: then nothing of its transaction may stay. */
export function insertCommands(commands: KeptCommand[], now: Date): Statement {
  // In one order, so that two with the same keys do not wait for each other.
  const inOrder = commands.toSorted((a, b) =>
    a.scope < b.scope || (a.scope === b.scope && a.key < b.key) ? -1 : 1,
  );
  return copyCommands(inOrder.map((command) => ({ ...command, at: now })));
}

export interface RefusedCommand extends CommandKey {
  refused: JsonValue;
}

/** A day's refusals that are kept of one investor. */
export const keptRefusalsMax = 1000;

const refusalRows = prepared<Key>(
  'insert refusals',
  `with command as (
    select * from unnest($1::text[], $2::text[], $3::bytea[], $5::jsonb[]) with ordinality
      as command (scope, key, body, refused, n)),
  kept as materialized (
    select scope, (select count(*) from ledger_refusals r
      where r.scope = command.scope and r.at > $4::timestamptz - interval '1 day') as count
    from command group by scope)
  insert into ledger_refusals (scope, key, body_sha256, at, refused)
  select scope, key, body, $4, refused from (
    select command.*, count + row_number() over (partition by scope order by n) as nth
    from command join kept using (scope)
  ) as command
  where nth <= ${keptRefusalsMax} or scope = '${operatorScope}'
  order by scope, key
  on conflict (scope, key) do update set body_sha256 = excluded.body_sha256, at = excluded.at, refused = excluded.refused
  returning scope, key`,
);

/** Keeps what there is room for, and says which. */
export async function insertRefusals(tx: Tx, refusals: RefusedCommand[], now: Date): Promise<Key[]> {
  return refusalRows(tx, [
    columnOf(text, refusals, ({ scope }) => scope),
    columnOf(text, refusals, ({ key }) => key),
    columnOf(hexBytes, refusals, ({ bodySha256 }) => bodySha256),
    now,
    columnOf(jsonb, refusals, ({ refused }) => refused),
  ]);
}

export async function deleteOldRefusals(db: Db, before: Date): Promise<void> {
  await prune(db, 'ledger_refusals', sql`at < ${before}`);
}
