-- fits servers from 0023 on
-- An investor's address book, and the switch that lets money go nowhere else.

create table saved_addresses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  label text not null check (length(label) between 1 and 60),
  network text not null,
  address text not null check (length(address) between 1 and 120),
  tag bigint,
  created_at timestamptz not null,
  -- While addresses are protected, money goes there from then on.
  usable_from timestamptz not null,
  -- SHA-256 of what the link of the letter has at its end, and until when it takes the address away again; none where it was
  -- saved without protection.
  stop_hash bytea unique,
  stop_until timestamptz,
  check ((stop_hash is null) = (stop_until is null))
);
-- With another tag it is another's; in other letters it is the same.
create unique index saved_addresses_once on saved_addresses (user_id, network, lower(address), coalesce(tag, -1));

-- Whose addresses are protected. A row whose end has come protects nothing and is about to go.
create table address_protections (
  user_id uuid primary key references users,
  since timestamptz not null,
  off_from timestamptz,
  -- Of the letter that tells of the end.
  stop_hash bytea unique,
  check ((off_from is null) = (stop_hash is null))
);
create index address_protections_ending on address_protections (off_from) where off_from is not null;

-- Whatever path a server takes, and however old it is: while they are protected, nothing is sent to an address that is not saved.
create function refuse_unsaved_address() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (
    select from address_protections p
    where p.user_id = new.user_id and (p.off_from is null or p.off_from > new.requested_at)
  ) and not exists (
    select from saved_addresses a
    where a.user_id = new.user_id and a.network = new.network and lower(a.address) = lower(new.address)
      and coalesce(a.tag, -1) = coalesce(new.tag, -1) and a.usable_from <= new.requested_at
  ) then
    raise exception 'the addresses of this account are protected, and this one is not saved' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger withdrawals_to_saved before insert on withdrawals
  for each row execute function refuse_unsaved_address();

grant select, insert, delete on saved_addresses, address_protections to tallystick_app;
grant update (label) on saved_addresses to tallystick_app;
grant update (since, off_from, stop_hash) on address_protections to tallystick_app;
