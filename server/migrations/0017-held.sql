-- What is held is read from the chains: at the addresses that deposits come to, and at those that are listed here.

-- One operator asks for an address of our own to count, or to count no more, and another agrees.
create table cold_address_changes (
  id uuid primary key default gen_random_uuid(),
  network text not null,
  address text not null,
  -- As the chain has it: a script, an address in small letters.
  match text not null,
  label text not null,
  removes boolean not null,
  -- Of Bitcoin: coins that lay there before anybody looked, each as txid:output.
  coins text[] not null default '{}',
  asked_by text not null,
  asked_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  agreed boolean,
  check ((decided_by is null) = (decided_at is null)),
  check ((decided_at is null) = (agreed is null)),
  check (agreed is not true or decided_by <> asked_by)
);
create unique index cold_address_changes_one_waiting on cold_address_changes (network, match) where decided_at is null;
create trigger cold_address_changes_stay_decided before update on cold_address_changes
  for each row when (old.decided_at is not null) execute function refuse_reopening();
create trigger cold_address_changes_kept before delete or truncate on cold_address_changes
  for each statement execute function refuse_change();
create trigger cold_address_changes_stay before update of network, address, match, label, removes, coins, asked_by, asked_at
  on cold_address_changes for each statement execute function refuse_change();

create table cold_addresses (
  network text not null,
  address_id bigint not null references network_addresses,
  label text not null,
  -- From this block on every payment to it was read.
  height_from integer not null,
  -- What two operators decided last about it; each decision counts once.
  change_id uuid not null unique references cold_address_changes,
  listed_at timestamptz not null,
  removed_at timestamptz,
  primary key (network, address_id)
);
create function refuse_unagreed_cold() returns trigger language plpgsql as $$
begin
  if not exists (select from cold_address_changes c join network_addresses a on a.id = new.address_id
    where c.id = new.change_id and c.agreed and c.network = new.network and c.match = a.match and a.purpose = 'cold'
      and c.removes = (new.removed_at is not null)) then
    raise exception 'nobody agreed to this cold address' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger cold_addresses_agreed before insert or update on cold_addresses
  for each row execute function refuse_unagreed_cold();
create trigger cold_addresses_kept before delete or truncate on cold_addresses
  for each statement execute function refuse_change();
create trigger cold_addresses_stay before update of network, address_id, height_from on cold_addresses
  for each statement execute function refuse_change();

-- The last price that was known of each network's coin, for when none can be fetched.
create table network_prices (
  network text primary key,
  price text not null,
  price_at timestamptz not null,
  price_source text not null
);

-- Something came or went: what was seen there is not so any more.
alter table network_balances add column due boolean not null default false;

grant select on cold_address_changes to tallystick_app;
grant insert (network, address, match, label, removes, coins, asked_by, asked_at) on cold_address_changes to tallystick_app;
grant select, insert on cold_addresses, network_prices to tallystick_app;
grant update (decided_by, decided_at, agreed) on cold_address_changes to tallystick_app;
grant update (label, change_id, listed_at, removed_at) on cold_addresses to tallystick_app;
grant update (price, price_at, price_source) on network_prices to tallystick_app;
