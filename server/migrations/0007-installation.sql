-- What this database is for. Written once, at the first start, by the owner alone: a demo, whose passwords are
-- published, must never be started on a production's people, nor a production on a demo's.
create table installation (
  only_one boolean primary key default true check (only_one),
  mode text not null check (mode in ('demo', 'production')),
  marked_at timestamptz not null default now()
);
create trigger installation_stays before update or delete or truncate on installation
  for each statement execute function refuse_change();
