-- fits servers from 0023 on
-- A second factor for investors: an authenticator, passkeys, recovery codes, and what is under way with them.

create table authenticators (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  -- Its secret, sealed as an operator's is.
  sealed text not null,
  created_at timestamptz not null,
  -- Good once its first code was shown.
  confirmed_at timestamptz,
  -- The time step of the last code that was used: no code works twice.
  last_step bigint not null default 0,
  used_at timestamptz
);
-- One that works and, beside it, one that is being set up to take its place.
create unique index authenticators_of_user on authenticators (user_id, (confirmed_at is null));

create table user_recovery_codes (
  user_id uuid not null references users,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- An investor's; an operator's will stand here, too.
create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users,
  operator_id uuid references operators,
  -- As browsers write it: base64url.
  credential_id text not null unique check (length(credential_id) <= 1400),
  public_key bytea not null,
  -- How often it was used, as it says itself. One that goes backwards was copied; many always say zero.
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  name text not null check (name <> ''),
  created_at timestamptz not null,
  used_at timestamptz,
  check (num_nonnulls(user_id, operator_id) = 1)
);
create index passkeys_of_user on passkeys (user_id) where user_id is not null;
create index passkeys_of_operator on passkeys (operator_id) where operator_id is not null;

-- What a browser or a session has begun and not finished: the second step of a sign-in, a passkey that was asked for, a
-- mailed link. Each is good once and for minutes.
create table factor_flows (
  id uuid primary key default gen_random_uuid(),
  purpose text not null
    check (purpose in ('sign-in', 'passkey', 'step-up', 'step-up-link', 'new-passkey')),
  -- SHA-256 of what the browser has in a cookie, or the link at its end; none where the session itself is known.
  secret_hash bytea unique,
  user_id uuid references users,
  session_id uuid references sessions on delete cascade,
  -- SHA-256 of the stored hash of the password that was shown: with another password the flow is over.
  password_mark bytea,
  -- What a passkey has to sign.
  challenge text,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index factor_flows_of_session on factor_flows (session_id) where session_id is not null;
create index factor_flows_of_user on factor_flows (user_id) where user_id is not null;
create index factor_flows_by_end on factor_flows (expires_at);

alter table sessions
  -- By what it was begun besides the password, or instead of it; null where no factor was on.
  add column factor text,
  -- When a factor, or the mailed link, was last shown in it.
  add column stepped_up_at timestamptz,
  add constraint sessions_factor_known check (factor in ('passkey', 'code', 'recovery')) not valid;

-- Withdrawals above it ask for step-up once a factor is on.
alter table users
  add column step_up_above_cents bigint not null default 0,
  add constraint users_step_up_above check (step_up_above_cents >= 0) not valid;

-- Whatever path a server takes, and however old it is: whoever has a factor on gets no session without it.
create function refuse_session_without_factor() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select from authenticators a where a.user_id = new.user_id and a.confirmed_at is not null)
    or exists (select from passkeys p where p.user_id = new.user_id) then
    raise exception 'this account has a second factor, and the session was begun without it'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger sessions_need_factor before insert on sessions
  for each row when (new.factor is null) execute function refuse_session_without_factor();

grant select, insert, delete on authenticators, user_recovery_codes, passkeys, factor_flows to tallystick_app;
grant update (confirmed_at, last_step, used_at) on authenticators to tallystick_app;
grant update (used_at) on user_recovery_codes to tallystick_app;
grant update (counter, backed_up, name, used_at) on passkeys to tallystick_app;
grant update (challenge, tries, ended_at) on factor_flows to tallystick_app;
