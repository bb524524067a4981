import { fetchbalance } from '@tallystick/contract/funding';
import { makeinvestment } from '@tallystick/contract/investment';
import { pageSize } from '@tallystick/contract/list';
import type { Bank } from './bank.ts';
import { type Connection, createConnection, isGood } from './load/connection.ts';
import { keyMark, requestText } from './load/load.ts';
import { type Cluster, fill } from './postgres/cluster.ts';
import { median } from './rounds.ts';
import type { Investor } from './server/investors.ts';
import type { Size } from './size.ts';

/** How long one waits who is alone, in the middle of many times. */
async function p50Ms(
  connection: Connection,
  times: number,
  request: (time: number) => string,
): Promise<number> {
  const took: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const text = request(time);
    const begun = performance.now();
    const answer = await connection.ask(text);
    took.push(performance.now() - begun);
    if (!isGood(answer)) throw new Error(`refused: ${answer}`);
  }
  return median(took);
}

async function entryCount({ database }: Bank): Promise<number> {
  const { rows } = await database.owner.query<{ count: string }>(
    'select sum(entry_count) as count from ledger_accounts',
  );
  return Number(rows[0]?.count);
}

/** Everyone invests until the journal has so many entries, two of them with each investment. */
export async function fillTo(bank: Bank, entries: number): Promise<void> {
  const missing = entries - (await entryCount(bank));
  const times = Math.ceil(missing / 2 / bank.investorCount);
  if (times > 0) await fill(bank.database, { first: 1, last: bank.investorCount, times, ...bank });
}

/** What lies between filling and measuring in real life: the disk has everything, rows of before are swept, sizes are known. */
export async function settleDown({ admin }: Cluster, banks: Bank[]): Promise<void> {
  await Promise.all(banks.map(({ database }) => database.owner.query('vacuum (analyze)')));
  await admin.query('checkpoint');
}

export interface Growth {
  entries: { few: number; many: number };
  few_p50_ms: number[];
  many_p50_ms: number[];
}

/** One investment after the other on two idle servers, one with a short journal, one with a long one. */
export async function measureGrowth(few: Bank, many: Bank, { growth, rounds }: Size): Promise<Growth> {
  const sides = [few, many].map((bank) => {
    const connection = createConnection(bank.server.port);
    const request = (time: number) => {
      const { userId, bearer } = bank.investors[time % bank.investors.length] as Investor;
      const body = { userid: userId, planid: bank.planId, investinvestmemntamount: bank.amountCents / 100 };
      return requestText({ ...makeinvestment, bearer, body }).replace(keyMark, `alone-${asked++}`);
    };
    return { connection, request, took: [] as number[] };
  });
  let asked = 0;
  for (const { connection, request } of sides) await p50Ms(connection, growth.asked, request);
  for (let round = 0; round < rounds; round += 1) {
    for (const { connection, request, took } of sides)
      took.push(await p50Ms(connection, growth.asked, request));
  }
  for (const { connection } of sides) connection.close();
  const [few_p50_ms = [], many_p50_ms = []] = sides.map(({ took }) => took);
  const entries = { few: await entryCount(few), many: await entryCount(many) };
  return { entries, few_p50_ms, many_p50_ms };
}

interface Pages {
  first_p50_ms: number[];
  last_p50_ms: number[];
}
export interface Lists {
  entries: { few: number; many: number };
  few: Pages;
  many: Pages;
}

/** The two who do nothing else get their lists. */
export async function fillLists(bank: Bank, { list }: Size): Promise<void> {
  for (const [index, times] of [list.few, list.many].entries()) {
    const number = bank.investorCount + 1 + index;
    await fill(bank.database, { first: number, last: number, times, ...bank });
  }
}

/** The first and the last page of what a search finds, in a short list and in a long one. */
export async function measureLists(bank: Bank, { list, rounds }: Size): Promise<Lists> {
  const connection = createConnection(bank.server.port);
  const pages: Pages[] = [
    { first_p50_ms: [], last_p50_ms: [] },
    { first_p50_ms: [], last_p50_ms: [] },
  ];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, count] of [list.few, list.many].entries()) {
      const bearer = bank.spare[index]?.bearer ?? '';
      const pageAt = (page: number) =>
        p50Ms(connection, list.asked, () =>
          requestText({ method: 'GET', path: `${fetchbalance.path}?search=invest&page=${page}`, bearer }),
        );
      pages[index]?.first_p50_ms.push(await pageAt(1));
      pages[index]?.last_p50_ms.push(await pageAt(Math.ceil(count / pageSize)));
    }
  }
  connection.close();
  const [few, many] = pages as [Pages, Pages];
  return { entries: { few: list.few, many: list.many }, few, many };
}
