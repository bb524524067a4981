-- The running server acts as this role: it can read and write what it must and owns nothing,
-- so what is append-only stays so even if the server is made to run a hostile statement.
do $$
begin
  create role tallystick_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;
grant tallystick_app to current_user;

create table users (
  id uuid primary key default gen_random_uuid(),
  fullname text not null check (fullname <> ''),
  -- As typed: mail goes here. Compared by email_key, the folded form.
  email text not null,
  email_key text not null unique,
  password_hash text not null,
  verified_at timestamptz,
  created_at timestamptz not null
);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  -- SHA-256 of two different random values: one for the header, one for the cookie.
  bearer_hash bytea not null unique,
  cookie_hash bytea not null unique,
  client_address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_user on sessions (user_id) where ended_at is null;

-- A password reset belongs to the browser that began it; the browser holds the secret in a cookie.
create table reset_flows (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  secret_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  verified_at timestamptz,
  consumed_at timestamptz
);

create table codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  purpose text not null check (purpose in ('verify', 'reset')),
  flow_id uuid references reset_flows on delete cascade,
  code_hmac bytea not null,
  link_hash bytea not null unique,
  tries integer not null default 0,
  issued_at timestamptz not null,
  code_expires_at timestamptz not null,
  link_expires_at timestamptz not null,
  -- Set when it was used or when a newer one took its place; either way it works no more.
  closed_at timestamptz,
  check ((purpose = 'reset') = (flow_id is not null))
);
create index codes_of_user on codes (user_id, purpose, issued_at desc);
create unique index codes_one_open on codes (user_id, purpose) where closed_at is null;

-- Counters that slow down guessing. In the database so that a restart forgets nothing.
create table throttles (
  scope text not null,
  subject text not null,
  hits integer not null,
  window_ends_at timestamptz not null,
  blocked_until timestamptz,
  primary key (scope, subject)
);

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('nobody', 'investor', 'operator', 'system')),
  actor_id text,
  action text not null,
  subject_id text,
  client_address text,
  details jsonb not null default '{}'
);
create index audit_log_by_time on audit_log (at desc);
create index audit_log_by_subject on audit_log (subject_id, at desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- The job queue's tables are the owner's alone; this is the one door through which the server adds a job,
-- in the same transaction as what the job follows from.
create function queue_job(task text, payload json, max_attempts integer, run_at timestamptz)
returns void language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform graphile_worker.add_job(task, payload := payload, run_at := run_at, max_attempts := max_attempts);
end $$;
revoke all on function queue_job from public;
grant execute on function queue_job to tallystick_app;

grant select, insert, update, delete on users, sessions, reset_flows, codes, throttles to tallystick_app;
grant select, insert on audit_log to tallystick_app;
