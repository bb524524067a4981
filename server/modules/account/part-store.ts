import { investorAccounts } from '@tallystick/contract/ledger';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/postgres/db.ts';
import type { Row } from './rules.ts';

/** Whose, and the address that messages to support may have come with. */
export interface Whose {
  userId: string;
  email: string;
}

export interface Part {
  /** Of its two files. */
  name: string;
  /** For the README: what a reader finds in it. */
  about: string;
  columns: readonly string[];
  /** Oldest first, with a column for each that is named. */
  select(whose: Whose): RawBuilder<Row>;
}

/**
 * Everything there is about an investor. What else is kept about people one day gets a part here, and an end in
 * `closing.ts`, in `users/closed/closed-store.ts`, or a sentence in decision 037 that says why it stays.
 */
export const parts: readonly Part[] = [
  {
    name: 'profile',
    about: 'Who you are to us, and since when.',
    columns: ['id', 'fullname', 'email', 'createdat', 'verifiedat', 'stepupaboveCents', 'newaddressesafter'],
    select: ({ userId }) => sql`
      select id::text, fullname, email, created_at as createdat, verified_at as verifiedat,
        step_up_above_cents as "stepupaboveCents", new_addresses_after as newaddressesafter
      from users where id = ${userId}`,
  },
  {
    name: 'entries',
    about:
      'Every entry of your three accounts (wallet, invested, withdrawing), with the hash that chains it to the one before. The first eight digits of the hash are its record code.',
    columns: [
      'account',
      'seq',
      'at',
      'fundingtype',
      'transactionid',
      'amountCents',
      'balanceafterCents',
      'reason',
      'hash',
    ],
    select: ({ userId }) => sql`
      select a.kind as account, e.seq, e.at, e.label as fundingtype, m.transactionid, e.amount_cents as "amountCents",
        e.balance_after_cents as "balanceafterCents", m.reason, e.hash
      from ledger_accounts a join ledger_entries e on e.account_id = a.id join ledger_movements m on m.id = e.movement_id
      where a.owner_id = ${userId} and a.kind = any (${investorAccounts}::text[])
      order by e.account_id, e.seq`,
  },
  {
    name: 'investments',
    about:
      'What you invested, on which terms, what you chose for the end, and what came of it. The percentage is of the whole term.',
    columns: [
      'transactionid',
      'planname',
      'amountCents',
      'roi',
      'durationdays',
      'profitCents',
      'openedat',
      'maturesat',
      'settledat',
      'settledby',
      'exitprofitCents',
      'exitfeeCents',
      'choice',
      'chosenat',
      'outcome',
      'outcomereason',
    ],
    select: ({ userId }) => sql`
      select i.transactionid, i.planname, i.amount_cents as "amountCents", (i.roi_points / 100.0)::float8 as roi,
        i.duration_days as durationdays, i.profit_cents as "profitCents", i.opened_at as openedat,
        i.matures_at as maturesat, i.settled_at as settledat, i.settled_transactionid as settledby,
        x.profit_cents as "exitprofitCents", x.fee_cents as "exitfeeCents", c.choice, c.chosen_at as chosenat, c.outcome,
        c.reason as outcomereason
      from investments i left join investment_exits x on x.investment_id = i.id
      left join maturity_choices c on c.investment_id = i.id
      where i.user_id = ${userId} order by i.opened_at, i.id`,
  },
  {
    name: 'deposits',
    about: 'What you announced, or sent without a word, and what arrived.',
    columns: [
      'transactionid',
      'requestedat',
      'announced',
      'paymentname',
      'paymentaddress',
      'tag',
      'amountCents',
      'coinamount',
      'status',
      'receivedCents',
      'network',
      'chaintxid',
      'decidedat',
      'reason',
    ],
    select: ({ userId }) => sql`
      select transactionid, requested_at as requestedat, announced, paymentname, paymentaddress, tag,
        amount_cents as "amountCents", coin_amount as coinamount, status, received_cents as "receivedCents", network,
        chain_txid as chaintxid, decided_at as decidedat, reason
      from funding_requests where user_id = ${userId} order by requested_at, id`,
  },
  {
    name: 'withdrawals',
    about: 'What you asked for, where it was to go, and what became of it.',
    columns: [
      'transactionid',
      'requestedat',
      'methodname',
      'network',
      'address',
      'tag',
      'amountCents',
      'status',
      'approvedat',
      'endedat',
      'chaintxid',
      'reason',
    ],
    select: ({ userId }) => sql`
      select transactionid, requested_at as requestedat, methodname, network, address, tag, amount_cents as "amountCents",
        status, approved_at as approvedat, ended_at as endedat, chain_txid as chaintxid, reason
      from withdrawals where user_id = ${userId} order by requested_at, id`,
  },
  {
    name: 'deposit-addresses',
    about: 'The addresses and tags that were given to you alone.',
    columns: ['family', 'address', 'tag', 'givenat', 'usedat'],
    select: ({ userId }) => sql`
      select family, address, tag, made_at as givenat, used_at as usedat
      from network_addresses where owner_id = ${userId} order by id`,
  },
  {
    name: 'saved-addresses',
    about: 'Your address book, and from when on each may be used while your addresses are protected.',
    columns: ['label', 'network', 'address', 'tag', 'savedat', 'usablefrom'],
    select: ({ userId }) => sql`
      select label, network, address, tag, created_at as savedat, usable_from as usablefrom
      from saved_addresses where user_id = ${userId} order by created_at, id`,
  },
  {
    name: 'protection',
    about: 'Since when withdrawals go only to those addresses, and when that ends. Empty: they go anywhere.',
    columns: ['since', 'offfrom'],
    select: ({ userId }) => sql`
      select since, off_from as offfrom from address_protections where user_id = ${userId}`,
  },
  {
    name: 'notices',
    about: 'What you were told, as far as it is kept.',
    columns: ['at', 'kind', 'title', 'line', 'transactionid', 'readat'],
    select: ({ userId }) => sql`
      select at, kind, title, line, transactionid, read_at as readat
      from notices where user_id = ${userId} order by id`,
  },
  {
    name: 'letters-off',
    about: 'Of what you want no letters, and since when.',
    columns: ['topic', 'since'],
    select: ({ userId }) => sql`
      select topic, since from letters_off where user_id = ${userId} order by topic`,
  },
  {
    name: 'sessions',
    about: 'Where you signed in, as far as it is kept: until 30 days after a session has expired.',
    columns: ['begunat', 'seenat', 'expiresat', 'endedat', 'address', 'useragent', 'factor'],
    select: ({ userId }) => sql`
      select created_at as begunat, seen_at as seenat, expires_at as expiresat, ended_at as endedat,
        client_address as address, user_agent as useragent, factor
      from sessions where user_id = ${userId} order by created_at, id`,
  },
  {
    name: 'browsers',
    about: 'Browsers that you signed in with before, by which we tell a new one.',
    columns: ['firstseenat', 'lastseenat'],
    select: ({ userId }) => sql`
      select first_seen_at as firstseenat, last_seen_at as lastseenat
      from devices where user_id = ${userId} order by first_seen_at, id`,
  },
  {
    name: 'second-factors',
    about: 'Your authenticator, your passkeys and how many recovery codes there are, without their secrets.',
    columns: ['kind', 'name', 'createdat', 'usedat'],
    select: ({ userId }) => sql`
      select 'authenticator' as kind, null as name, created_at as createdat, used_at as usedat
      from authenticators where user_id = ${userId} and confirmed_at is not null
      union all select 'passkey', name, created_at, used_at from passkeys where user_id = ${userId}
      union all select 'recovery code', null, null, used_at from user_recovery_codes where user_id = ${userId}
      order by 1, 3`,
  },
  {
    name: 'factor-removals',
    about:
      'What operators did because you had lost every second factor: when they agreed to it, and how it ended.',
    columns: ['askedat', 'reason', 'agreedat', 'dueat', 'endedat', 'endedhow'],
    select: ({ userId }) => sql`
      select asked_at as askedat, reason, agreed_at as agreedat, due_at as dueat, ended_at as endedat,
        ended_how as endedhow
      from factor_removals where user_id = ${userId} order by asked_at, id`,
  },
  {
    name: 'security-log',
    about:
      'What was done with your account or tried at it, and from where. Of what an operator or the server itself did there is no network address.',
    columns: ['at', 'action', 'by', 'address'],
    select: ({ userId }) => sql`
      select at, action, case when actor_id = ${userId} then 'you' else actor_kind end as by,
        case when actor_kind in ('investor', 'nobody') then client_address end as address
      from audit_log where subject_id = ${userId} order by at, id`,
  },
  {
    name: 'messages',
    about: 'What was written to support with your e-mail address, as far as it is kept: for a year.',
    columns: ['receivedat', 'name', 'message', 'answeredat'],
    select: ({ email }) => sql`
      select received_at as receivedat, name, message, handled_at as answeredat
      from contact_messages where lower(email) = lower(${email}) order by received_at, id`,
  },
  {
    name: 'statements-of-the-books',
    about:
      'The statements of what we owed that counted you, with the root of the tree in which your part was.',
    columns: ['number', 'at', 'root'],
    select: ({ userId }) => sql`
      select s.number, s.at, s.root from proof_statements s
      cross join lateral (
        select from proof_shares h where h.statement = s.number and h.user_id = ${userId} limit 1) as mine
      order by s.number`,
  },
];

/** Everything of one moment, however long it takes to be sent. */
export async function takeSnapshot(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read read only`.execute(tx);
}

const readAtOnce = 500;

/** A part at a time, as it is asked for. */
export async function* rowsOf(tx: Tx, part: Part, whose: Whose): AsyncGenerator<Row> {
  await sql`declare part no scroll cursor for ${part.select(whose)}`.execute(tx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.raw(String(readAtOnce))} from part`.execute(tx);
    yield* rows;
    if (rows.length < readAtOnce) break;
  }
  await sql`close part`.execute(tx);
}
