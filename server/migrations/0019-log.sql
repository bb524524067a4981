-- What the public log tells. An entry is written in the transaction of what it tells; the one writer of the log gives it
-- its place later.
create table log_entries (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z]+/v[0-9]+$'),
  -- The bytes of the leaf.
  entry text not null check (starts_with(entry, kind || e'\n') and octet_length(entry) <= 65535),
  written_at timestamptz not null,
  place bigint unique check (place >= 0)
);
create index log_entries_waiting on log_entries (id) where place is null;
create index log_entries_by_kind on log_entries (kind, place desc) where place is not null;
create trigger log_entries_kept before delete or truncate on log_entries
  for each statement execute function refuse_change();
create trigger log_entries_stay before update of id, kind, entry, written_at on log_entries
  for each statement execute function refuse_change();
create trigger log_entries_stay_placed before update on log_entries
  for each row when (old.place is not null) execute function refuse_reopening();

-- How many have their place: two writers at once would both have to change it from the same number.
create table log_size (
  only_row boolean primary key default true check (only_row),
  size bigint not null check (size >= 0)
);
insert into log_size (size) values (0);
create trigger log_size_kept before delete or truncate on log_size
  for each statement execute function refuse_change();
create trigger log_size_grows before update on log_size
  for each row when (new.size < old.size) execute function refuse_change();

-- The tree, 256 hashes to a row; the newest of each level grows until it is full. A narrower tile is the beginning of a
-- wider one.
create table log_tiles (
  level integer not null check (level between 0 and 7),
  number bigint not null check (number >= 0),
  hashes bytea not null check (octet_length(hashes) % 32 = 0 and octet_length(hashes) between 32 and 8192),
  primary key (level, number)
);
create trigger log_tiles_kept before delete or truncate on log_tiles
  for each statement execute function refuse_change();
create trigger log_tiles_grow before update on log_tiles
  for each row when ((new.level, new.number) is distinct from (old.level, old.number)
    or substring(new.hashes for octet_length(old.hashes)) is distinct from old.hashes)
  execute function refuse_change();

-- Every checkpoint that was signed, and what witnesses have said to it.
create table log_checkpoints (
  size bigint primary key check (size > 0),
  root bytea not null check (octet_length(root) = 32),
  signed_at timestamptz not null,
  note text not null
);
create trigger log_checkpoints_append_only before update or delete or truncate on log_checkpoints
  for each statement execute function refuse_change();
create table log_cosignatures (
  size bigint not null references log_checkpoints,
  -- The name in the witness's key.
  witness text not null,
  -- The line as it stands in the note. A log that has got another name is cosigned under that name, too.
  line text not null,
  cosigned_at timestamptz not null,
  primary key (size, witness, line)
);
create index log_cosignatures_of_witness on log_cosignatures (witness, size desc);
create trigger log_cosignatures_append_only before update or delete or truncate on log_cosignatures
  for each statement execute function refuse_change();

grant select, insert (kind, entry, written_at), update (place) on log_entries to tallystick_app;
grant select, update (size) on log_size to tallystick_app;
grant select, insert, update (hashes) on log_tiles to tallystick_app;
grant select, insert on log_checkpoints, log_cosignatures to tallystick_app;

-- The log begins with what there is already, told at this moment: every version of every plan, the methods with their
-- keys, what was corrected and what is frozen.
with told as (
  select e'\ntime ' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as time
), networks (network, coin) as (
  values ('bitcoin', 'bitcoin'), ('ethereum', 'ethereum'), ('bnb', 'binancecoin'), ('xrp', 'ripple')
), ways_in as (
  select m.*, coalesce(n.network, m.coin) as word,
    case when m.active then 'on' else 'off' end as state
  from payment_methods m left join networks n on n.coin = m.coin
  where m.agreed
), entries (kind, lines, first, second, third) as (
  select 'plan/v1', e'\nplan ' || line_id || e'\nversion ' || version || e'\nname '
      || normalize(translate(planname, e'\n\r', '  '), nfc) || e'\nfrom ' || from_cents || e'\nto ' || to_cents
      || e'\ndays ' || duration_days || e'\npoints ' || roi_points
      || e'\nstate ' || case when active then 'on' else 'off' end,
    1, created_at, id::text
  from plans
  union all
  select 'method/v1', e'\nmethod ' || id || e'\nside in\nname ' || normalize(paymentname, nfc) || e'\nnetwork ' || word
      || e'\nsource ' || source || e'\naddress ' || coalesce(nullif(paymentaddress, ''), '-') || e'\nstate ' || state,
    2, created_at, id::text
  from ways_in
  union all
  select 'key/v1', e'\nmethod ' || w.id || e'\nnetwork ' || word
      || e'\nsha256 ' || encode(sha256(convert_to(k.key, 'UTF8')), 'hex') || e'\npath ' || k.path || e'\nstate on',
    3, k.made_at, w.id::text
  from ways_in w join network_keys k on k.id = w.key_id
  union all
  select 'method/v1', e'\nmethod ' || id || e'\nside out\nname '
      || normalize(translate(methodname, e'\n\r', '  '), nfc) || e'\nnetwork ' || network
      || e'\nstate ' || case when active then 'on' else 'off' end,
    4, created_at, id::text
  from withdrawal_methods
  union all
  select 'correction/v1', e'\ntransactionid ' || transactionid || e'\namount ' || amount_cents, 5, decided_at, id::text
  from ledger_corrections where transactionid is not null
  union all
  select 'freeze/v1', e'\nscope books\nstate on', 6, frozen_at, '' from ledger_freeze where frozen_at is not null
  union all
  select 'freeze/v1', e'\nscope investor\nstate on', 7, frozen_at, user_id::text from withdrawal_freezes
)
insert into log_entries (kind, entry, written_at)
select kind, kind || time || lines || e'\n', now() from entries, told order by first, second, third;
