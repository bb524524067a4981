-- What has an end, and how soon large tables are tidied. docs/operations.md, What is pruned, has every table.

-- Whoever signs up and never proves the address has an end, too, unless anything hangs on the account. The server gets no
-- right to delete people: this is the one door, and behind it the table itself looks once more, whoever comes through.
create function refuse_forgetting() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.verified_at is not null or old.signed_in_before or old.created_at > now() - interval '7 days'
    or exists (select from ledger_accounts a where a.kind in ('wallet', 'invested', 'withdrawing') and a.owner_id = old.id)
    or exists (select from investments i where i.user_id = old.id) then
    raise exception 'users is append-only' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
drop trigger users_kept on users;
create trigger users_kept before truncate on users
  for each statement execute function refuse_change();
-- In the function below its owner acts for somebody else; the owner's own statements are refused as ever.
create trigger users_kept_by_owner before delete on users
  for each statement when (current_user = session_user) execute function refuse_change();
create trigger users_kept_once_known before delete on users
  for each row execute function refuse_forgetting();
-- Whoever has got hold of the server cannot make people look unproven to have them forgotten.
create trigger users_stay_known before update of verified_at, signed_in_before, created_at on users
  for each row when ((old.verified_at is not null and new.verified_at is null)
    or (old.signed_in_before and not new.signed_in_before) or new.created_at < old.created_at)
  execute function refuse_change();
create function forget_unproven_users(at_most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  gone integer;
begin
  delete from public.users where id in (
    select u.id from public.users u
    where u.verified_at is null and not u.signed_in_before and u.created_at < now() - interval '7 days'
      and not exists (select from public.ledger_accounts a
        where a.kind in ('wallet', 'invested', 'withdrawing') and a.owner_id = u.id)
      and not exists (select from public.investments i where i.user_id = u.id)
      and not exists (select from public.codes c where c.user_id = u.id)
      and not exists (select from public.reset_flows r where r.user_id = u.id)
      and not exists (select from public.sessions s where s.user_id = u.id)
      and not exists (select from public.devices d where d.user_id = u.id)
      and not exists (select from public.funding_requests f where f.user_id = u.id)
      and not exists (select from public.withdrawals w where w.user_id = u.id)
      and not exists (select from public.withdrawal_freezes z where z.user_id = u.id)
      and not exists (select from public.ledger_corrections k where k.user_id = u.id)
      and not exists (select from public.network_addresses n where n.owner_id = u.id)
    order by u.created_at limit at_most
    -- One that is being proved at this moment is left for another day.
    for update skip locked)
    and verified_at is null;
  get diagnostics gone = row_count;
  return gone;
end $$;
revoke all on function forget_unproven_users from public;
grant execute on function forget_unproven_users to tallystick_app;
-- Whether anything hangs on an account is looked up in each of these.
create index users_unproven on users (created_at) where verified_at is null;
create index reset_flows_of_user on reset_flows (user_id);
create index ledger_corrections_of_user on ledger_corrections (user_id);
drop index sessions_of_user;
create index sessions_of_user on sessions (user_id);

-- Checks of the books that found nothing, and messages to support: young ones are kept, whoever asks, and a check that
-- found something is kept for good.
create trigger ledger_checks_kept before delete on ledger_checks
  for each row when (old.findings <> '[]' or old.at > now() - interval '90 days') execute function refuse_change();
create trigger contact_messages_kept before delete on contact_messages
  for each row when (old.received_at > now() - interval '365 days') execute function refuse_change();
create trigger ledger_checks_not_emptied before truncate on ledger_checks
  for each statement execute function refuse_change();
create trigger contact_messages_not_emptied before truncate on contact_messages
  for each statement execute function refuse_change();
grant delete on ledger_checks, contact_messages to tallystick_app;

-- Autovacuum waits until a fifth of a table is dead. Of those that change all the time, or lose a little every hour, that is
-- late once they are large. Their rows need no room beside them: measured, 99 of 100 changes find it on their page.
alter table ledger_accounts set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table sessions set (autovacuum_vacuum_scale_factor = 0.02);
alter table throttles set (autovacuum_vacuum_scale_factor = 0.02);

-- In what only grows nothing dies. Without this a fifth of it is inserted before its pages are marked as visible to all
-- and its statistics are made anew, and one day much of it has to be frozen at once.
alter table ledger_entries set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table ledger_movements set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table ledger_commands set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table audit_log set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table proof_shares set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
