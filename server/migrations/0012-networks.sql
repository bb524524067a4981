-- Which networks there are is said once, in contract/networks.ts, and looked up there by whoever adds a way out. A second
-- list here would make a migration of every further coin; what a network's id looks like stays checked.
alter table withdrawal_methods
  drop constraint withdrawal_methods_network_check,
  add constraint withdrawal_methods_network_check check (network ~ '^[a-z][a-z0-9-]*$');
