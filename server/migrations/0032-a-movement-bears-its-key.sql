-- fits servers from 0031 on
-- An investment, a withdrawal and an early exit leave no row of their key alone: the movement bears the hash of what was asked for, and its id is
-- made of the key, so that the index of the ids is the one that lets a key be used once.

-- The same as `movementIdOf` in server/modules/ledger/verb/key-rules.ts.
create function ledger_movement_id(scope text, key text) returns uuid language sql immutable parallel safe
return overlay(overlay(left(encode(sha256(convert_to(scope || e'\n' || key, 'UTF8')), 'hex'), 32)
  placing '8' from 13) placing 'a' from 17)::uuid;
revoke all on function ledger_movement_id from public;
grant execute on function ledger_movement_id to tallystick_app;

-- A key is used in one place. Servers of before look for it in these tables alone. Where they come with one that a movement
-- bears they are told that the row is locked: they let the client come back later, and a newer server knows the answer.
create function ledger_refuse_borne_key() returns trigger language plpgsql
set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  if exists (select from fresh
    where (select m.id from ledger_movements m where m.id = ledger_movement_id(fresh.scope, fresh.key)) is not null) then
    raise exception 'a movement bears this key'
      using errcode = 'lock_not_available', constraint = 'ledger_key_not_borne';
  end if;
  return null;
end $$;
-- The tables in the order in which a batch writes them.
create trigger ledger_refusals_not_borne after insert on ledger_refusals
  referencing new table as fresh for each statement execute function ledger_refuse_borne_key();
create trigger ledger_refusals_renewed_not_borne after update on ledger_refusals
  referencing new table as fresh for each statement execute function ledger_refuse_borne_key();
alter table ledger_movements add column body_sha256 bytea;
grant insert (body_sha256) on ledger_movements to tallystick_app;
create trigger ledger_commands_not_borne after insert on ledger_commands
  referencing new table as fresh for each statement execute function ledger_refuse_borne_key();
