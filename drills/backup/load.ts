import { chanceOf } from '../seed.ts';
import type { House, Site } from './house.ts';

/** What was asked for, when, and when the answer came that it is done. */
export interface Asked {
  key: string;
  who: number;
  kind: 'invest' | 'withdraw';
  cents: number;
  sentAt: number;
  doneAt: number | null;
}

/** So many withdrawals of one investor may be under way. */
const withdrawalsMax = 20;
const askedMax = 50_000;
const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

export interface Load {
  asked: Asked[];
  /** What the server did not do, though it should have. */
  failures: string[];
  stop(): Promise<void>;
}

/** Everyone invests and withdraws, one thing after the other, and asks for some of it twice. */
export function startLoad(house: House, site: Site, seed: number): Load {
  const asked: Asked[] = [];
  const failures: string[] = [];
  let isOver = false;

  async function ask(one: Asked): Promise<void> {
    const { userId = '', bearer = '' } = house.investors[one.who] ?? {};
    const amount = one.cents / 100;
    const [path, body] =
      one.kind === 'invest'
        ? ['investment/makeinvestment', { planid: house.planId, investinvestmemntamount: amount }]
        : [
            'withdrawal/makenewwithdrawal',
            {
              withdrawalid: house.withdrawalMethodId,
              withdrawalamount: amount,
              withdrawaladdress: address,
            },
          ];
    const answer = await fetch(`${site.url}/api/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${bearer}`,
        'idempotency-key': one.key,
        'x-forwarded-for': `203.0.113.${one.who + 1}`,
      },
      body: JSON.stringify({ userid: userId, ...body }),
    });
    const text = await answer.text();
    if (answer.ok) one.doneAt ??= Date.now();
    else if (answer.status !== 429) failures.push(`${one.key}: ${answer.status} ${text}`);
  }

  async function one(who: number): Promise<void> {
    const { below } = chanceOf(seed, who);
    let withdrawals = 0;
    for (let at = 0; !isOver && asked.length < askedMax; at += 1) {
      const withdraws = below(10) === 0 && withdrawals < withdrawalsMax;
      if (withdraws) withdrawals += 1;
      const kind = withdraws ? 'withdraw' : 'invest';
      const cents = withdraws ? 1_000 + below(4_000) : 10_000 + below(20_000);
      const next: Asked = { key: `${seed}-${who}-${at}`, who, kind, cents, sentAt: Date.now(), doneAt: null };
      asked.push(next);
      await ask(next);
      if (below(20) === 0) await ask(next);
    }
  }

  const all = Promise.all(house.investors.map((_, who) => one(who)));
  const ended = all.then(
    () => {},
    (error) => void failures.push((error as Error).message),
  );
  return {
    asked,
    failures,
    async stop() {
      isOver = true;
      await ended;
    },
  };
}
