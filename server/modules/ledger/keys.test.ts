import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../context.ts';
import { outcomes, times } from '../../testing/at-once.ts';
import { newInvestor, newInvestors } from '../../testing/ledger/investors.ts';
import { startSecondServer } from '../../testing/ledger/second-server.ts';
import { withOffers } from '../../testing/money.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { pendingRequestsMax } from '../funding/rules.ts';
import { keptRefusalsMax } from './command-store.ts';
import type { MoneyCommand } from './service.ts';

let test: TestApp;
let servers: [Context, Context];
beforeAll(async () => {
  test = await startTestApp();
  await withOffers(test);
  servers = [test.context, await startSecondServer(test)];
});
afterAll(async () => {
  await servers[1].close();
  await test.close();
});
afterEach(async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

const rowsOf = async (table: 'ledger_refusals' | 'funding_requests', userId: string): Promise<number> => {
  const column = table === 'ledger_refusals' ? 'scope' : 'user_id::text';
  const query = `select count(*)::int as n from ${table} where ${column} = $1`;
  return (await test.context.owner.query(query, [userId])).rows[0].n;
};

it('a batch of which one key after the other is used by someone else answers all of it, each as it was first', async () => {
  const { owner, ledger } = test.context;
  const scope = await newInvestor(test);
  const taken: string[] = [];
  // As another server would, just after the keys were looked up.
  async function take(key: string): Promise<void> {
    taken.push(key);
    await owner.query(
      `insert into ledger_commands (scope, key, body_sha256, at, answer)
       values ($1, $2, sha256('"same"'), now(), '{"row": {"by": "the other"}}')`,
      [scope, key],
    );
  }
  const verb = ledger.verb<MoneyCommand, null, { by: string }>({
    bodyOf: () => 'same',
    async read(_tx, _commands, { openBook }) {
      const book = await openBook([]);
      if (taken.length < 3) await take(`key ${taken.length}`);
      return { facts: null, book };
    },
    decide: () => ({ row: { by: 'this' } }),
    write: async () => {},
  });
  const answers = await Promise.all(times(5, (n) => verb({ scope, idempotencyKey: `key ${n}` })));
  expect(taken).toHaveLength(3);
  expect(answers.map(({ by }) => by)).toEqual(['the other', 'the other', 'the other', 'this', 'this']);
});

describe('deposits that are asked for at once on two servers', () => {
  const ask = (n: number, userId: string, key: string | null, amountCents = 5_000n) =>
    (servers[n % 2] as Context).funding.askForFunding({
      userId,
      paymentname: 'Bitcoin',
      amountCents,
      idempotencyKey: key,
    });

  it('with the same keys are one each, and everyone is answered', async () => {
    const people = await newInvestors(test, 60);
    const answers = await Promise.all(times(300, (n) => ask(n, people[n % 60] as string, `key ${n % 60}`)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(60);
  });

  it('are never more than may wait', async () => {
    const userId = await newInvestor(test);
    const waves: Promise<string[]>[] = [];
    for (const _wave of times(6, () => null)) {
      waves.push(outcomes(times(80, (n) => ask(n, userId, null))));
      // So that the next are asked for while these are under way.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const ends = (await Promise.all(waves)).flat();
    expect(ends.filter((end) => end === 'done')).toHaveLength(pendingRequestsMax);
    expect(ends.filter((end) => end === 'too_many_requests')).toHaveLength(480 - pendingRequestsMax);
    expect(await rowsOf('funding_requests', userId)).toBe(pendingRequestsMax);
  });

  it('and refused leave no more refusals than are kept', async () => {
    const userId = await newInvestor(test);
    const ends = await outcomes(times(keptRefusalsMax + 500, (n) => ask(n, userId, null, 1n)));
    expect(ends.filter((end) => end === 'outside_range')).toHaveLength(keptRefusalsMax);
    expect(await rowsOf('ledger_refusals', userId)).toBe(keptRefusalsMax);
  });
});
