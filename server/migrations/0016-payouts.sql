-- Payouts: what a wallet is given to pay withdrawals with, and what the chains show of what left our own coins.

-- What a transaction that spends coins of ours pays to others, as the chain says.
create table network_spends (
  id uuid primary key,
  network text not null,
  txid text not null,
  -- Which output of a Bitcoin transaction it is.
  output integer check (output >= 0),
  -- To whom, as the chain has it (a script, an address in small letters) and as people read it.
  match text not null,
  address text not null,
  tag bigint check (tag between 0 and 4294967295),
  units numeric(78) not null check (units > 0),
  height integer not null,
  block_hash text not null,
  block_at timestamptz not null,
  seen_at timestamptz not null,
  -- vanished: its block is not part of the chain any more.
  state text not null default 'seen' check (state in ('seen', 'vanished')),
  -- When somebody was called because nothing explained it, or nobody had to be.
  told_at timestamptz,
  -- Nothing explained it then.
  odd boolean not null default false,
  unique nulls not distinct (txid, network, output)
);
create index network_spends_at on network_spends (network, height);
create index network_spends_to on network_spends (network, match);
create index network_spends_untold on network_spends (network) where told_at is null;
-- Few of them, and looked for whenever somebody looks at the payouts.
create index network_spends_odd on network_spends (seen_at) where odd or told_at is null;
create index network_spends_vanished on network_spends (seen_at) where state = 'vanished';
create trigger network_spends_kept before delete or truncate on network_spends
  for each statement execute function refuse_change();
create trigger network_spends_stay before update of id, network, txid, output, match, address, tag, units, seen_at
  on network_spends for each statement execute function refuse_change();

-- Our coins, and which of them are spent since a block.
create index network_payments_unspent on network_payments (network, id) where spent_txid is null and output is not null;
create index network_payments_spent on network_payments (network, spent_height) where spent_height is not null;

-- Approved withdrawals of one network with the coins that are owed, at the price of the moment it was made. Nobody gets
-- what a wallet needs before somebody has claimed it; what nobody claims expires.
create table payout_sheets (
  id uuid primary key,
  number integer generated always as identity unique,
  network text not null,
  state text not null default 'made' check (state in ('made', 'claimed', 'expired', 'released', 'paid')),
  price text not null,
  price_at timestamptz not null,
  price_source text not null,
  -- On Bitcoin: the transaction that pays it, unsigned.
  sat_per_vbyte numeric(8, 3) check (sat_per_vbyte > 0),
  psbt bytea,
  txid text,
  fee_units bigint check (fee_units > 0),
  vbytes integer check (vbytes > 0),
  change_address_id bigint references network_addresses,
  change_units bigint check (change_units > 0),
  made_at timestamptz not null,
  made_by text not null,
  expires_at timestamptz not null,
  claimed_at timestamptz,
  claimed_by text,
  -- Two say that a claimed one was not paid.
  first_released_at timestamptz,
  first_released_by text,
  first_released_reason text,
  released_at timestamptz,
  released_by text,
  ended_at timestamptz,
  check ((psbt is null) = (txid is null) and (psbt is null) = (sat_per_vbyte is null)
    and (psbt is null) = (fee_units is null) and (psbt is null) = (vbytes is null)),
  check ((change_address_id is null) = (change_units is null) and (change_units is null or psbt is not null)),
  check ((claimed_at is null) = (claimed_by is null)),
  check ((state = 'made' or state = 'expired') <= (claimed_at is null)),
  check ((state = 'claimed' or state = 'released') <= (claimed_at is not null)),
  check ((first_released_at is null) = (first_released_by is null)
    and (first_released_at is null) = (first_released_reason is null)),
  check (first_released_by is null or claimed_at is not null),
  check ((released_at is null) = (released_by is null) and (state = 'released') = (released_at is not null)),
  constraint payout_sheets_two_release check (released_by is null
    or (first_released_by is not null and first_released_by <> released_by)),
  check ((state in ('made', 'claimed')) = (ended_at is null))
);
create index payout_sheets_open on payout_sheets (number) where ended_at is null;
create index payout_sheets_of_change on payout_sheets (change_address_id) where change_address_id is not null;
create index payout_sheets_of_txid on payout_sheets (txid) where txid is not null;

