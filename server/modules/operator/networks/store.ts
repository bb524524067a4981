import { type StrayPayment, strayReasons } from '@tallystick/contract/operator/networks';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/db.ts';

export interface StrayPaymentRow {
  id: string;
  network: StrayPayment['network'];
  why: StrayPayment['why'];
  /** How many there are of its kind. */
  count: bigint;
  txid: string;
  output: number | null;
  units: string;
  cents: bigint | null;
  price: string | null;
  priceAt: Date | null;
  priceSource: string | null;
  seenAt: Date;
  confirmations: number;
  address: string;
  tag: bigint | null;
  path: string | null;
  userId: string | null;
  fullname: string | null;
  email: string | null;
  transactionid: string | null;
}

/** What was paid to us and found no way by itself, the newest of each kind. */
export async function strayPayments(
  db: Db,
  {
    limit,
    before,
  }: { limit: number /** What is newer may just not have been taken in yet. */; before: Date },
): Promise<StrayPaymentRow[]> {
  const { rows } = await sql<StrayPaymentRow>`
    with stray as (
      select p.*, a.address, a.tag, a.owner_id, k.path || '/' || a.branch || '/' || a.index as path,
        case when p.lost_at is not null then 'lost' when p.state = 'dust' then 'dust'
          when a.owner_id is null then 'nobody' when o.closed_at is not null then 'closed' when p.price is null then 'unpriced' else 'held-up' end as why
      from network_payments p
      join network_addresses a on a.id = p.address_id
      left join network_keys k on k.id = a.key_id
      left join users o on o.id = a.owner_id
      where p.lost_at is not null
        or (a.purpose = 'deposit' and (p.state = 'dust' or (p.state = 'seen'
          and (a.owner_id is null or o.closed_at is not null or p.price is null
            or (p.noticed_at is null and p.seen_at < ${before})))))),
    placed as (
      select s.*, count(*) over (partition by s.why) as count,
        row_number() over (partition by s.why order by s.seen_at desc, s.id) as place
      from stray s)
    select s.id, s.network, s.why, s.count, s.txid, s.output, s.units::text as units, s.cents, s.price,
      s.price_at as "priceAt", s.price_source as "priceSource", s.seen_at as "seenAt",
      case when s.lost_at is null then greatest(coalesce(c.height, 0) - s.height + 1, 0) else 0 end as confirmations,
      s.address, s.tag, s.path, u.id as "userId", u.fullname, u.email, f.transactionid
    from placed s
    left join network_cursors c on c.network = s.network
    left join users u on u.id = s.owner_id
    left join funding_requests f on f.payment_id = s.id
    where s.place <= ${limit}
    order by array_position(${strayReasons}::text[], s.why), s.seen_at desc, s.id`.execute(db);
  return rows;
}
