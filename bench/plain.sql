-- The same movement as `makeInvestment`, one command per transaction: claim the key, lock the plan and the accounts,
-- write the movement, its entries with their chained hashes, the balances, the investment and the answer. One call of
-- one function, so that the database, and not the way to it, is what is measured.
create schema bench;
grant usage on schema bench to tallystick_app;

create function bench.chained(account ledger_accounts, transactionid text, moment timestamptz, amount bigint)
returns bytea language sql immutable as $$
  select sha256(convert_to(concat_ws(E'\n', encode(account.head, 'hex'), 'tallystick entry 1', account.id,
    account.entry_count + 1, to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), transactionid,
    'Investment', amount, account.balance_cents + amount), 'UTF8'))
$$;

create function bench.invest(investor uuid, wanted_plan uuid, amount bigint, command text)
returns text language plpgsql as $$
declare
  plan plans;
  wallet ledger_accounts;
  invested ledger_accounts;
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  movement uuid := gen_random_uuid();
  investment uuid := gen_random_uuid();
  name text := 'TS-' || upper(substr(replace(movement::text, '-', ''), 1, 16));
  wallet_hash bytea;
  invested_hash bytea;
  profit bigint;
begin
  insert into ledger_commands (scope, key, body_sha256, at)
  values (investor, command, sha256(convert_to(wanted_plan || ' ' || amount, 'UTF8')), moment)
  on conflict do nothing;
  if not found then return 'seen before'; end if;
  select * into plan from plans where id = wanted_plan and active for share;
  if not found or amount not between plan.from_cents and plan.to_cents then return 'outside the range'; end if;
  select * into wallet from ledger_accounts where kind = 'wallet' and owner_id = investor for update;
  select * into invested from ledger_accounts where kind = 'invested' and owner_id = investor for update;
  if wallet.balance_cents < amount then return 'short'; end if;

  moment := greatest(moment, wallet.last_entry_at, invested.last_entry_at);
  wallet_hash := bench.chained(wallet, name, moment, -amount);
  invested_hash := bench.chained(invested, name, moment, amount);
  profit := round(amount * plan.roi_points / 10000.0);
  insert into ledger_movements (id, transactionid, kind, at, reference)
  values (movement, name, 'investment', moment, investment);
  insert into ledger_entries (account_id, seq, movement_id, at, label, amount_cents, balance_before_cents,
    balance_after_cents, hash)
  values
    (wallet.id, wallet.entry_count + 1, movement, moment, 'Investment', -amount, wallet.balance_cents,
      wallet.balance_cents - amount, wallet_hash),
    (invested.id, invested.entry_count + 1, movement, moment, 'Investment', amount, invested.balance_cents,
      invested.balance_cents + amount, invested_hash);
  update ledger_accounts a set balance_cents = balance_cents + s.amount, entry_count = entry_count + 1, head = s.head,
    last_entry_at = moment
  from (values (wallet.id, -amount, wallet_hash), (invested.id, amount, invested_hash)) as s (id, amount, head)
  where a.id = s.id;
  insert into investments (id, user_id, plan_id, transactionid, planname, amount_cents, profit_cents, duration_days,
    roi_points, opened_at, matures_at)
  values (investment, investor, plan.id, name, plan.planname, amount, profit, plan.duration_days,
    plan.roi_points, moment, moment + plan.duration_days * interval '24 hours');
  update ledger_commands set answer = jsonb_build_object('row', jsonb_build_object('id', investment, 'transactionid',
    name, 'planname', plan.planname, 'amountCents', amount, 'profitCents', profit, 'openedAt', moment))
  where scope = investor::text and key = command;
  return name;
end $$;

-- Everyone has both accounts before the clock starts, so that no way of investing has to make them.
insert into ledger_accounts (kind, owner_id) select 'invested', id from users on conflict do nothing;

-- For pgbench, which knows numbers only: the n-th investor and the plan.
create table bench.investors as select row_number() over (order by id)::int as n, id from users;
alter table bench.investors add primary key (n);
analyze;
