-- The networks are read: which addresses are whose, how far each chain was read, what was paid there.

-- Account keys, public ones: addresses are derived from them, and nothing can be spent with them. One key that serves
-- several methods of a family gives an investor one address on all of their networks.
create table network_keys (
  id uuid primary key default gen_random_uuid(),
  family text not null check (family in ('bitcoin', 'evm')),
  key text not null unique,
  -- Where in the wallet it stands: m/84'/0'/0'.
  path text not null,
  -- Of receiving and of change addresses: the first number that was not given out.
  next_receiving integer not null default 0 check (next_receiving >= 0),
  next_change integer not null default 0 check (next_change >= 0),
  made_at timestamptz not null
);

-- Every address that is looked for on the chains, for good. An EVM address is one on all EVM networks, so it is known by
-- its family; on the XRP Ledger one address has many owners, each with a tag.
create table network_addresses (
  id bigint generated always as identity primary key,
  family text not null check (family in ('bitcoin', 'evm', 'xrp')),
  -- As the chain has it: a script, an address in small letters.
  match text not null,
  address text not null,
  tag bigint check (tag between 0 and 4294967295),
  purpose text not null check (purpose in ('deposit', 'change', 'cold')),
  owner_id uuid references users,
  key_id uuid references network_keys,
  branch integer,
  index integer,
  made_at timestamptz not null,
  -- When the first payment that counts was seen: then its owner is given another.
  used_at timestamptz,
  unique nulls not distinct (family, match, tag),
  unique (key_id, branch, index),
  check ((key_id is null) = (branch is null) and (key_id is null) = (index is null)),
  check (owner_id is null or purpose = 'deposit')
);
create index network_addresses_of_owner on network_addresses (owner_id, id desc) where owner_id is not null;
create index network_addresses_shown on network_addresses (lower(address));
create index network_addresses_of_tag on network_addresses (tag) where tag is not null;
create trigger network_addresses_kept before delete or truncate on network_addresses
  for each statement execute function refuse_change();
-- Whose an address is never changes, nor what it is.
create trigger network_addresses_stay before update of family, match, address, tag, purpose, owner_id, key_id, branch, index
  on network_addresses for each statement execute function refuse_change();
create trigger network_keys_kept before delete or truncate on network_keys
  for each statement execute function refuse_change();
create trigger network_keys_stay before update of family, key, path on network_keys
  for each statement execute function refuse_change();

-- Where an investor sends: to one address for everyone, to an own one from a key, or to one address with an own tag.
alter table payment_methods
  add column source text not null default 'fixed' check (source in ('fixed', 'derived', 'tagged')),
  add column key_id uuid references network_keys,
  -- After how many blocks a payment counts; null for as many as the network usually needs.
  add column confirmations integer check (confirmations between 1 and 1000),
  -- What is worth less is listed and not credited.
  add column dust_cents bigint not null default 100 check (dust_cents >= 0),
  add constraint payment_methods_key check ((source = 'derived') = (key_id is not null));
alter table payment_method_changes
  add column source text not null default 'fixed' check (source in ('fixed', 'derived', 'tagged')),
  -- The key whose addresses would be given out, in place of an address.
  add column key text,
  add constraint payment_method_changes_key check ((source = 'derived') = (key is not null)),
  add constraint payment_method_changes_address check ((source = 'derived') = (paymentaddress = ''));
create or replace function refuse_unagreed_address() returns trigger language plpgsql as $$
begin
  if not exists (select from payment_method_changes c
    where c.method_id = new.id and c.agreed and c.source = new.source and c.paymentaddress = new.paymentaddress
      and c.key is not distinct from (select k.key from network_keys k where k.id = new.key_id)) then
    raise exception 'nobody agreed to this payment address' using errcode = 'check_violation';
  end if;
  return new;
end $$;
drop trigger payment_methods_agreed_address on payment_methods;
create trigger payment_methods_agreed_address before update on payment_methods
  for each row when (old.paymentaddress <> new.paymentaddress or old.source <> new.source
    or old.key_id is distinct from new.key_id or (new.agreed and not old.agreed))
  execute function refuse_unagreed_address();

