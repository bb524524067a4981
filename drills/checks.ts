import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { auditLog } from '../tools/log-audit/audit.ts';
import { openMirror } from '../tools/log-audit/mirror.ts';
import { servedBy } from '../tools/log-audit/served.ts';
import type { Act, Field } from './field.ts';
import type { MailServer } from './mail-server.ts';
import { switchedPlan } from './teller.ts';

const ledgerCheck = fileURLToPath(new URL('../server/commands/ledger-check.ts', import.meta.url));
const usualQuietMsMax = 180_000;

/** What a drill looks at when it is over, or in the middle: all of it by itself, none of it through the server's eyes. */
export interface Scene {
  field: Field;
  mail: MailServer;
  siteUrl: string;
  /** A superuser's. */
  databaseUrl: string;
  /** Where the site's own data is, for its own commands. */
  env: NodeJS.ProcessEnv;
  /** Keeps what was seen of the public log, from one look to the next. */
  mirrorDir: string;
  /** How long all may take to come to rest; three minutes where nothing is said. */
  quietMsMax?: number;
}

interface Tally {
  acknowledged: number;
  lost: number;
  doubled: number;
}

export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** How often each act is in the database: as a row of its own and, where money moved, as a movement. */
const found = `
  select 'sign-up' as kind, email, 0 as cents, '' as transactionid from users
  union all select 'deposit', email, amount_cents, transactionid from funding_requests join users on users.id = user_id
  union all select 'investment', email, amount_cents, transactionid from investments join users on users.id = user_id
  union all select 'withdrawal', email, amount_cents, transactionid from withdrawals join users on users.id = user_id
  union all select 'credit', email, received_cents, transactionid from funding_requests
    join users on users.id = user_id join ledger_movements using (transactionid) where status = 'confirmed'
  union all select 'cancellation', email, amount_cents, withdrawals.transactionid from withdrawals
    join users on users.id = user_id join ledger_movements on reference = withdrawals.transactionid
    where status = 'cancelled' and kind = 'withdrawal-returned'
  union all select 'switch', '${switchedPlan}', row_number() over (order by place, id) - 1, '' from log_entries
    where kind in ('plan/v1', 'plan/v2') and entry like '%\nname ${switchedPlan}\n%'`;

interface Row {
  kind: Act['kind'];
  email: string;
  cents: string;
  transactionid: string;
}

const nameOf = ({ kind, email, cents }: Pick<Row, 'kind' | 'email'> & { cents: number | string }) =>
  `${kind} ${email} ${Number(cents)}`;

/** Nothing acknowledged is lost, and nothing that anybody wanted is there twice. */
async function tallyActs({ field }: Scene, client: pg.Client): Promise<Tally> {
  const there = new Map<string, string[]>();
  for (const row of (await client.query<Row>(found)).rows) {
    const name = nameOf(row);
    there.set(name, [...(there.get(name) ?? []), row.transactionid]);
  }
  const tally = { acknowledged: 0, lost: 0, doubled: 0 };
  const wanted = new Map<string, Act>();
  for (const act of field.acts) {
    const name = nameOf(act);
    const rows = there.get(name) ?? [];
    if (act.acknowledged) tally.acknowledged += 1;
    const isKept = act.transactionid === '' ? rows.length > 0 : rows.includes(act.transactionid);
    if (act.acknowledged && !isKept) {
      tally.lost += 1;
      if (tally.lost <= 5) field.findings.add(`lost: ${name} ${act.transactionid}`);
    }
    if (!wanted.has(name)) tally.doubled += Math.max(0, rows.length - 1);
    if (rows.length > 1) field.findings.add(`twice: ${name} ${rows.join()}`);
    wanted.set(name, act);
  }
  // Its first entry is from when the plan was made; each further one has to be somebody's wish.
  for (let number = 1; there.has(`switch ${switchedPlan} ${number}`); number += 1) {
    if (!wanted.has(`switch ${switchedPlan} ${number}`)) tally.doubled += 1;
  }
  return tally;
}

