import type pg from 'pg';

export interface Table {
  /** With its schema, as SQL writes it. */
  name: string;
  /** Those that are stored and not computed, as SQL writes them. */
  columns: string[];
  /** The order in which rows are written, so that the same rows make the same file everywhere. */
  order: string;
}

/**
 * What a database has of itself and does not take from another: which migrations it has had, the rights that its roles
 * have, the row by which readiness is asked, what its servers count together at this moment.
 */
const ownTables = [
  'public.migrations',
  'public.app_rights_wanted',
  'public.readiness',
  'public.request_counts',
  'public.log_stops',
  'graphile_worker.migrations',
];

/** Texts look the same whatever the session, the database and the version were set to. */
export const portable = `set datestyle = 'ISO, MDY'; set intervalstyle = postgres; set timezone = 'UTC'; set bytea_output = hex;
  set extra_float_digits = 1; set client_encoding = UTF8; set search_path = pg_catalog; set row_security = off;
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '60s'`;

/** Every table of ours and of the job queue, those that others refer to first. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { oid: number; refersTo: number[] }>(
    `select t.oid::int, format('%I.%I', nspname, relname) as name,
       array(select format('%I', attname) from pg_attribute
         where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
       coalesce((select string_agg(format('%I', attname)
             || case when attcollation <> 0 then ' collate "C"' else '' end, ', ' order by place)
           from pg_index, unnest(indkey::int2[]) with ordinality as key (number, place), pg_attribute
           where indrelid = t.oid and indisprimary and attrelid = t.oid and attnum = number), '1') as order,
       array(select confrelid::int from pg_constraint
         where conrelid = t.oid and contype = 'f' and confrelid <> t.oid) as "refersTo"
     from pg_class as t join pg_namespace as schema on schema.oid = relnamespace
     where relkind = 'r' and nspname in ('public', 'graphile_worker')
       and not nspname || '.' || relname = any($1::text[])
     order by name`,
    [ownTables],
  );
  const sorted: typeof rows = [];
  while (sorted.length < rows.length) {
    const before = sorted.length;
    for (const table of rows) {
      const isThere = (oid: number) => sorted.some((each) => each.oid === oid);
      if (!isThere(table.oid) && table.refersTo.every(isThere)) sorted.push(table);
    }
    if (sorted.length === before) throw new Error('Tables refer to each other in a circle.');
  }
  return sorted.map(({ name, columns, order }) => ({ name, columns, order }));
}

/**
 * How many rows a table has and what they come to, by the database's own reckoning and in no order: what went through
 * files and connections is compared by it with what it was.
 */
export async function weigh(client: pg.ClientBase, name: string): Promise<{ rows: number; sum: string }> {
  const { rows } = await client.query(
    `select count(*)::int as rows,
       coalesce(sum(('x' || left(encode(sha256(convert_to(t::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0)::text as sum
     from ${name} as t`,
  );
  return rows[0];
}

export async function readSequences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences
     where schemaname in ('public', 'graphile_worker') order by name`,
  );
  return rows.map(({ name }) => name);
}
