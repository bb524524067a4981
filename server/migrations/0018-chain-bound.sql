-- What a chain shows has a bound of its own: up to it a payment is credited by itself, above it an operator agrees.
alter table bounds add column chain_threshold_cents bigint check (chain_threshold_cents > 0);

-- A threshold that somebody chose goes on to count for the chains, too; the one that all begin with does not.
alter table bounds disable trigger bounds_stay_decided;
update bounds set chain_threshold_cents = case when threshold_cents = 500000 then 1000000 else threshold_cents end;
alter table bounds enable trigger bounds_stay_decided;
alter table bounds alter column chain_threshold_cents set not null;

grant insert (chain_threshold_cents) on bounds to tallystick_app;
