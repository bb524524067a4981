-- What one operator may do alone. The newest version that two have agreed to counts; there always is one.
create table bounds (
  id uuid primary key default gen_random_uuid(),
  -- Drawn when it is agreed to: the highest counts, whatever the servers' clocks say.
  decided_number bigint unique,
  -- Deposits and payouts above it, alone or summed over a day, need two operators.
  threshold_cents bigint not null check (threshold_cents > 0),
  -- Hundredths of a percent for each day of the term.
  plan_points_per_day_max integer not null check (plan_points_per_day_max between 0 and 100000),
  plan_days_min integer not null check (plan_days_min >= 1),
  plan_days_max integer not null check (plan_days_max <= 3650),
  plan_cents_max bigint not null check (plan_cents_max > 0),
  asked_by text not null,
  asked_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  agreed boolean,
  check (plan_days_min <= plan_days_max),
  check ((decided_by is null) = (decided_at is null)),
  check ((decided_at is null) = (agreed is null)),
  check ((agreed is true) = (decided_number is not null)),
  check (agreed is not true or decided_by <> asked_by)
);
create sequence bounds_decisions owned by bounds.decided_number;
create unique index bounds_one_waiting on bounds ((true)) where decided_at is null;
create trigger bounds_stay_decided before update on bounds
  for each row when (old.decided_at is not null) execute function refuse_reopening();
create trigger bounds_kept before delete or truncate on bounds
  for each statement execute function refuse_change();

-- The threshold that counted until now goes on to count; what else is bounded begins with its default.
insert into bounds (decided_number, threshold_cents, plan_points_per_day_max, plan_days_min, plan_days_max,
  plan_cents_max, asked_by, asked_at, decided_by, decided_at, agreed)
values (nextval('bounds_decisions'),
  coalesce((select amount_cents from withdrawal_thresholds where agreed order by decided_number desc limit 1), 500000),
  50, 7, 365, 10000000, 'installation', now(), 'migration', now(), true);
drop table withdrawal_thresholds;

-- One spelling for one payment: the network is the method's own, the id has the form that its network gives it.
alter table funding_requests disable trigger funding_requests_stay_decided;
alter table withdrawals disable trigger withdrawals_stay_ended;

update funding_requests f set network = known.network
from payment_methods m
join (values ('bitcoin', 'bitcoin'), ('ethereum', 'ethereum'), ('binancecoin', 'bnb'), ('ripple', 'xrp'))
  as known (coin, network) on known.coin = m.coin
where m.id = f.method_id and f.network is not null;

create function pg_temp.spelled(network text, txid text) returns text language sql as $$
  select case
    when digits !~ '^[0-9a-f]{64}$' then null
    when network = 'bitcoin' then digits
    when network in ('ethereum', 'bnb') then '0x' || digits
    when network = 'xrp' then upper(digits)
  end
  from regexp_replace(regexp_replace(lower(txid), '[^0-9a-z]', '', 'g'), '^(0x)+', '') as digits
$$;

-- Where one payment was entered in several spellings, one of them becomes the right one: that is enough to find it.
with named as (
  select id, chain_txid, pg_temp.spelled(network, chain_txid) as txid, chain_output, decided_at
  from funding_requests where chain_txid is not null
), placed as (
  select *, row_number() over (partition by txid, coalesce(chain_output, -1)
    order by (chain_txid = txid) desc, decided_at, id) as place
  from named where txid is not null
)
update funding_requests f set chain_txid = p.txid from placed p
where p.id = f.id and p.place = 1 and f.chain_txid <> p.txid;

alter table withdrawals
  -- Which output of a Bitcoin transaction it is, where one transaction pays several.
  add column chain_output integer check (chain_output >= 0),
  -- Paid, before that was refused, under an id that an earlier one has as well.
  add column shares_payment boolean not null default false,
  -- Why one operator is not enough, as it was when the first approved.
  add column second_because text;

update withdrawals set chain_txid = pg_temp.spelled(network, chain_txid)
where chain_txid is not null and pg_temp.spelled(network, chain_txid) is not null;
update withdrawals w set shares_payment = true
where exists (select from withdrawals e where e.chain_txid = w.chain_txid and e.network = w.network
  and (e.ended_at, e.id) < (w.ended_at, w.id));

drop function pg_temp.spelled;
alter table funding_requests enable trigger funding_requests_stay_decided;
alter table withdrawals enable trigger withdrawals_stay_ended;

create unique index withdrawals_paid_once on withdrawals (network, chain_txid, coalesce(chain_output, -1))
  where chain_txid is not null and not shares_payment;