/** In plain SQL, beside what the product checks of itself. */
async function checkSums({ field }: Scene, client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ what: string; count: string }>(`
    select 'movements that do not come to zero' as what, count(*) from (
      select from ledger_entries group by movement_id having sum(amount_cents) <> 0) as uneven
    union all select 'accounts that are not the sum of their entries', count(*) from ledger_accounts left join (
      select account_id, sum(amount_cents) as sum, count(*) as entries from ledger_entries group by account_id) as folded
      on account_id = id where balance_cents <> coalesce(sum, 0) or entry_count <> coalesce(entries, 0)
    union all select 'movements of two investors', count(*) from (
      select from ledger_entries join ledger_accounts on id = account_id
      where kind in ('wallet', 'invested', 'withdrawing') group by movement_id having count(distinct owner_id) > 1) as shared
    union all select 'the sum of all accounts', abs(coalesce(sum(balance_cents), 0))::bigint from ledger_accounts
    union all select 'investors in debt', count(*) from ledger_accounts
      where kind in ('wallet', 'invested', 'withdrawing') and balance_cents < 0`);
  for (const { what, count } of rows) if (Number(count) !== 0) field.findings.add(`${what}: ${count}`);
}

/** `npm run ledger:check`, which recomputes every chain. */
export function checkBooks({ field, env }: Pick<Scene, 'field' | 'env'>): Promise<void> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env }, timeout: 300_000 };
    execFile(process.execPath, [ledgerCheck], options, (error, stdout, stderr) => {
      if (error) field.findings.add(`ledger:check: ${stdout}${stderr}`);
      resolve();
    });
  });
}

/** The public log, read as a stranger reads it, grown since it was read last, and equal to what was told to it. */
export async function checkLog({ field, siteUrl, mirrorDir }: Scene, client?: pg.Client): Promise<void> {
  const audit = { read: servedBy(siteUrl), mirror: openMirror(mirrorDir), vkey: null, witnesses: [] };
  const { wrong, entries } = await auditLog(audit);
  for (const line of wrong) field.findings.add(`the public log: ${line}`);
  if (!client) return;
  const { rows } = await client.query<{ entry: string }>(
    'select entry from log_entries order by place nulls last, id',
  );
  const told = rows.map(({ entry }) => entry);
  if (JSON.stringify(told) !== JSON.stringify(entries)) {
    field.findings.add(
      `the public log has ${entries.length} entries, its outbox ${told.length}, and they differ`,
    );
  }
}

/** Until nothing is under way any more: payments credited, the journal told, letters sent, the log signed. */
async function untilQuiet(
  { field, siteUrl, quietMsMax = usualQuietMsMax }: Scene,
  client: pg.Client,
): Promise<void> {
  const giveUpAt = performance.now() + quietMsMax;
  const wanted = field.acts.filter(({ kind, acknowledged }) => kind === 'credit' && acknowledged);
  const left = async () => {
    const { rows } = await client.query(
      `select (select count(*)::int from graphile_worker.jobs) as letters,
         (select count(*)::int from ledger_movements where number > (select min(read_to) from ledger_readers)) as untold,
         (select count(*)::int from log_entries where place is null) as unplaced,
         (select size::int from log_size) as size,
         (select count(*)::int from funding_requests where status = 'pending' and transactionid = any($1)) as uncredited`,
      [wanted.map(({ transactionid }) => transactionid)],
    );
    const { letters, untold, unplaced, size, uncredited } = rows[0];
    const note = await fetch(`${siteUrl}/log/checkpoint`).then(
      (answer) => answer.text(),
      () => '',
    );
    const unsigned = size - Number(note.split('\n')[1]);
    return { letters, untold, unplaced, unsigned, uncredited };
  };
  for (;;) {
    const now = await left();
    if (Object.values(now).every((count) => count === 0)) return;
    if (performance.now() > giveUpAt) {
      const { rows } = await client.query(
        'select id, attempts, run_at, locked_at, locked_by, last_error from graphile_worker.jobs limit 3',
      );
      field.findings.add(`does not come to rest: ${JSON.stringify(now)}, ${JSON.stringify(rows)}`);
      return;
    }
    await delay(200);
  }
}

