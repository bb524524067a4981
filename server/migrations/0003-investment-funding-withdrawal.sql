-- A plan is never edited: a new version takes the place of the old, whose terms stay with the investments made on it.
create table plans (
  id uuid primary key default gen_random_uuid(),
  line_id uuid not null,
  version integer not null check (version > 0),
  planname text not null check (planname <> ''),
  from_cents bigint not null check (from_cents > 0),
  to_cents bigint not null,
  duration_days integer not null check (duration_days between 1 and 3650),
  -- Hundredths of a percent for the whole term.
  roi_points integer not null check (roi_points between 0 and 100000),
  position integer not null,
  active boolean not null default true,
  created_at timestamptz not null,
  check (from_cents <= to_cents),
  unique (line_id, version)
);
create unique index plans_one_active on plans (line_id) where active;

create table investments (
  id uuid primary key,
  user_id uuid not null references users,
  plan_id uuid not null references plans,
  transactionid text not null unique,
  -- The terms as they were when it was made: nothing reprices an investment.
  planname text not null,
  amount_cents bigint not null check (amount_cents > 0),
  profit_cents bigint not null check (profit_cents >= 0),
  duration_days integer not null,
  roi_points integer not null,
  opened_at timestamptz not null,
  matures_at timestamptz not null,
  settled_at timestamptz,
  settled_transactionid text
);
create index investments_of_user on investments (user_id, opened_at desc, id);
create index investments_due on investments (matures_at) where settled_at is null;

create table payment_methods (
  id uuid primary key default gen_random_uuid(),
  paymentname text not null unique check (paymentname <> '' and paymentname !~ '[\n\r]'),
  paymentaddress text not null,
  network text not null,
  -- The price service's name of the coin, for the equivalent.
  coin text not null,
  sample boolean not null default false,
  position integer not null,
  active boolean not null default true,
  created_at timestamptz not null
);

create table funding_requests (
  id uuid primary key,
  user_id uuid not null references users,
  method_id uuid not null references payment_methods,
  transactionid text not null unique,
  paymentname text not null,
  -- Where the investor was told to send it.
  paymentaddress text not null,
  amount_cents bigint not null check (amount_cents > 0),
  status text not null default 'pending' check (status in ('pending', 'confirmed', 'rejected')),
  received_cents bigint check (received_cents > 0),
  network text,
  chain_txid text,
  chain_output integer,
  reason text,
  requested_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  check ((status = 'pending') = (decided_at is null)),
  check ((status = 'confirmed') = (received_cents is not null)),
  check ((status = 'rejected') = (reason is not null))
);
-- One payment on the chain is credited once.
create unique index funding_credited_once on funding_requests (network, chain_txid, coalesce(chain_output, -1))
  where chain_txid is not null;
create index funding_requests_of_user on funding_requests (user_id, requested_at desc, id);
create index funding_requests_pending on funding_requests (requested_at) where status = 'pending';

create table withdrawal_methods (
  id uuid primary key default gen_random_uuid(),
  methodname text not null unique check (methodname <> ''),
  network text not null check (network in ('bitcoin', 'ethereum', 'bnb', 'xrp')),
  position integer not null,
  active boolean not null default true,
  created_at timestamptz not null
);

create table withdrawals (
  id uuid primary key,
  user_id uuid not null references users,
  method_id uuid not null references withdrawal_methods,
  transactionid text not null unique,
  methodname text not null,
  network text not null,
  address text not null,
  amount_cents bigint not null check (amount_cents > 0),
  status text not null default 'requested'
    check (status in ('requested', 'approved', 'paid', 'rejected', 'cancelled')),
  chain_txid text,
  reason text,
  requested_at timestamptz not null,
  approved_at timestamptz,
  approved_by text,
  ended_at timestamptz,
  ended_by text,
  check ((status in ('paid', 'rejected', 'cancelled')) = (ended_at is not null)),
  check ((status = 'paid') = (chain_txid is not null)),
  check ((status = 'rejected') = (reason is not null))
);
create index withdrawals_of_user on withdrawals (user_id, requested_at desc, id);
create index withdrawals_open on withdrawals (requested_at) where status in ('requested', 'approved');

-- What has ended never changes again, whoever asks.
create function refuse_reopening() returns trigger language plpgsql as $$
begin
  raise exception 'this % has ended', tg_table_name using errcode = 'check_violation';
end $$;
create trigger withdrawals_stay_ended before update on withdrawals
  for each row when (old.ended_at is not null) execute function refuse_reopening();
create trigger funding_requests_stay_decided before update on funding_requests
  for each row when (old.decided_at is not null) execute function refuse_reopening();
create trigger investments_stay_settled before update on investments
  for each row when (old.settled_at is not null) execute function refuse_reopening();

grant select, insert, update on plans, investments, payment_methods, funding_requests, withdrawal_methods, withdrawals
  to tallystick_app;
