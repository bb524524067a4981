-- The rows of one investment, written without the server: what the ledger's batches are compared with, and what fills a
-- database fast. Whoever changes the tables of the hot path changes this file and nothing else of the bench.
create schema bench;

-- For pgbench, which knows numbers only: the n-th investor, whose address begins with the number.
create table bench.investors as select split_part(email, '@', 1)::int as n, id from users;
alter table bench.investors add primary key (n);

-- Everyone has both accounts before the clock starts, so that no way of investing has to make them.
insert into ledger_accounts (kind, owner_id) select 'invested', id from users on conflict do nothing;

create function bench.chained(previous bytea, account uuid, seq bigint, moment timestamptz, name text, amount bigint,
  balance bigint)
-- Not called immutable, which a date's text is not: only so is it put in its place instead of being called.
returns bytea language sql stable as $$
  select sha256(convert_to(concat_ws(E'\n', encode(previous, 'hex'), 'tallystick entry 1', account, seq,
    to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), name, 'Investment', amount, balance), 'UTF8'))
$$;

-- What `makeInvestment` does, one command per transaction: lock the plan and the accounts, write the movement,
-- which bears the key, its entries with their chained hashes, the balances and the investment. One call of one function, so that
-- the database, and not the way to it, is what is measured.
create function bench.invest(investor uuid, wanted_plan uuid, amount bigint)
returns text language plpgsql as $$
declare
  plan plans;
  wallet ledger_accounts;
  invested ledger_accounts;
  moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  -- Made of the key by the server: here another that is spread as these are.
  movement uuid := gen_random_uuid();
  investment uuid := gen_random_uuid();
  name text := 'TS-' || upper(substr(replace(movement::text, '-', ''), 1, 16));
  wallet_hash bytea;
  invested_hash bytea;
  profit bigint;
begin
  select * into plan from plans where id = wanted_plan and active for share;
  if not found or amount not between plan.from_cents and plan.to_cents then raise 'outside the range'; end if;
  select * into wallet from ledger_accounts where kind = 'wallet' and owner_id = investor for update;
  select * into invested from ledger_accounts where kind = 'invested' and owner_id = investor for update;
  if wallet.balance_cents < amount then raise 'short'; end if;

  moment := greatest(moment, wallet.last_entry_at, invested.last_entry_at);
  wallet_hash := bench.chained(wallet.head, wallet.id, wallet.entry_count + 1, moment, name, -amount,
    wallet.balance_cents - amount);
  invested_hash := bench.chained(invested.head, invested.id, invested.entry_count + 1, moment, name, amount,
    invested.balance_cents + amount);
  profit := round(amount * plan.roi_points / 10000.0);
  insert into ledger_movements (id, transactionid, kind, at, body_sha256)
  values (movement, name, 'investment', moment, sha256(convert_to(wanted_plan || ' ' || amount, 'UTF8')));
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
  return name;
end $$;

-- The same rows many times over: each of the investors `first` to `last` invests `times` times. The chains are true.
-- Says how many investments it made.
create function bench.fill(first integer, last integer, times integer, wanted_plan uuid, amount bigint)
returns bigint language plpgsql as $$
declare
  moment timestamptz;
  plan plans;
  made bigint;
begin
  select * into strict plan from plans where id = wanted_plan;
  create temporary table one on commit drop as
  select i.id as investor, w.id as wallet, w.head as wallet_head, w.entry_count as wallet_seq,
    w.balance_cents as wallet_cents, v.id as invested, v.head as invested_head, v.entry_count as invested_seq,
    v.balance_cents as invested_cents
  from bench.investors i
  join ledger_accounts w on w.kind = 'wallet' and w.owner_id = i.id
  join ledger_accounts v on v.kind = 'invested' and v.owner_id = i.id
  where i.n between first and last
  for update of w, v;
  moment := date_trunc('milliseconds', clock_timestamp());

  create temporary table filled on commit drop as
  with recursive chain as (
    select one.*, 0 as step, null::uuid as movement, null::text as name from one
    union all
    select c.investor, wallet, bench.chained(c.wallet_head, wallet, c.wallet_seq + 1, moment, m.name, -amount,
        c.wallet_cents - amount),
      c.wallet_seq + 1, c.wallet_cents - amount,
      invested, bench.chained(c.invested_head, invested, c.invested_seq + 1, moment, m.name, amount,
        c.invested_cents + amount),
      c.invested_seq + 1, c.invested_cents + amount, step + 1, m.id, m.name
    from chain c
    cross join lateral md5(c.investor || ' ' || c.wallet_seq) as random
    cross join lateral (select random::uuid as id, 'TS-' || upper(substr(random, 1, 16)) as name) as m
    where step < times
  )
  select * from chain where step > 0;

  insert into ledger_movements (id, transactionid, kind, at, body_sha256)
  select movement, name, 'investment', moment, sha256(convert_to(name, 'UTF8')) from filled order by 1;
  insert into ledger_entries (account_id, seq, movement_id, at, label, amount_cents, balance_before_cents,
    balance_after_cents, hash)
  select wallet, wallet_seq, movement, moment, 'Investment', -amount, wallet_cents + amount, wallet_cents, wallet_head
  from filled
  union all
  select invested, invested_seq, movement, moment, 'Investment', amount, invested_cents - amount, invested_cents,
    invested_head
  from filled order by 1, 2;
  update ledger_accounts a set balance_cents = s.cents, entry_count = s.seq, head = s.head, last_entry_at = moment
  from (
    select wallet as id, wallet_cents as cents, wallet_seq as seq, wallet_head as head from filled where step = times
    union all
    select invested, invested_cents, invested_seq, invested_head from filled where step = times) as s
  where a.id = s.id;
  insert into investments (id, user_id, plan_id, transactionid, planname, amount_cents, profit_cents, duration_days,
    roi_points, opened_at, matures_at)
  select movement, investor, plan.id, name, plan.planname, amount, round(amount * plan.roi_points / 10000.0),
    plan.duration_days, plan.roi_points, moment, moment + plan.duration_days * interval '24 hours'
  from filled order by 1;
  get diagnostics made = row_count;
  drop table one, filled;
  return made;
end $$;

-- Lets so many of the open investments mature now, those of the investors in turn; says how many.
create function bench.mature(wanted integer) returns bigint language plpgsql as $$
declare
  matured bigint;
begin
  update investments set matures_at = opened_at where id in (
    select id from investments where settled_at is null and matures_at > now() limit wanted);
  get diagnostics matured = row_count;
  return matured;
end $$;

analyze;