create table payout_items (
  sheet_id uuid not null references payout_sheets,
  -- Its place on the sheet, which is the number of its output where the sheet has a transaction.
  position integer not null check (position >= 0),
  withdrawal_id uuid not null references withdrawals,
  -- To whom, as the chain will show it.
  match text not null,
  tag bigint,
  units numeric(78) not null check (units > 0),
  open boolean not null default true,
  primary key (sheet_id, position),
  unique (sheet_id, withdrawal_id)
);
-- What stands on an open sheet stands on no other.
create unique index payout_items_once on payout_items (withdrawal_id) where open;
create index payout_items_of on payout_items (withdrawal_id);
create index payout_items_to on payout_items (match, units);

create table payout_inputs (
  sheet_id uuid not null references payout_sheets,
  position integer not null check (position >= 0),
  payment_id uuid not null references network_payments,
  open boolean not null default true,
  primary key (sheet_id, position),
  unique (sheet_id, payment_id)
);
create unique index payout_inputs_once on payout_inputs (payment_id) where open;
create index payout_inputs_of on payout_inputs (payment_id);

-- A sheet goes its way once and in one direction.
create function refuse_sheet_step() returns trigger language plpgsql as $$
begin
  if not ((old.state = 'made' and new.state in ('claimed', 'expired', 'paid'))
    or (old.state = 'claimed' and new.state in ('released', 'paid'))) then
    raise exception 'a sheet that is % cannot become %', old.state, new.state using errcode = 'check_violation';
  end if;
  if new.state = 'paid' and exists (select from payout_items i join withdrawals w on w.id = i.withdrawal_id
    where i.sheet_id = new.id and w.status = 'approved') then
    raise exception 'a sheet is paid when all of it is' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payout_sheets_steps before update on payout_sheets
  for each row when (old.state <> new.state) execute function refuse_sheet_step();
create trigger payout_sheets_stay_ended before update on payout_sheets
  for each row when (old.ended_at is not null) execute function refuse_reopening();
create trigger payout_sheets_stay before update of id, network, price, price_at, price_source, sat_per_vbyte, psbt, txid,
  fee_units, vbytes, change_address_id, change_units, made_at, made_by, expires_at on payout_sheets
  for each statement execute function refuse_change();
-- Who has claimed it stays; who wants it released may take that back until a second wants it, too.
create function refuse_other_claim() returns trigger language plpgsql as $$
begin
  raise exception 'this sheet is claimed' using errcode = 'check_violation';
end $$;
create trigger payout_sheets_stay_claimed before update on payout_sheets
  for each row when (old.claimed_by is not null and (new.claimed_by, new.claimed_at)
    is distinct from (old.claimed_by, old.claimed_at)) execute function refuse_other_claim();

-- What is on a sheet that has ended is free for another.
create function close_sheet() returns trigger language plpgsql as $$
begin
  update payout_items set open = false where sheet_id = new.id;
  update payout_inputs set open = false where sheet_id = new.id;
  return null;
end $$;
create trigger payout_sheets_close after update on payout_sheets
  for each row when (old.ended_at is null and new.ended_at is not null) execute function close_sheet();

-- Put on it when it is made: approved withdrawals of its network, coins of ours.
create function refuse_item() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_sheets s join withdrawals w on w.id = new.withdrawal_id
    where s.id = new.sheet_id and s.state = 'made' and w.network = s.network and w.status = 'approved'
      and w.first_paid_by is null) then
    raise exception 'this withdrawal cannot be on this sheet' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payout_items_fit before insert on payout_items for each row execute function refuse_item();
create function refuse_input() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_sheets s join network_payments p on p.id = new.payment_id
    where s.id = new.sheet_id and s.state = 'made' and s.psbt is not null and p.network = s.network
      and p.state <> 'vanished' and p.lost_at is null and p.spent_txid is null) then
    raise exception 'this coin cannot be spent by this sheet' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payout_inputs_fit before insert on payout_inputs for each row execute function refuse_input();
-- Open as long as the sheet is.
create function refuse_opening() returns trigger language plpgsql as $$
begin
  if new.open is distinct from exists (select from payout_sheets where id = new.sheet_id and ended_at is null) then
    raise exception 'what is on a sheet is open as long as the sheet is' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payout_items_open before insert or update of open on payout_items
  for each row execute function refuse_opening();
create trigger payout_inputs_open before insert or update of open on payout_inputs
  for each row execute function refuse_opening();
create trigger payout_items_stay before update of sheet_id, position, withdrawal_id, match, tag, units on payout_items
  for each statement execute function refuse_change();
