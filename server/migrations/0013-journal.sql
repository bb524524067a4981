-- The journal is what letters are written from: movements are numbered in the order in which they are written. Numbers
-- are not chosen, and who reads on from one sees which were drawn.
alter table ledger_movements add column number bigint generated always as identity;
create unique index ledger_movements_by_number on ledger_movements (number);
revoke insert on ledger_movements from tallystick_app;
grant insert (id, transactionid, kind, at, reference, reason) on ledger_movements to tallystick_app;
grant select on sequence ledger_movements_number_seq to tallystick_app;

-- How far each reader of the journal has come. What happened before this migration was told by a letter of its own.
create table ledger_readers (
  name text primary key,
  read_to bigint not null
);
insert into ledger_readers select 'letters', coalesce(max(number), 0) from ledger_movements;
grant select, update (read_to) on ledger_readers to tallystick_app;

-- Letters that are queued together are numbered in their order: hashed, they would come out the other way round.
alter function queue_jobs set enable_hashjoin = off;
alter function queue_jobs set enable_mergejoin = off;

-- A command is written once, when it has had its effect. What it was answered is kept, or follows from what it made.
alter table ledger_commands alter column answer set not null;
alter table ledger_commands reset (fillfactor);
revoke update (answer) on ledger_commands from tallystick_app;
drop trigger ledger_commands_kept on ledger_commands;
create trigger ledger_commands_append_only before update or delete or truncate on ledger_commands
  for each statement execute function refuse_change();

-- A refusal moves nothing: its key is kept for a day.
create table ledger_refusals (
  scope text not null,
  key text not null,
  body_sha256 bytea not null,
  at timestamptz not null,
  refused jsonb not null,
  primary key (scope, key)
);
grant select, insert, update, delete on ledger_refusals to tallystick_app;

-- What others refer to stays and keeps its id, so a reference is looked up once, when it is written, and for all rows
-- of a statement together.
create trigger users_kept before delete or truncate on users
  for each statement execute function refuse_change();
create trigger users_keep_id before update of id on users
  for each statement execute function refuse_change();
create trigger plans_kept before delete or truncate on plans
  for each statement execute function refuse_change();
create trigger plans_keep_id before update of id on plans
  for each statement execute function refuse_change();
create trigger ledger_accounts_keep_id before update of id, kind, owner_id on ledger_accounts
  for each statement execute function refuse_change();
revoke delete on users from tallystick_app;

alter table ledger_entries
  drop constraint ledger_entries_account_id_fkey,
  drop constraint ledger_entries_movement_id_fkey,
  -- The same, at a tenth of the cost.
  drop constraint ledger_entries_label_check,
  add constraint ledger_entries_label_check
    check (label <> '' and position(e'\n' in label) = 0 and position(e'\r' in label) = 0);
-- Found by their indexes from the first row on: a plan is kept, and the tables grow.
create or replace function ledger_refuse_unbalanced() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from fresh group by movement_id
    having sum(amount_cents) <> 0 or (select m.id from ledger_movements m where m.id = movement_id) is null) then
    raise exception 'a movement does not balance or is not there' using errcode = 'check_violation';
  end if;
  if exists (select from fresh
    where (select a.id from ledger_accounts a where a.id = fresh.account_id) is null) then
    raise exception 'an account is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

alter table investments
  drop constraint investments_user_id_fkey,
  drop constraint investments_plan_id_fkey;
create trigger investments_keep_owner before update of user_id, plan_id on investments
  for each statement execute function refuse_change();
create function investments_refuse_unknown() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from fresh
    where (select u.id from users u where u.id = fresh.user_id) is null
      or (select p.id from plans p where p.id = fresh.plan_id) is null) then
    raise exception 'an investor or a plan is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger investments_known after insert on investments
  referencing new table as fresh for each statement execute function investments_refuse_unknown();

-- Entries of an account are in the order of time, so a moment is found among their numbers by halving. How many of them
-- lie before it:
create function ledger_entries_before(account uuid, moment timestamptz) returns bigint
language plpgsql stable strict as $$
declare
  low bigint := 0;
  high bigint := coalesce((select entry_count from ledger_accounts where id = account), 0);
  middle bigint;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if (select at from ledger_entries where account_id = account and seq = middle) < moment then
      low := middle;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end $$;
revoke all on function ledger_entries_before from public;
grant execute on function ledger_entries_before to tallystick_app;

-- How long the oldest work that is due has waited, in seconds: also a movement that nobody was told of.
create or replace function oldest_due_job_seconds() returns double precision
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select coalesce(extract(epoch from now() - min(due_at)), 0) from (
    select run_at as due_at from graphile_worker.jobs
      where run_at <= now() and (locked_at is not null or attempts < max_attempts)
    union all
    select last_run_at + every from public.clock_work where last_run_at + every <= now()
    union all
    (select m.at from public.ledger_movements m
      where m.number > (select min(read_to) from public.ledger_readers) and m.at <= now() order by m.number limit 1)
  ) as due);
end $$;

drop index ledger_entries_by_time;
drop index ledger_entries_of_movement;
drop index ledger_movements_in_and_out;
drop index investments_settled_by;
