-- What bears a label is looked for among the numbers of an account: of the first 256 entries by reading them, beyond
-- them by an index, which only long accounts pay for.
drop index ledger_entries_by_label;
create index ledger_entries_by_label on ledger_entries (account_id, label, seq desc) where seq > 256;

-- Narrower: what was opened in one moment is put in order when it is read.
drop index investments_of_user;
create index investments_of_user on investments (user_id, opened_at);

-- Many invest in few plans: each is looked up once.
create or replace function investments_refuse_unknown() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from fresh where (select u.id from users u where u.id = fresh.user_id) is null)
    or exists (select from (select distinct plan_id from fresh) as named
      where (select p.id from plans p where p.id = named.plan_id) is null) then
    raise exception 'an investor or a plan is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
