-- The letters of many investors are queued with one batch of their money: one call for all of them, instead of one each.
create function queue_jobs(tasks text[], payloads json[], max_attempts integer[], run_ats timestamptz[],
  priorities integer[])
returns void language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform graphile_worker.add_jobs(array(
    select row(task, payload, null, run_at, attempts, null, priority, null)::graphile_worker.job_spec
    from unnest(tasks, payloads, max_attempts, run_ats, priorities) as job (task, payload, attempts, run_at, priority)));
end $$;
revoke all on function queue_jobs from public;
grant execute on function queue_jobs to tallystick_app;
drop function queue_job;