create trigger payout_inputs_stay before update of sheet_id, position, payment_id on payout_inputs
  for each statement execute function refuse_change();
create trigger payout_sheets_kept before delete or truncate on payout_sheets
  for each statement execute function refuse_change();
create trigger payout_items_kept before delete or truncate on payout_items
  for each statement execute function refuse_change();
create trigger payout_inputs_kept before delete or truncate on payout_inputs
  for each statement execute function refuse_change();

alter table withdrawals
  -- On the XRP Ledger: the destination tag.
  add column tag bigint check (tag between 0 and 4294967295),
  -- Where the chain does not show the payment: the first of two who say that it was made, and with which transaction.
  add column first_paid_by text,
  add column first_paid_at timestamptz,
  -- What the chain shows as the payment, where it was marked by itself.
  add column spend_id uuid unique references network_spends,
  drop constraint withdrawals_check1,
  add constraint withdrawals_payment check ((chain_txid is not null)
    = (status = 'paid' or (status = 'approved' and first_paid_by is not null))),
  add constraint withdrawals_first_paid check ((first_paid_by is null) = (first_paid_at is null)
    and (first_paid_by is null or status in ('approved', 'paid'))),
  add constraint withdrawals_two_pay check (status <> 'paid' or first_paid_by is null
    or ended_by is distinct from first_paid_by),
  add constraint withdrawals_by_chain check ((ended_by is not distinct from 'chain') = (spend_id is not null)),
  add constraint withdrawals_chain_alone check (spend_id is null or (status = 'paid' and first_paid_by is null));

-- The second names what the first has named.
create function refuse_other_payment() returns trigger language plpgsql as $$
begin
  raise exception 'another payment was named first' using errcode = 'check_violation';
end $$;
create trigger withdrawals_same_payment before update on withdrawals
  for each row when (old.first_paid_by is not null and new.first_paid_by is not null and
    (old.first_paid_by, old.chain_txid, old.chain_output)
      is distinct from (new.first_paid_by, new.chain_txid, new.chain_output))
  execute function refuse_other_payment();
-- Whatever the program says: by itself only what the chain shows is marked, to that address, with that amount.
create function refuse_unshown_payment() returns trigger language plpgsql as $$
begin
  if not exists (select from network_spends s join payout_items i on i.withdrawal_id = new.id
    where s.id = new.spend_id and s.state = 'seen' and s.network = new.network and s.txid = new.chain_txid
      and s.output is not distinct from new.chain_output and i.match = s.match and i.tag is not distinct from s.tag
      and i.units = s.units) then
    raise exception 'the chain does not show this payment' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger withdrawals_shown_payment before update on withdrawals
  for each row when (old.spend_id is distinct from new.spend_id) execute function refuse_unshown_payment();
-- What may be on its way to the investor does not go back to the wallet.
create function refuse_rejecting() returns trigger language plpgsql as $$
begin
  if exists (select from payout_items i where i.withdrawal_id = new.id and i.open) then
    raise exception 'this withdrawal is on a payout sheet' using errcode = 'check_violation';
  end if;
  -- Also when the sheet has ended: two may have said that it was not paid before the chain showed that it was.
  if exists (select from payout_items i
    join payout_sheets h on h.id = i.sheet_id
    join network_spends s on s.network = h.network and s.match = i.match and s.tag is not distinct from i.tag
      and s.units = i.units and s.state = 'seen' and s.seen_at >= h.made_at
    where i.withdrawal_id = new.id and not exists (select from payment_claims c
      where c.network = s.network and c.txid = s.txid and c.final
        and (c.output is null or s.output is null or c.output = s.output))) then
    raise exception 'the chain shows a payment of this withdrawal' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger withdrawals_on_sheet before update on withdrawals
  for each row when (old.status = 'approved' and new.status = 'rejected') execute function refuse_rejecting();

grant select, insert on network_spends, payout_sheets, payout_items, payout_inputs to tallystick_app;
grant update (height, block_hash, block_at, state, told_at, odd) on network_spends to tallystick_app;
grant update (state, claimed_at, claimed_by, first_released_at, first_released_by, first_released_reason, released_at,
  released_by, ended_at) on payout_sheets to tallystick_app;
grant update (open) on payout_items, payout_inputs to tallystick_app;
grant update (first_paid_by, first_paid_at, spend_id) on withdrawals to tallystick_app;
