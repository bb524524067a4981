import pg from 'pg';
import { movementIdOf } from '../../server/modules/ledger/verb/key-rules.ts';
import type { House, Site } from './house.ts';
import { password } from './house.ts';
import type { Asked } from './load.ts';

export interface Comparison {
  acknowledged: number;
  /** Answered as done before the moment of the copy, and not in it. */
  lost: string[];
  /** In the copy, and not asked for by then, or by nobody. */
  uninvited: string[];
  /** Balances and answers that are not what the model says. */
  differences: string[];
}

interface Copy {
  /** The copy's database, as somebody who may read all of it. */
  url: string;
  /** The copy's server. */
  site: Site;
  asOf: string;
  ended: string;
}

/** Enough for everything that anybody asks for. */
const firstCents = 10_000_000_000;

/** What the copy holds of what was asked for, and whether its balances are exactly what that comes to. */
export async function compare(house: House, asked: Asked[], copy: Copy): Promise<Comparison> {
  const [asOf, ended] = [Date.parse(copy.asOf), Date.parse(copy.ended)];
  const client = new pg.Client({ connectionString: copy.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `select id from public.ledger_movements where body_sha256 is not null
       union all select public.ledger_movement_id(scope, key) from public.ledger_commands`,
    );
    const held = new Set(rows.map(({ id }) => id));
    const idOf = ({ who, key }: Asked) => movementIdOf({ scope: house.investors[who]?.userId ?? '', key });
    const known = new Map(asked.map((each) => [idOf(each), each]));
    const acknowledged = asked.filter(({ doneAt }) => doneAt !== null && doneAt < asOf);
    const lost = acknowledged.filter((each) => !held.has(idOf(each))).map(({ key }) => key);
    const uninvited = [...held].flatMap((id) => {
      const one = known.get(id);
      return !one || one.sentAt > ended ? [one?.key ?? id] : [];
    });
    const present = asked.filter((each) => held.has(idOf(each)));
    const differences = [
      ...(await zeroSums(client)),
      ...(await balances(client, house, present)),
      ...(await sessions(house, copy.site, present)),
    ];
    return { acknowledged: acknowledged.length, lost, uninvited, differences };
  } finally {
    await client.end();
  }
}

async function zeroSums(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select movement_id::text as id from public.ledger_entries group by movement_id having sum(amount_cents) <> 0
     union all select 'all balances together' where (select sum(balance_cents) from public.ledger_accounts) <> 0`,
  );
  return rows.map(({ id }) => `${id} does not sum to zero`);
}

/** Plain addition, one investor at a time. */
function purseOf(present: Asked[], who: number): Record<string, number> {
  const purse = { wallet: firstCents, invested: 0, withdrawing: 0 };
  for (const { kind, cents } of present.filter((each) => each.who === who)) {
    purse.wallet -= cents;
    purse[kind === 'invest' ? 'invested' : 'withdrawing'] += cents;
  }
  return purse;
}

async function balances(client: pg.Client, { investors }: House, present: Asked[]): Promise<string[]> {
  const { rows } = await client.query<{ owner: string; kind: string; cents: string; folded: string }>(
    `select owner_id as owner, kind, balance_cents as cents,
       (select coalesce(sum(amount_cents), 0) from public.ledger_entries where account_id = account.id) as folded
     from public.ledger_accounts as account where kind in ('wallet', 'invested', 'withdrawing')`,
  );
  const found = new Map(rows.map(({ owner, kind, ...row }) => [`${kind} of ${owner}`, row]));
  return investors.flatMap(({ userId }, who) =>
    Object.entries(purseOf(present, who)).flatMap(([kind, cents]) => {
      const { cents: stored = '0', folded = '0' } = found.get(`${kind} of ${userId}`) ?? {};
      if (Number(stored) === cents && Number(folded) === cents) return [];
      return [`${kind} of investor ${who} is ${stored}, its entries ${folded}, by the model ${cents}`];
    }),
  );
}

interface Answer {
  available?: number;
  token?: string;
  _id?: string;
}

/** Sessions of before the copy are open in it, a new one can be begun, and money can be moved in it. */
async function sessions({ investors, planId }: House, site: Site, present: Asked[]): Promise<string[]> {
  const wrong: string[] = [];
  const ask = async (path: string, bearer: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${site.url}/api/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) wrong.push(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.ok ? ((await answer.json()) as Answer) : {};
  };
  for (const [who, { bearer }] of investors.entries()) {
    const { available } = await ask('ledger/summary', bearer);
    const wanted = (purseOf(present, who).wallet ?? 0) / 100;
    if (available !== wanted) wrong.push(`investor ${who} is shown ${available} instead of ${wanted}`);
  }
  const { token = '', _id: userid } = await ask('users/signin', '', { email: '1@example.com', password });
  const body = { userid, planid: planId, investinvestmemntamount: 100 };
  await ask('investment/makeinvestment', token, body);
  return wrong;
}