-- How far a chain was read, and how it is with its node.
create table network_cursors (
  network text primary key,
  -- Which chain that is: a genesis block's hash, a chain id.
  chain text not null,
  height integer not null check (height >= 0),
  hash text not null,
  -- The highest block that the node knew of.
  tip integer not null,
  read_at timestamptz not null
);
-- The last blocks that were read: where another branch began.
create table network_blocks (
  network text not null references network_cursors,
  height integer not null,
  hash text not null,
  primary key (network, height)
);

-- How it is with each chain's node, as whoever reads it found it last.
create table network_states (
  network text primary key,
  state text not null check (state in ('following', 'behind', 'away', 'wrong-chain', 'nonsense')),
  said text,
  since timestamptz not null,
  looked_at timestamptz not null
);

-- What was paid to one of our addresses, as the chain says.
create table network_payments (
  id uuid primary key,
  network text not null,
  txid text not null,
  -- Which output of a Bitcoin transaction it is.
  output integer check (output >= 0),
  address_id bigint not null references network_addresses,
  -- The smallest parts of the coin.
  units numeric(78) not null check (units > 0),
  height integer not null,
  block_hash text not null,
  block_at timestamptz not null,
  seen_at timestamptz not null,
  -- Dollars for one coin when it was seen in a block, or as soon as one was known after that; and what that came to.
  price text,
  price_at timestamptz,
  price_source text,
  cents bigint check (cents >= 0),
  -- When it was found to count: then its owner was written to.
  noticed_at timestamptz,
  -- vanished: its block is not part of the chain any more.
  state text not null default 'seen' check (state in ('seen', 'credited', 'dust', 'ours', 'vanished')),
  -- A credited payment whose block is gone.
  lost_at timestamptz,
  -- Of a Bitcoin output: the transaction that spent it.
  spent_txid text,
  spent_height integer,
  unique nulls not distinct (txid, network, output),
  check ((price is null) = (cents is null) and (price is null) = (price_at is null) and (price is null) = (price_source is null)),
  check (lost_at is null or state = 'credited'),
  check ((spent_txid is null) = (spent_height is null))
);
create index network_payments_open on network_payments (network, height) where state = 'seen';
create index network_payments_at on network_payments (network, height);
create index network_payments_of_address on network_payments (address_id);
-- What somebody has to look at, newest first.
create index network_payments_stray on network_payments (seen_at) where state in ('seen', 'dust') or lost_at is not null;
create trigger network_payments_kept before delete or truncate on network_payments
  for each statement execute function refuse_change();
create trigger network_payments_stay before update of network, txid, output, address_id, units on network_payments
  for each statement execute function refuse_change();

-- What a node says that an address holds, and what of it was counted as payments: coins that a contract passed on are in
-- no transaction that names the address.
create table network_balances (
  network text not null,
  address_id bigint not null references network_addresses,
  units numeric(78) not null check (units >= 0),
  counted numeric(78) not null check (counted >= 0),
  height integer not null,
  looked_at timestamptz not null,
  primary key (network, address_id)
);
-- What came without a payment that was seen: for an operator to look into, credited by nobody but people.
create table network_surpluses (
  id uuid primary key default gen_random_uuid(),
  network text not null,
  address_id bigint not null references network_addresses,
  units numeric(78) not null check (units > 0),
  -- It came between these two blocks.
  height_from integer not null,
  height_to integer not null,
  found_at timestamptz not null,
  ended_at timestamptz,
  ended_by text,
  note text,
  check ((ended_at is null) = (ended_by is null) and (ended_at is null) = (note is null))
);
create index network_surpluses_open on network_surpluses (found_at) where ended_at is null;
create trigger network_surpluses_kept before delete or truncate on network_surpluses
  for each statement execute function refuse_change();
create trigger network_surpluses_stay_ended before update on network_surpluses
  for each row when (old.ended_at is not null) execute function refuse_reopening();

