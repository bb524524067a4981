-- What our payment addresses and cold addresses have signed, so that anyone can check that they are ours. A signature is of
-- one message, which names the log, the network and the address: another address, or another name of the log, has none.
create table address_signatures (
  origin text not null,
  network text not null,
  -- In its one spelling.
  address text not null,
  message text not null,
  -- The published rule by which it holds.
  scheme text not null check (scheme in ('bip137', 'bip322', 'eip191', 'xrp')),
  signature text not null check (octet_length(signature) between 1 and 600),
  -- Of XRP: what the account is the hash of.
  public_key text check ((public_key is null) = (scheme <> 'xrp')),
  entered_by text not null,
  entered_at timestamptz not null,
  -- What the public log tells of it.
  entry_id bigint not null unique references log_entries,
  primary key (origin, network, address),
  check (message = 'tallystick address/v1: ' || network || ' ' || address || ' belongs to ' || origin)
);
create trigger address_signatures_append_only before update or delete or truncate on address_signatures
  for each statement execute function refuse_change();

grant select, insert on address_signatures to tallystick_app;
