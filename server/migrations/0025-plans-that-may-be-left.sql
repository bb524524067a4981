-- fits servers from 0023 on
-- Plans that may be left before their end, and plans whose payout may be invested again.

-- A plan of a server that does not know these columns has neither. From which day on, of those that are over; which part
-- of the profit so far stays, and which part of the amount is the fee, in hundredths of a percent as roi_points.
alter table plans
  add column reinvestable boolean not null default false,
  add column exit_from_day integer,
  add column exit_keeps_points integer check (exit_keeps_points between 0 and 10000),
  add column exit_fee_points integer check (exit_fee_points between 0 and 10000),
  add constraint plans_exit_day check (exit_from_day between 1 and duration_days - 1),
  add constraint plans_exit_whole check (num_nulls(exit_from_day, exit_keeps_points, exit_fee_points) in (0, 3));
alter table plan_proposals
  add column reinvestable boolean not null default false,
  add column exit_from_day integer,
  add column exit_keeps_points integer check (exit_keeps_points between 0 and 10000),
  add column exit_fee_points integer check (exit_fee_points between 0 and 10000),
  add constraint plan_proposals_exit_day check (exit_from_day between 1 and duration_days - 1),
  add constraint plan_proposals_exit_whole
    check (num_nulls(exit_from_day, exit_keeps_points, exit_fee_points) in (0, 3));
grant insert (reinvestable, exit_from_day, exit_keeps_points, exit_fee_points) on plan_proposals to tallystick_app;

-- An investment names its version of a plan, and that never says anything else: so its terms are frozen for whoever owns
-- the database, too. Only whether it is offered, and at which place, may change.
create trigger plans_keep_terms before update of line_id, version, planname, from_cents, to_cents, duration_days, roi_points,
  reinvestable, exit_from_day, exit_keeps_points, exit_fee_points, created_at on plans
  for each statement execute function refuse_change();

-- What two operators agreed to is all that a plan says.
create or replace function refuse_plan_beyond_bounds() returns trigger
language plpgsql set search_path = public, pg_temp as $$
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
      and p.reinvestable = new.reinvestable
      and (p.exit_from_day, p.exit_keeps_points, p.exit_fee_points)
        is not distinct from (new.exit_from_day, new.exit_keeps_points, new.exit_fee_points)
  ) then return new; end if;
  raise exception 'this plan is beyond the bounds and no two operators agreed to it' using errcode = 'check_violation';
end $$;

-- Investments that were left early: a table of its own, so that those who stay cost nothing more.
create table investment_exits (
  investment_id uuid primary key,
  user_id uuid not null,
  -- Those that were over.
  days integer not null,
  -- What stayed of the profit so far.
  profit_cents bigint not null check (profit_cents >= 0),
  fee_cents bigint not null check (fee_cents >= 0),
  paid_cents bigint not null check (paid_cents >= 0),
  exited_at timestamptz not null
);
create index investment_exits_of_user on investment_exits (user_id);
create trigger investment_exits_append_only before update or delete or truncate on investment_exits
  for each statement execute function refuse_change();
grant select, insert on investment_exits to tallystick_app;

-- Whatever the program says: only where the plan offers it, from its day on and before the end, and for what the terms allow.
create function refuse_exit_beyond_terms() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (
    select from investments i join plans p on p.id = i.plan_id
    where i.id = new.investment_id and i.user_id = new.user_id
      and new.days between p.exit_from_day and p.duration_days - 1
      and new.days = floor(extract(epoch from new.exited_at - i.opened_at) / 86400)
      and new.paid_cents = i.amount_cents + new.profit_cents - new.fee_cents
      and abs(new.profit_cents * 10000 - i.profit_cents * new.days / p.duration_days * p.exit_keeps_points) <= 5000
      and abs(new.fee_cents * 10000 - i.amount_cents * p.exit_fee_points) <= 5000
  ) then return new; end if;
  raise exception 'this investment cannot be left on these terms' using errcode = 'check_violation';
end $$;
create trigger investment_exits_on_terms before insert on investment_exits
  for each row execute function refuse_exit_beyond_terms();
