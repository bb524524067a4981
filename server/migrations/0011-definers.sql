-- These two act as the owner for whoever calls them. A path that does not name the caller's temporary schema begins with
-- it: a type of the caller's making would be taken for json or text, and the caller's code would run as the owner.
alter function queue_jobs set search_path = pg_catalog, pg_temp;
alter function oldest_due_job_seconds set search_path = pg_catalog, pg_temp;

-- What these look into decides whether something was agreed to by two: no table of the caller's stands in for it.
alter function refuse_plan_beyond_bounds set search_path = public, pg_temp;
alter function refuse_unagreed_address set search_path = public, pg_temp;
