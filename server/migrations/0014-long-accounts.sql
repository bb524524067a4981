-- What bears a label is looked for among the numbers of an account: of the first 256 entries by reading them, beyond
-- them by an index, which only long accounts pay for.
drop index ledger_entries_by_label;
create index ledger_entries_by_label on ledger_entries (account_id, label, seq desc) where seq > 256;

-- Narrower: what was opened in one moment is put in order when it is read.
drop index investments_of_user;
create index investments_of_user on investments (user_id, opened_at);
