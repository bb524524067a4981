-- fits servers from 0023 on
-- A way back for an investor who has lost every factor, and what is under way with operators' passkeys.

-- Of closed accounts. Here and not where its column is: it reads the whole table, and nobody signs in while that is altered.
create index users_to_forget on users (forget_email_at) where forget_email_at is not null;

create table factor_removals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  -- How it was found out that it is the investor who asks.
  reason text not null check (reason <> ''),
  -- Operators' ids, as the other things have them that two agree to.
  asked_by text not null,
  asked_at timestamptz not null,
  agreed_by text,
  agreed_at timestamptz,
  -- From then on the factors go.
  due_at timestamptz,
  -- How many times the investor was reminded since the letter that told of it.
  reminded integer not null default 0,
  -- SHA-256 of what stands at the end of the link of each letter: every one of them stops it.
  stop_hashes bytea[] not null default '{}',
  -- An operator's id, `the investor` or `the clock`.
  ended_by text,
  ended_at timestamptz,
  ended_how text check (ended_how in ('discarded', 'stopped', 'factor-shown', 'done')),
  -- Whatever the program says: nobody agrees with himself, and nothing goes that two have not agreed to.
  check (agreed_by <> asked_by),
  check (num_nulls(agreed_by, agreed_at, due_at) in (0, 3)),
  check (num_nulls(ended_by, ended_at, ended_how) in (0, 3)),
  check (ended_how <> 'done' or (agreed_at is not null and ended_at >= due_at))
);
-- One at a time.
create unique index factor_removals_open on factor_removals (user_id) where ended_at is null;
create index factor_removals_by_end on factor_removals (ended_at) where ended_at is not null;

grant select, insert, delete on factor_removals to tallystick_app;
grant update (agreed_by, agreed_at, due_at, reminded, stop_hashes, ended_by, ended_at, ended_how) on factor_removals
  to tallystick_app;

-- An operator's flows stand beside investors' and are called otherwise, so that none of one kind is taken for the other.
alter table factor_flows
  add column operator_id uuid references operators,
  add column operator_session_id uuid references operator_sessions on delete cascade,
  drop constraint factor_flows_purpose_check,
  add constraint factor_flows_purpose_known check (purpose in (
    'sign-in', 'passkey', 'step-up', 'step-up-link', 'new-passkey',
    'operator-sign-in', 'operator-proof', 'operator-passkey')) not valid,
  add constraint factor_flows_one_owner check (num_nonnulls(user_id, operator_id) <= 1) not valid;
create index factor_flows_of_operator_session on factor_flows (operator_session_id)
  where operator_session_id is not null;
