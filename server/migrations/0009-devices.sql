-- A browser that signed in: it keeps a random secret in a cookie, we keep its SHA-256. One browser that two people
-- use has one secret and a row for each. Whoever is known by it is not held up by strangers' wrong passwords.
create table devices (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users,
  operator_id uuid references operators,
  secret_hash bytea not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  check (num_nonnulls(user_id, operator_id) = 1)
);
create unique index devices_of_user on devices (user_id, secret_hash) where user_id is not null;
create unique index devices_of_operator on devices (operator_id, secret_hash) where operator_id is not null;
create index devices_by_secret on devices (secret_hash);

-- A device is forgotten long after its sessions have ended, or at once when its owner says so.
alter table sessions add column device_id uuid references devices on delete set null;
create index sessions_of_device on sessions (device_id) where device_id is not null;

alter table users
  -- The very first sign-in is no news to the owner. Whoever proved an address before this was kept counts as one who did.
  add column signed_in_before boolean not null default false,
  -- Set by a password reset: until then money goes only to addresses that the investor was paid to before.
  add column new_addresses_after timestamptz,
  -- Empty when the owner of the address took over an account that someone else had signed up for: it is asked for anew.
  drop constraint users_fullname_check;
update users set signed_in_before = true where verified_at is not null;

grant select, insert, delete on devices to tallystick_app;
grant update (last_seen_at) on devices to tallystick_app;
