-- Double entry in integer cents. An account's row holds what its entries add up to, so that a balance is one read and
-- a CHECK can forbid that an investor's account goes below zero.
create table ledger_accounts (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('wallet', 'invested', 'withdrawing', 'clearing', 'payouts', 'returns', 'corrections')),
  -- The investor it belongs to, or the payment method for a clearing account; null for the house's single accounts.
  owner_id uuid,
  balance_cents bigint not null default 0,
  entry_count bigint not null default 0,
  -- The hash of the newest entry: whoever holds it can tell later whether anything before it was changed.
  head bytea not null default decode(repeat('00', 32), 'hex'),
  last_entry_at timestamptz not null default '-infinity',
  unique nulls not distinct (kind, owner_id),
  check ((owner_id is null) = (kind in ('payouts', 'returns', 'corrections'))),
  constraint ledger_no_debt check (kind not in ('wallet', 'invested', 'withdrawing') or balance_cents >= 0)
);

create table ledger_movements (
  id uuid primary key,
  transactionid text not null unique,
  kind text not null,
  at timestamptz not null,
  -- What it is about: a funding request, an investment, a withdrawal.
  reference text,
  reason text
);

create table ledger_entries (
  account_id uuid not null references ledger_accounts,
  seq bigint not null check (seq > 0),
  movement_id uuid not null references ledger_movements,
  at timestamptz not null,
  label text not null check (label <> '' and label !~ '[\n\r]'),
  amount_cents bigint not null check (amount_cents <> 0),
  balance_before_cents bigint not null,
  balance_after_cents bigint not null,
  hash bytea not null,
  primary key (account_id, seq),
  check (balance_before_cents + amount_cents = balance_after_cents)
);
create index ledger_entries_by_time on ledger_entries (account_id, at desc);
create index ledger_entries_by_label on ledger_entries (account_id, label, seq desc);
create index ledger_entries_of_movement on ledger_entries (movement_id);

-- Every money command, once and for good, with the answer it was given.
create table ledger_commands (
  scope text not null,
  key text not null,
  body_sha256 bytea not null,
  at timestamptz not null,
  -- Null only inside the transaction that claims the key.
  answer jsonb,
  primary key (scope, key)
);

-- The result of the last check of the books; a mismatch freezes withdrawals until someone has looked.
create table ledger_checks (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  accounts bigint not null,
  entries bigint not null,
  findings jsonb not null
);
create table ledger_freeze (
  only_row boolean primary key default true check (only_row),
  frozen_at timestamptz,
  reason text
);
insert into ledger_freeze default values;

create trigger ledger_movements_append_only before update or delete or truncate on ledger_movements
  for each statement execute function refuse_change();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger ledger_accounts_kept before delete or truncate on ledger_accounts
  for each statement execute function refuse_change();
create trigger ledger_commands_kept before delete or truncate on ledger_commands
  for each statement execute function refuse_change();

-- The entries of a movement are inserted by one statement and must cancel out.
create function ledger_refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (select from fresh group by movement_id having sum(amount_cents) <> 0) then
    raise exception 'a movement does not balance' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_entries_balance after insert on ledger_entries
  referencing new table as fresh for each statement execute function ledger_refuse_unbalanced();

grant select, insert on ledger_movements, ledger_entries, ledger_checks to tallystick_app;
grant select, insert, update on ledger_accounts, ledger_commands to tallystick_app;
grant select, update on ledger_freeze to tallystick_app;
