-- The people who run the place. They are made, disabled and given a new password by a command on the server, which
-- acts as the owner: the running server can neither make an operator nor bring one back.
create table operators (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (name <> ''),
  email text not null,
  email_key text not null unique,
  password_hash text not null,
  -- The authenticator's secret, sealed; set at the first sign-in and good once its first code was shown.
  totp_sealed text,
  totp_confirmed_at timestamptz,
  -- The time step of the last code that was used: no code works twice.
  totp_last_step bigint not null default 0,
  created_at timestamptz not null,
  disabled_at timestamptz
);

create table operator_recovery_codes (
  operator_id uuid not null references operators,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (operator_id, code_hash)
);

create table operator_sessions (
  id uuid primary key default gen_random_uuid(),
  operator_id uuid not null references operators,
  cookie_hash bytea not null unique,
  client_address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index operator_sessions_open on operator_sessions (operator_id) where ended_at is null;

-- What one operator asks for and another agrees to. What is decided stays as it is.
create table ledger_corrections (
  id uuid primary key default gen_random_uuid(),
  -- The key of the request that asked for it: asked twice is asked once.
  ask_key text not null unique,
  user_id uuid not null references users,
  amount_cents bigint not null check (amount_cents <> 0),
  reason text not null,
  asked_by text not null,
  asked_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  transactionid text,
  check ((decided_by is null) = (decided_at is null)),
  check (transactionid is null or decided_by <> asked_by)
);
create index ledger_corrections_waiting on ledger_corrections (asked_at) where decided_at is null;

create table payment_method_changes (
  id uuid primary key default gen_random_uuid(),
  method_id uuid not null references payment_methods,
  paymentaddress text not null,
  asked_by text not null,
  asked_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  agreed boolean,
  check ((decided_by is null) = (decided_at is null)),
  check ((decided_at is null) = (agreed is null)),
  check (agreed is not true or decided_by <> asked_by)
);
create unique index payment_method_changes_one_waiting on payment_method_changes (method_id) where decided_at is null;

create table withdrawal_thresholds (
  id uuid primary key default gen_random_uuid(),
  -- Drawn when it is agreed to: the highest counts, whatever the servers' clocks say.
  decided_number bigint,
  -- A withdrawal above it needs two operators. The newest agreed one counts.
  amount_cents bigint not null check (amount_cents > 0),
  asked_by text not null,
  asked_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  agreed boolean,
  check ((decided_by is null) = (decided_at is null)),
  check ((decided_at is null) = (agreed is null)),
  check ((agreed is true) = (decided_number is not null))
);
create sequence withdrawal_threshold_decisions owned by withdrawal_thresholds.decided_number;
create unique index withdrawal_thresholds_one_waiting on withdrawal_thresholds ((true)) where decided_at is null;

create trigger ledger_corrections_stay_decided before update on ledger_corrections
  for each row when (old.decided_at is not null) execute function refuse_reopening();
create trigger payment_method_changes_stay_decided before update on payment_method_changes
  for each row when (old.decided_at is not null) execute function refuse_reopening();
create trigger withdrawal_thresholds_stay_decided before update on withdrawal_thresholds
  for each row when (old.decided_at is not null) execute function refuse_reopening();

-- Investors who may not withdraw for now; why and by whom it began and ended is in the audit log as well.
create table withdrawal_freezes (
  user_id uuid primary key references users,
  reason text not null,
  frozen_by text not null,
  frozen_at timestamptz not null
);

-- Above the threshold: the first of two approvals.
alter table withdrawals
  add column first_approved_by text,
  add column first_approved_at timestamptz,
  add check ((first_approved_by is null) = (first_approved_at is null)),
  add check (first_approved_by is null or approved_by is null or first_approved_by <> approved_by);

-- False until a second operator has agreed to the address of a method that an operator added.
alter table payment_methods add column agreed boolean not null default true, add check (agreed or not active);

-- Whatever the program says: the address that investors see is one that two operators agreed to.
create function refuse_unagreed_address() returns trigger language plpgsql as $$
begin
  if not exists (select from payment_method_changes c
    where c.method_id = new.id and c.paymentaddress = new.paymentaddress and c.agreed) then
    raise exception 'nobody agreed to this payment address' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payment_methods_agreed_address before update on payment_methods
  for each row when (old.paymentaddress <> new.paymentaddress or (new.agreed and not old.agreed))
  execute function refuse_unagreed_address();

-- One payment on the chain is credited once, under whichever spelling of its network.
create unique index funding_payment_once on funding_requests (chain_txid, coalesce(chain_output, -1))
  where chain_txid is not null;

-- What the amount was worth in the coin when it was asked, if a price was known.
alter table funding_requests add column coin_amount text;

-- What is held for a payment method, in dollars, as an operator entered it. The newest counts.
create table operator_holdings (
  id bigint generated always as identity primary key,
  method_id uuid not null references payment_methods,
  amount_cents bigint not null check (amount_cents >= 0),
  entered_by text not null,
  entered_at timestamptz not null
);
create index operator_holdings_newest on operator_holdings (method_id, id desc);

alter table contact_messages
  add column handled_by text,
  add column handled_at timestamptz,
  add check ((handled_by is null) = (handled_at is null));

-- Two plans of one name could not be told apart on the site.
create unique index plans_one_name on plans (lower(planname)) where active;

-- What was asked for and decided is kept, whoever asks.
create trigger withdrawals_kept before delete or truncate on withdrawals
  for each statement execute function refuse_change();
create trigger funding_requests_kept before delete or truncate on funding_requests
  for each statement execute function refuse_change();
create trigger investments_kept before delete or truncate on investments
  for each statement execute function refuse_change();
create trigger ledger_corrections_kept before delete or truncate on ledger_corrections
  for each statement execute function refuse_change();
create trigger payment_method_changes_kept before delete or truncate on payment_method_changes
  for each statement execute function refuse_change();
create trigger withdrawal_thresholds_kept before delete or truncate on withdrawal_thresholds
  for each statement execute function refuse_change();
create trigger operator_holdings_append_only before update or delete or truncate on operator_holdings
  for each statement execute function refuse_change();

-- The server may change what has to change and nothing else: no amount, no owner, no terms.
revoke update on ledger_accounts, ledger_commands, plans, investments, payment_methods, funding_requests,
  withdrawal_methods, withdrawals from tallystick_app;
grant update (balance_cents, entry_count, head, last_entry_at) on ledger_accounts to tallystick_app;
grant update (answer) on ledger_commands to tallystick_app;
grant update (active, position) on plans to tallystick_app;
grant update (settled_at, settled_transactionid) on investments to tallystick_app;
grant update (paymentaddress, network, active, sample, agreed) on payment_methods to tallystick_app;
grant update (status, received_cents, network, chain_txid, chain_output, reason, decided_at, decided_by)
  on funding_requests to tallystick_app;
grant update (active) on withdrawal_methods to tallystick_app;
grant update (status, chain_txid, reason, first_approved_by, first_approved_at, approved_at, approved_by, ended_at,
  ended_by) on withdrawals to tallystick_app;
grant update (handled_by, handled_at) on contact_messages to tallystick_app;

grant select on operators to tallystick_app;
grant update (totp_sealed, totp_confirmed_at, totp_last_step) on operators to tallystick_app;
grant select, insert, delete on operator_recovery_codes to tallystick_app;
grant update (used_at) on operator_recovery_codes to tallystick_app;
grant select, insert, delete on operator_sessions to tallystick_app;
grant update (seen_at, ended_at) on operator_sessions to tallystick_app;
grant select on ledger_corrections, payment_method_changes to tallystick_app;
grant insert (ask_key, user_id, amount_cents, reason, asked_by, asked_at) on ledger_corrections to tallystick_app;
grant insert (method_id, paymentaddress, asked_by, asked_at) on payment_method_changes to tallystick_app;
grant select, insert on withdrawal_thresholds, operator_holdings to tallystick_app;
grant usage on sequence withdrawal_threshold_decisions to tallystick_app;
grant update (decided_by, decided_at, transactionid) on ledger_corrections to tallystick_app;
grant update (decided_by, decided_at, agreed) on payment_method_changes to tallystick_app;
grant update (decided_by, decided_at, agreed, decided_number) on withdrawal_thresholds to tallystick_app;
grant select, insert, delete on withdrawal_freezes to tallystick_app;

-- What the console looks up, some of it every few seconds.
create index ledger_movements_in_and_out on ledger_movements (at) where kind in ('deposit', 'payout');
create index withdrawals_approved on withdrawals (user_id, approved_at) where approved_at is not null;
create index users_by_time on users (created_at desc, id);
create index investments_settled_by on investments (settled_transactionid) where settled_transactionid is not null;
create index ledger_corrections_posted on ledger_corrections (transactionid) where transactionid is not null;
create index audit_log_by_action on audit_log (action text_pattern_ops, id desc);

-- Every movement rewrites its accounts' rows, and every command its answer: room beside the row keeps that cheap.
alter table ledger_accounts set (fillfactor = 40);
alter table ledger_commands set (fillfactor = 45);

-- How long the oldest job that is due has waited, in seconds: a worker that has stopped shows here.
create function oldest_due_job_seconds() returns double precision
language plpgsql stable security definer set search_path = pg_catalog as $$
begin
  return (select coalesce(extract(epoch from now() - min(run_at)), 0) from graphile_worker.jobs
    where run_at <= now() and locked_at is null and attempts < max_attempts);
end $$;
revoke all on function oldest_due_job_seconds from public;
grant execute on function oldest_due_job_seconds to tallystick_app;

-- A person waits for a code; whatever else is queued can wait a little.
drop function queue_job;
create function queue_job(task text, payload json, max_attempts integer, run_at timestamptz, priority integer)
returns void language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform graphile_worker.add_job(
    task, payload := payload, run_at := run_at, max_attempts := max_attempts, priority := priority);
end $$;
revoke all on function queue_job from public;
grant execute on function queue_job to tallystick_app;
