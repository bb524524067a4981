-- fits servers from 0023 on
-- What several servers share.

-- Requests of a minute, by address, of addresses that ask much: each server tells its own count and reads the others'.
-- Nothing is lost with it that would matter a minute later, so it is not worth a write-ahead log.
create unlogged table request_counts (
  address text not null,
  server uuid not null,
  hits integer not null,
  -- Its minute began with its first request there.
  ends_at timestamptz not null,
  primary key (address, server)
);
grant select, insert, update, delete on request_counts to tallystick_app;

-- The newest checkpoint as it is signed now, where it was signed under another name or with another key: for the servers
-- that show the log and do not write it.
create table log_anew (
  only_row boolean primary key default true check (only_row),
  size bigint not null,
  note text not null
);
grant select, insert, update, delete on log_anew to tallystick_app;

-- Servers that found a log that is not the one they have signed: as long as one says so, none signs.
create table log_stops (
  server uuid primary key,
  reason text not null,
  told_at timestamptz not null default now()
);
grant select, insert, update, delete on log_stops to tallystick_app;

-- How much of the log was shown, by whichever server: whoever has seen it would take a smaller log for one that was cut.
create table log_shown (
  only_row boolean primary key default true check (only_row),
  size bigint not null
);
insert into log_shown (size) values (0);
grant select, update on log_shown to tallystick_app;
