-- fits servers from 0023 on
-- What an investor was told, to be read on the site as well, and which letters they do without.

-- Written with the letter. A server that does not know this table writes the letter alone: what happens then is in no list.
create table notices (
  -- It has no foreign key: whoever tells five hundred people at once would mark the rows of all of them in users.
  user_id uuid not null,
  -- Begins with the time, so that the newest come last.
  id uuid not null,
  -- Of the letter.
  kind text not null,
  -- Its subject and the line that mail programs show beside it; no name, no address, no code.
  title text not null check (title <> '' and length(title) <= 200),
  line text not null check (length(line) <= 300),
  -- What it is about, where that has a number.
  transactionid text,
  at timestamptz not null,
  read_at timestamptz,
  primary key (user_id, id)
);
-- The bell asks every few seconds.
create index notices_unread on notices (user_id) where read_at is null;
create index notices_by_age on notices (at);

-- A row is a kind of letters that is not sent. Others cannot be switched off, whatever the program says.
create table letters_off (
  user_id uuid not null references users,
  topic text not null check (topic in ('deposits', 'investments')),
  since timestamptz not null,
  primary key (user_id, topic)
);

-- What was told is not told otherwise later.
grant select, insert, delete on notices, letters_off to tallystick_app;
grant update (read_at) on notices to tallystick_app;
