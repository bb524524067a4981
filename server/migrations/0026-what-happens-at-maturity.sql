-- fits servers from 0023 on
-- What an investor wants to happen when an investment matures. Without a row it is paid to the wallet, as ever.

-- Reinvesting happens only on what was told: the version of the plan, the amount and its profit, by letter or on the screen. A
-- server that does not know this table pays what is due to the wallet, and leaves the row without an outcome.
create table maturity_choices (
  investment_id uuid primary key,
  user_id uuid not null,
  choice text not null check (choice in ('principal', 'everything')),
  chosen_at timestamptz not null,
  -- When the investment matures, which never changes.
  matures_at timestamptz not null,
  told_at timestamptz,
  told_by text check (told_by in ('letter', 'screen')),
  -- All three, or, where nothing was offered when it was told, why not.
  told_plan_id uuid,
  told_amount_cents bigint check (told_amount_cents > 0),
  told_profit_cents bigint check (told_profit_cents >= 0),
  told_reason text check (told_reason in ('plan_off', 'outside_range')),
  outcome text check (outcome in ('reinvested', 'paid')),
  reason text check (reason in ('plan_off', 'outside_range', 'not_told')),
  reinvested_id uuid unique,
  check ((told_at is null) = (told_by is null)),
  check (num_nulls(told_plan_id, told_amount_cents, told_profit_cents) in (0, 3)),
  check (num_nonnulls(told_plan_id, told_reason) = (told_at is not null)::int),
  check ((outcome is not distinct from 'reinvested') = (reinvested_id is not null)),
  check ((outcome is not distinct from 'paid') = (reason is not null))
);
-- What is still to be told of is found by when it matures.
create index maturity_choices_untold on maturity_choices (matures_at) where told_at is null and outcome is null;
create index maturity_choices_of_user on maturity_choices (user_id);

-- Only where the version of the plan that was invested in offers it, and before anything came of it.
create function refuse_choice_beyond_terms() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if new.outcome is null and exists (
    select from investments i join plans p on p.id = i.plan_id
    where i.id = new.investment_id and i.user_id = new.user_id and i.matures_at = new.matures_at
      and i.settled_at is null and p.reinvestable
  ) then return new; end if;
  raise exception 'this investment has no such choice' using errcode = 'check_violation';
end $$;
create trigger maturity_choices_on_terms before insert on maturity_choices
  for each row execute function refuse_choice_beyond_terms();

-- Whatever the program says: what was made of it is what was told, and belongs to the same person.
create function refuse_untold_reinvestment() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (
    select from investments i join investments o on o.id = new.investment_id
    where i.id = new.reinvested_id and i.user_id = new.user_id and i.plan_id = new.told_plan_id
      and i.amount_cents = new.told_amount_cents and i.profit_cents = new.told_profit_cents
      and i.opened_at = o.settled_at
      and i.amount_cents = o.amount_cents + case new.choice when 'everything' then o.profit_cents else 0 end
  ) then return new; end if;
  raise exception 'this was not told' using errcode = 'check_violation';
end $$;
create trigger maturity_choices_as_told before update on maturity_choices
  for each row when (old.outcome is null and new.outcome = 'reinvested') execute function refuse_untold_reinvestment();

create trigger maturity_choices_keep_owner before update of investment_id, user_id, matures_at on maturity_choices
  for each statement execute function refuse_change();
create trigger maturity_choices_stay_settled before update or delete on maturity_choices
  for each row when (old.outcome is not null) execute function refuse_reopening();
create trigger maturity_choices_kept before truncate on maturity_choices
  for each statement execute function refuse_change();

grant select, insert, delete on maturity_choices to tallystick_app;
grant update (choice, chosen_at, told_at, told_by, told_plan_id, told_amount_cents, told_profit_cents, told_reason, outcome,
  reason, reinvested_id) on maturity_choices to tallystick_app;
