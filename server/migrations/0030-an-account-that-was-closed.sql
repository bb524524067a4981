-- fits servers from 0023 on
-- An account that its owner has closed. Its row stays, because the ledger, the log and the proofs name it by its id; what
-- says who that was goes: the name at once, the address when it was promised.

alter table users
  add column closed_at timestamptz,
  -- Until when the address is kept, and nobody can sign up with it.
  add column forget_email_at timestamptz,
  add column email_forgotten_at timestamptz,
  -- The address as the statements of the books have hashed it, for an auditor alone: sealed as their keys are.
  add column email_sealed text,
  add constraint users_forget_closed_alone
    check (closed_at is not null or num_nonnulls(forget_email_at, email_forgotten_at, email_sealed) = 0) not valid;

-- Whatever path a server takes, and however old it is: nobody signs in to a closed account, and none is opened again.
create function refuse_session_of_closed() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select from users u where u.id = new.user_id and u.closed_at is not null) then
    raise exception 'this account was closed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger sessions_of_open_accounts before insert on sessions
  for each row execute function refuse_session_of_closed();
create trigger users_stay_closed before update of closed_at, password_hash on users
  for each row when (old.closed_at is not null
    and (new.closed_at is distinct from old.closed_at or new.password_hash <> old.password_hash))
  execute function refuse_change();