-- Where money that was credited is gone from its chain, one operator alone does not let it go out.
alter table withdrawal_freezes
  add column after_loss boolean not null default false,
  add column first_unfrozen_by text,
  add column first_unfrozen_at timestamptz,
  add check ((first_unfrozen_by is null) = (first_unfrozen_at is null)),
  add check (first_unfrozen_by is null or after_loss);

-- One payment has one use, whoever claims it: a chain's reader, an operator by hand, a withdrawal that it paid. A claim
-- without an output is of the whole transaction.
create table payment_claims (
  network text not null,
  txid text not null,
  output integer,
  use text not null check (use in ('deposit', 'payout')),
  -- The request or the withdrawal.
  transactionid text not null,
  -- False while the first of two operators has named it: then it can be given up.
  final boolean not null,
  unique nulls not distinct (txid, network, output)
);
insert into payment_claims
select network, chain_txid, chain_output, 'deposit', transactionid, status = 'confirmed' from funding_requests
where chain_txid is not null and network is not null
on conflict do nothing;
insert into payment_claims
select network, chain_txid, chain_output, 'payout', transactionid, true from withdrawals
where chain_txid is not null and not shares_payment
on conflict do nothing;
create function refuse_claimed() returns trigger language plpgsql as $$
begin
  -- One at a time for each transaction, however the servers come to it.
  perform pg_advisory_xact_lock(hashtextextended('payment ' || new.txid, 0));
  if exists (select from payment_claims c where c.network = new.network and c.txid = new.txid
    and (c.output is null or new.output is null or c.output = new.output)) then
    raise exception 'this payment is claimed' using errcode = 'unique_violation', constraint = 'payment_claims_once';
  end if;
  return new;
end $$;
create trigger payment_claims_once before insert on payment_claims
  for each row execute function refuse_claimed();
create trigger payment_claims_final before update or delete on payment_claims
  for each row when (old.final) execute function refuse_change();
create trigger payment_claims_kept before truncate on payment_claims
  for each statement execute function refuse_change();
create index payment_claims_of on payment_claims (transactionid);

-- A payment that was seen belongs to a request from then on: one that announced it, or one that is made of it. What a
-- chain shows needs no second operator, also where it is more than was asked for.
alter table funding_requests
  add column tag bigint,
  add column payment_id uuid unique references network_payments,
  add column announced boolean not null default true,
  drop constraint funding_more_than_asked,
  add constraint funding_more_than_asked check (status <> 'confirmed' or received_cents <= amount_cents
    or first_confirmed_by is not null or payment_id is not null) not valid,
  add check (payment_id is null or status <> 'rejected');
create index funding_requests_at_address on funding_requests (paymentaddress) where status = 'pending';
create index funding_requests_at_lower_address on funding_requests (lower(paymentaddress)) where status = 'pending';
-- Two networks may have the same transaction.
drop index funding_payment_once;
create unique index funding_payment_once on funding_requests (chain_txid, network, coalesce(chain_output, -1))
  where chain_txid is not null;

grant select, insert on network_keys, network_addresses, network_cursors, network_blocks, network_states,
  network_payments, network_balances, network_surpluses, payment_claims
  to tallystick_app;
grant update (next_receiving, next_change) on network_keys to tallystick_app;
grant update (used_at) on network_addresses to tallystick_app;
grant update on network_cursors, network_states, network_balances to tallystick_app;
grant delete on network_blocks to tallystick_app;
grant update (height, block_hash, block_at, price, price_at, price_source, cents, noticed_at, state, lost_at,
  spent_txid, spent_height) on network_payments to tallystick_app;
grant update (ended_at, ended_by, note) on network_surpluses to tallystick_app;
grant update (reason, after_loss, first_unfrozen_by, first_unfrozen_at) on withdrawal_freezes to tallystick_app;
grant update (final) on payment_claims to tallystick_app;
grant delete on payment_claims to tallystick_app;
grant insert (source, key) on payment_method_changes to tallystick_app;
grant update (payment_id) on funding_requests to tallystick_app;
grant update (source, key_id, confirmations, dust_cents) on payment_methods to tallystick_app;
