import { createHash, randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Context } from '../../server/context.ts';
import { movement } from '../../server/modules/ledger/service.ts';

export interface Investor {
  userId: string;
  bearer: string;
}

/** Enough for a million of the smallest investments. */
const depositCents = 10_000_000_000n;
const atOnce = 1000;

/**
 * Signed in without having signed up: hashing thousands of passwords is not what is measured. Their sessions count as
 * just seen all the while: that is noted once a minute, and here nobody asks often enough to make it a small part.
 */
export async function makeInvestors(context: Context, count: number): Promise<Investor[]> {
  const bearers = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hashes = bearers.map((bearer) => createHash('sha256').update(bearer).digest());
  const passwordHash = await hash(randomBytes(32).toString('hex'));
  const { rows } = await context.owner.query<{ userId: string; n: number }>(
    `with person as (
       insert into users (fullname, email, email_key, password_hash, verified_at, created_at)
       select 'Investor ' || n, n || '@example.com', n || '@example.com', $2, now(), now()
       from generate_series(1, cardinality($1::bytea[])) n returning id),
     numbered as (select id, row_number() over () as n from person),
     carrier as (select * from unnest($1::bytea[]) with ordinality as carrier (hash, n)),
     session as (
       insert into sessions (user_id, bearer_hash, cookie_hash, client_address, user_agent,
         created_at, seen_at, expires_at)
       select id, hash, sha256(hash), '127.0.0.1', 'bench', now(), now() + '12 hours', now() + '1 day'
       from numbered join carrier using (n))
     select id as "userId", n::int from numbered order by n`,
    [hashes, passwordHash],
  );
  const investors = rows.map(({ userId, n }) => ({ userId, bearer: bearers[n - 1] ?? '' }));
  for (let at = 0; at < count; at += atOnce) await deposit(context, investors.slice(at, at + atOnce));
  return investors;
}

/** Posted by the ledger itself, so that the books are true from the first cent on. */
async function deposit({ ledger, funding }: Context, investors: Investor[]): Promise<void> {
  const [method] = await funding.allPaymentMethods();
  if (!method) throw new Error('there is no way to pay in');
  const clearing = { kind: 'clearing', ownerId: method.id } as const;
  const wallets = investors.map(({ userId }) => ({ kind: 'wallet', ownerId: userId }) as const);
  await ledger.inBook({
    read: async (_tx, { now, openBook }) => ({
      facts: await now(),
      book: await openBook([clearing, ...wallets]),
    }),
    post(at, book) {
      for (const wallet of wallets) {
        const postings = [
          { account: clearing, amountCents: -depositCents, label: method.paymentname },
          { account: wallet, amountCents: depositCents, label: method.paymentname },
        ];
        book.post(movement({ kind: 'bench', at, postings }));
      }
    },
    write: async () => {},
  });
}
