/**
 * `npm run bench`: how many investments a second, the same movement done in several ways on one database in one run.
 * The ways take turns, so that whatever else the machine does touches all of them; what counts is the ratios.
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { amountCents, assertBooksAddUp, type Bank, openBank } from './bank.ts';
import { perSecond } from './loop.ts';
import { openHttp } from './over-http.ts';
import { createPgbench, findPgbench } from './pgbench.ts';
import { plainSqlPerSecond, preparePlainSql } from './plain-sql.ts';
import { type Measured, report } from './report.ts';

const investorCount = 1000;
const httpConnections = 128;
const rounds = 3;
const secondsEach = 2;

interface Way {
  name: string;
  perSecond(seconds: number): Promise<number>;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

function inBatches({ context, investors, planId }: Bank, atOnce: number): Way {
  return {
    name: `ledger in batches, ${atOnce} investors at once`,
    perSecond: (seconds) =>
      perSecond(atOnce, seconds, async (who) => {
        const userId = investors[who]?.userId ?? '';
        await context.investment.makeInvestment({ userId, planId, amountCents, idempotencyKey: null });
      }),
  };
}

async function waysOf(bank: Bank): Promise<{ ways: Way[]; close(): Promise<void> }> {
  await preparePlainSql(bank);
  const http = await openHttp(bank, httpConnections);
  const ways: Way[] = [
    {
      name: 'plain SQL, one command per transaction',
      perSecond: (seconds) => plainSqlPerSecond(bank, seconds),
    },
    inBatches(bank, investorCount),
    inBatches(bank, httpConnections),
    { name: `over HTTP, ${httpConnections} connections`, perSecond: http.perSecond },
  ];
  const program = await findPgbench();
  if (program) {
    const pgbench = createPgbench(program, bank);
    await pgbench.prepare();
    ways.push(
      { name: 'the same plain SQL, sent by pgbench', perSecond: pgbench.plainSqlPerSecond },
      { name: 'pgbench, built-in TPC-B-like', perSecond: pgbench.tpcbPerSecond },
    );
  } else {
    say('pgbench was not found; its lines are left out.');
  }
  return { ways, close: http.close };
}

async function measure(bank: Bank): Promise<Measured[]> {
  const { ways, close } = await waysOf(bank);
  const measured = ways.map(({ name }) => ({ name, rates: [] as number[] }));
  try {
    for (const { perSecond } of ways) await perSecond(1);
    for (let round = 1; round <= rounds; round += 1) {
      for (const [index, { name, perSecond }] of ways.entries()) {
        const rate = await perSecond(secondsEach);
        measured[index]?.rates.push(rate);
        say(`round ${round} of ${rounds}: ${name}: ${Math.round(rate)} a second`);
      }
    }
  } finally {
    await close();
  }
  await assertBooksAddUp(bank.context);
  return measured;
}

const begun = performance.now();
const [loadBefore = 0] = loadavg();
const bank = await openBank(investorCount);
try {
  const table = report(await measure(bank), { rounds, secondsEach, loadBefore });
  await writeFile(new URL('RESULTS.md', import.meta.url), table);
  say(`\n${table}`);
} finally {
  await bank.close();
}
say(`Took ${Math.round((performance.now() - begun) / 1000)} s. Written to bench/RESULTS.md.`);
