-- Statements of the books: what was owed to every investor at a moment, as the leaves of a tree whose root the public
-- log tells. docs/trust.md has the format.
create table proof_statements (
  number bigint primary key check (number > 0),
  -- How things stood then.
  at timestamptz not null unique check (at = date_trunc('second', at)),
  -- By the database's clock, whatever a server's own says.
  made_at timestamptz not null default clock_timestamp(),
  -- Of the leaves' first line; it stays with the statement when the site moves to another address.
  origin text not null,
  depth integer not null check (depth between 10 and 30),
  root bytea not null check (octet_length(root) = 32),
  investors integer not null check (investors >= 0),
  wallet_cents bigint not null check (wallet_cents >= 0),
  invested_cents bigint not null check (invested_cents >= 0),
  profit_cents bigint not null check (profit_cents >= 0),
  withdrawing_cents bigint not null check (withdrawing_cents >= 0),
  held_cents bigint,
  typed_cents bigint,
  -- What every secret of the statement is made of, sealed by the server.
  sealed_key text not null,
  entry_id bigint not null unique references log_entries
);

-- Who is in a statement. The number says which secret is theirs and where their leaves are.
create table proof_shares (
  statement bigint not null,
  number integer not null check (number >= 0),
  user_id uuid not null
);

-- The tree, 256 nodes to a row: on level 0 the leaves that are somebody's, each with its place among the 256 in front;
-- on level 1 the nodes above 256 leaves, and so on.
create table proof_tiles (
  statement bigint not null,
  level integer not null check (level between 0 and 3),
  number integer not null check (number >= 0),
  nodes bytea not null,
  primary key (statement, level, number)
);
alter table proof_tiles alter column nodes set storage external;

-- The audit log up to an entry, in one hash.
create table proof_audit_heads (
  up_to bigint primary key,
  entries bigint not null check (entries >= 0),
  head bytea not null check (octet_length(head) = 32),
  entry_id bigint not null unique references log_entries
);

create trigger proof_statements_append_only before update or delete or truncate on proof_statements
  for each statement execute function refuse_change();
create trigger proof_shares_append_only before update or delete or truncate on proof_shares
  for each statement execute function refuse_change();
create trigger proof_tiles_append_only before update or delete or truncate on proof_tiles
  for each statement execute function refuse_change();
create trigger proof_audit_heads_append_only before update or delete or truncate on proof_audit_heads
  for each statement execute function refuse_change();

create unique index proof_shares_of_user on proof_shares (statement, user_id);

grant select, insert on proof_shares, proof_tiles, proof_audit_heads to tallystick_app;
grant select on proof_statements to tallystick_app;
grant insert (number, at, origin, depth, root, investors, wallet_cents, invested_cents, profit_cents, withdrawing_cents,
  held_cents, typed_cents, sealed_key, entry_id) on proof_statements to tallystick_app;
-- Who reads on from an entry of the audit log sees which numbers were drawn.
grant select on sequence audit_log_id_seq to tallystick_app;
-- The first statement is owed by the calendar from the day on which the house was opened.
grant select (marked_at) on installation to tallystick_app;
