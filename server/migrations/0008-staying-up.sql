-- What happens by the clock: when it last began, by this database's clock, whichever server it was. A time that lies
-- ahead was left by a clock that had jumped and counts as long ago.
create table clock_work (
  name text primary key,
  every interval not null,
  last_run_at timestamptz
);
-- An update of the server is no reason to do all of it at once.
insert into clock_work (name, every, last_run_at) values
  ('settle-due', '1 minute', now()), ('check-books', '1 hour', now()), ('forget-expired', '1 day', now());
grant select, insert, update on clock_work to tallystick_app;

-- The job queue's own timetable is no longer used; what it had queued would wait for ever.
delete from graphile_worker._private_jobs using graphile_worker._private_tasks as task
  where task.id = task_id and task.identifier in ('settle-due', 'check-books', 'forget-expired');

-- Which pools of workers are at work; one that falls silent has its jobs given to others. Only the owner's business.
create table job_pools (
  id text primary key,
  beats bigint not null,
  -- Which run of this database it was that heard the last beat.
  heard_since timestamptz not null default pg_postmaster_start_time()
);

-- Letters that a mail server has taken: one whose job was not noted as done in time is not sent again.
create table letters_sent (
  message_id text primary key,
  sent_at timestamptz not null default now()
);
grant select, insert, delete on letters_sent to tallystick_app;

-- Written by whoever asks whether the server is ready: only a write shows that the database takes writes, and only one
-- that begins a new file shows that the disk has room.
create table readiness (written_at timestamptz not null default now());
insert into readiness default values;
grant select, insert, update, truncate on readiness to tallystick_app;
grant select on migrations to tallystick_app;

-- The rights that the server's role has, and those it had when the last migration was done: a backup that was restored
-- without them, or a hand that took one away, shows as the difference.
create view app_rights as
  with app as (select oid from pg_roles where rolname = 'tallystick_app')
  select relname::text as object, privilege_type as right_to
    from pg_class cross join aclexplode(relacl) as acl join app on app.oid = acl.grantee
    where relnamespace = 'public'::regnamespace
  union
  select relname || '.' || attname, privilege_type
    from pg_class join pg_attribute on attrelid = pg_class.oid cross join aclexplode(attacl) as acl
      join app on app.oid = acl.grantee
    where relnamespace = 'public'::regnamespace
  union
  select proname || '()', privilege_type
    from pg_proc cross join aclexplode(proacl) as acl join app on app.oid = acl.grantee
    where pronamespace = 'public'::regnamespace;
create table app_rights_wanted (
  object text not null,
  right_to text not null,
  primary key (object, right_to)
);
grant select on app_rights, app_rights_wanted to tallystick_app;
-- Called at the end of every migration.
create function note_app_rights() returns void language sql as $$
  delete from app_rights_wanted;
  insert into app_rights_wanted select object, right_to from app_rights;
$$;
revoke all on function note_app_rights from public;

-- How long the oldest work that is due has waited, in seconds: queued jobs, also those that someone has begun and not
-- finished, and what happens by the clock. A worker that has stopped or died shows here.
create or replace function oldest_due_job_seconds() returns double precision
language plpgsql stable security definer set search_path = pg_catalog as $$
begin
  return (select coalesce(extract(epoch from now() - min(due_at)), 0) from (
    select run_at as due_at from graphile_worker.jobs
      where run_at <= now() and (locked_at is not null or attempts < max_attempts)
    union all
    select last_run_at + every from public.clock_work where last_run_at + every <= now()
  ) as due);
end $$;