-- The first of two confirmations of a deposit: the figures are as the first entered them, nothing is credited yet.
alter table funding_requests
  add column first_confirmed_by text,
  add column first_confirmed_at timestamptz,
  add column second_because text,
  drop constraint funding_requests_check1,
  add constraint funding_requests_received check ((received_cents is not null)
    = (status = 'confirmed' or (status = 'pending' and first_confirmed_by is not null))),
  add check ((first_confirmed_by is null) = (first_confirmed_at is null)),
  add check ((first_confirmed_by is null) = (second_because is null)),
  add check (status <> 'rejected' or first_confirmed_by is null),
  add constraint funding_two_operators check (status <> 'confirmed' or first_confirmed_by is null
    or decided_by is distinct from first_confirmed_by);
-- What was credited before this rule stays as it is.
alter table funding_requests add constraint funding_more_than_asked check (status <> 'confirmed'
  or received_cents <= amount_cents or first_confirmed_by is not null) not valid;

-- The second agrees to what the first entered, and to nothing else.
create function refuse_other_figures() returns trigger language plpgsql as $$
begin
  raise exception 'this is not what the first operator confirmed' using errcode = 'check_violation';
end $$;
create trigger funding_requests_same_figures before update on funding_requests
  for each row when (new.status = 'confirmed' and (old.first_confirmed_by is distinct from new.first_confirmed_by
    or old.first_confirmed_by is not null and (old.received_cents, old.network, old.chain_txid, old.chain_output)
      is distinct from (new.received_cents, new.network, new.chain_txid, new.chain_output)))
  execute function refuse_other_figures();

-- Plans and versions beyond the bounds: they become plans when a second operator agrees.
create table plan_proposals (
  id uuid primary key default gen_random_uuid(),
  -- The version whose place it would take; null for a new plan.
  replaces uuid references plans,
  planname text not null check (planname <> ''),
  from_cents bigint not null check (from_cents > 0),
  to_cents bigint not null,
  duration_days integer not null check (duration_days between 1 and 3650),
  roi_points integer not null check (roi_points between 0 and 100000),
  asked_by text not null,
  asked_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  agreed boolean,
  -- What it became.
  plan_id uuid unique references plans deferrable initially deferred,
  check (from_cents <= to_cents),
  check ((decided_by is null) = (decided_at is null)),
  check ((decided_at is null) = (agreed is null)),
  check ((agreed is true) = (plan_id is not null)),
  check (agreed is not true or decided_by <> asked_by)
);
create unique index plan_proposals_one_of_plan on plan_proposals (replaces) where decided_at is null;
create unique index plan_proposals_one_of_name on plan_proposals (lower(planname)) where decided_at is null;
create trigger plan_proposals_stay_decided before update on plan_proposals
  for each row when (old.decided_at is not null) execute function refuse_reopening();
create trigger plan_proposals_kept before delete or truncate on plan_proposals
  for each statement execute function refuse_change();

-- Whatever the program says: a plan that comes onto the site is within the bounds, or two operators agreed to it.
create function refuse_plan_beyond_bounds() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.active then return new; end if;
  if exists (
    select from (select * from bounds where agreed order by decided_number desc limit 1) b
    where new.roi_points <= b.plan_points_per_day_max * new.duration_days
      and new.duration_days between b.plan_days_min and b.plan_days_max and new.to_cents <= b.plan_cents_max
  ) or exists (
    select from plan_proposals p where p.plan_id = new.id and p.agreed and p.planname = new.planname
      and p.from_cents = new.from_cents and p.to_cents = new.to_cents
      and p.duration_days = new.duration_days and p.roi_points = new.roi_points
  ) then return new; end if;
  raise exception 'this plan is beyond the bounds and no two operators agreed to it' using errcode = 'check_violation';
end $$;
create trigger plans_within_bounds before insert or update of active on plans
  for each row when (new.active) execute function refuse_plan_beyond_bounds();

-- The sums of a day: by investor, by destination, by operator.
create index funding_confirmed_of_user on funding_requests (user_id, decided_at) where status = 'confirmed';
create index funding_confirmed_alone on funding_requests (decided_by, decided_at)
  where status = 'confirmed' and first_confirmed_by is null;
create index withdrawals_approved_to on withdrawals (lower(address), approved_at) where approved_at is not null;
create index withdrawals_approved_alone on withdrawals (approved_by, approved_at)
  where approved_at is not null and first_approved_by is null;

grant select on bounds, plan_proposals to tallystick_app;
grant insert (threshold_cents, plan_points_per_day_max, plan_days_min, plan_days_max, plan_cents_max, asked_by, asked_at)
  on bounds to tallystick_app;
grant update (decided_by, decided_at, agreed, decided_number) on bounds to tallystick_app;
grant usage on sequence bounds_decisions to tallystick_app;
grant insert (replaces, planname, from_cents, to_cents, duration_days, roi_points, asked_by, asked_at)
  on plan_proposals to tallystick_app;
grant update (decided_by, decided_at, agreed, plan_id) on plan_proposals to tallystick_app;
grant update (first_confirmed_by, first_confirmed_at, second_because) on funding_requests to tallystick_app;
grant update (chain_output, second_because) on withdrawals to tallystick_app;