/** Letters about one thing: so many of them, no fewer and no more. A sample payment may be seen before it is added, or with it. */
const lettersAbout = `
  select transactionid, 1 as least, 1 as most, email from investments join users on users.id = user_id
  union all select transactionid, n, n, email from (
    select *, case when status = 'cancelled' then 2 else 1 end as n from withdrawals) as w join users on users.id = user_id
  union all select transactionid, case when status = 'confirmed' then 2 else 1 end,
    case when payment_id is not null then 3 when status = 'confirmed' then 2 else 1 end, email
  from funding_requests join users on users.id = user_id`;

/** How many letters a server has in its hands at once, at most. */
const inHandMax = 4;

/** When servers could not note what they had done: the moment of a kill, or the time without a database. */
export interface Gap {
  from: number;
  to: number;
  /** How many servers send letters. */
  servers: number;
}
export const killAt = (time: number): Gap => ({ from: time, to: time, servers: 1 });

/** None is lost; one comes twice only when there was a gap between the mail server's word and the server's own note of it. */
async function checkLetters({ field, mail }: Scene, client: pg.Client, gaps: readonly Gap[]): Promise<void> {
  const named = new Map<string, number>();
  const repeatsOfGap = new Map<Gap, number>();
  for (const { transactionids, messageId, takenAt } of mail.letters.values()) {
    for (const id of transactionids) named.set(id, (named.get(id) ?? 0) + 1);
    for (const [at, time] of takenAt.entries()) {
      const before = takenAt[at - 1];
      if (before === undefined) continue;
      const gap = gaps.find(({ from, to }) => to >= before && from <= time);
      if (gap === undefined)
        field.findings.add(`a letter came twice without a kill in between: ${messageId}`);
      else repeatsOfGap.set(gap, (repeatsOfGap.get(gap) ?? 0) + 1);
    }
  }
  for (const [{ servers }, count] of repeatsOfGap) {
    if (count > inHandMax * servers) field.findings.add(`${count} letters came twice because of one kill`);
  }
  const { rows } = await client.query<{ transactionid: string; least: number; most: number; email: string }>(
    lettersAbout,
  );
  for (const { transactionid, least, most, email } of rows) {
    const count = named.get(transactionid) ?? 0;
    if (count < least || count > most) {
      field.findings.add(`${count} letters about ${transactionid} of ${email}, not ${least} to ${most}`);
    }
  }
  // Codes end by the clock, and a letter that comes too late to be of use is not sent.
  if (field.mayEndSessions) return;
  for (const { kind, email, acknowledged } of field.acts) {
    if (kind !== 'sign-up' || !acknowledged || mail.lettersTo(email).some(({ linkToken }) => linkToken))
      continue;
    field.findings.add(`no letter with a code to ${email}`);
  }
}

/** At the end, when nobody asks any more and the site is up. */
export function checkAll(scene: Scene, gaps: readonly Gap[] = []): Promise<Tally & { repeated: number }> {
  return withDatabase(scene.databaseUrl, async (client) => {
    await untilQuiet(scene, client);
    const tally = await tallyActs(scene, client);
    await checkSums(scene, client);
    await checkBooks(scene);
    await checkLog(scene, client);
    await checkLetters(scene, client, gaps);
    const repeated = [...scene.mail.letters.values()].filter(({ takenAt }) => takenAt.length > 1).length;
    return { ...tally, repeated };
  });
}

export const mirrorIn = (dir: string) => join(dir, 'mirror');
