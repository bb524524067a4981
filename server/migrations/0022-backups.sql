-- Which backups were made, so that the server can say by itself how old the newest is. Whoever makes one writes it here
-- when it is whole, as the owner; the server may only read it.
create table backups (
  id bigint generated always as identity primary key,
  -- The files of the cluster, a dump, or what another program has made and was told of.
  kind text not null check (kind in ('base', 'dump', 'other')),
  -- What was committed before is in it.
  as_of timestamptz not null,
  noted_at timestamptz not null default now()
);
create index backups_by_age on backups (as_of);
grant select on backups to tallystick_app;
