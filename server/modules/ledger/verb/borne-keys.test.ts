import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../context.ts';
import { refuse } from '../../../platform/app-error.ts';
import { outcomes, times } from '../../../testing/at-once.ts';
import { behind } from '../../../testing/blocked.ts';
import { balancesOf, fundedInvestor, investOn, newInvestor } from '../../../testing/ledger/investors.ts';
import { startSecondServer } from '../../../testing/ledger/second-server.ts';
import { tamperingWith } from '../../../testing/ledger/tampering.ts';
import { goodAddress, type Offers, withOffers } from '../../../testing/money.ts';
import { startTestApp, type TestApp } from '../../../testing/start-app.ts';
import type { MoneyCommand } from '../service.ts';
import { movementIdOf } from './key-rules.ts';

let test: TestApp;
let offers: Offers;
let servers: [Context, Context];
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  servers = [test.context, await startSecondServer(test)];
});
afterAll(async () => {
  await servers[1].close();
  await test.close();
});
afterEach(async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

const query = async (text: string, values: unknown[]) => (await test.context.owner.query(text, values)).rows;
const invest = (userId: string, key: string, amountCents = 10_000n, server = test.context) =>
  investOn(server, { offers, userId, amountCents, key });
const fund = (userId: string, key: string, { funding }: Context = test.context) =>
  funding.askForFunding({ userId, paymentname: 'Bitcoin', amountCents: 5_000n, idempotencyKey: key });
const cancelNothing = (userId: string, key: string, { withdrawal }: Context) =>
  withdrawal.cancelWithdrawal({ userId, withdrawalId: randomUUID(), idempotencyKey: key });
const withdraw = (userId: string, key: string) =>
  test.context.withdrawal.askForWithdrawal({
    userId,
    methodId: offers.withdrawalMethods.Bitcoin,
    address: goodAddress.Bitcoin,
    amountCents: 2_000n,
    idempotencyKey: key,
  });
const leftBeside = (userId: string, keys: string[]) =>
  query('select key from ledger_commands where scope = $1 and key = any($2)', [userId, keys]);

it('the database makes the same id of a key as the server does, a UUID of one’s own making', async () => {
  const keys = ['', 'a', randomUUID(), 'é 😀 and more', 'two\nlines', 'x'.repeat(300)];
  for (const [scope, key] of keys.flatMap((key) => keys.map((scope) => [scope, key] as const))) {
    const id = movementIdOf({ scope, key });
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
    expect(await query('select ledger_movement_id($1, $2) as id', [scope, key])).toEqual([{ id }]);
  }
});

it('a movement bears its key and what was asked for, leaves no other row of it, and answers as at first', async () => {
  const userId = await fundedInvestor(test, 300);
  const made = { invested: await invest(userId, 'invest'), withdrawn: await withdraw(userId, 'withdraw') };
  for (const { key, transactionid } of [
    { key: 'invest', transactionid: made.invested.transactionid },
    { key: 'withdraw', transactionid: made.withdrawn.transactionid },
  ]) {
    const id = movementIdOf({ scope: userId, key });
    const found = 'select transactionid, length(body_sha256) as bytes from ledger_movements where id = $1';
    expect(await query(found, [id])).toEqual([{ transactionid, bytes: 32 }]);
  }
  expect(await leftBeside(userId, ['invest', 'withdraw'])).toEqual([]);
  for (const server of servers) {
    expect(await invest(userId, 'invest', 10_000n, server)).toEqual(made.invested);
    expect(await outcomes([invest(userId, 'invest', 10_001n, server)])).toEqual(['key_reused']);
  }
  expect(await withdraw(userId, 'withdraw')).toEqual(made.withdrawn);
  expect(await outcomes([withdraw(userId, 'invest'), fund(userId, 'invest')])).toEqual([
    'key_reused',
    'key_reused',
  ]);
  expect(await balancesOf(test, userId)).toEqual([18_000n, 10_000n, 2_000n]);
});

it('a movement under the id of a key that bears nothing of a body is another’s', async () => {
  const userId = await fundedInvestor(test);
  const tampering = await tamperingWith(test.database.adminUrl);
  await tampering.sql(
    `insert into ledger_movements (id, transactionid, kind, at) values ($1, 'TS-PUT0-HERE', 'investment', now())`,
    [movementIdOf({ scope: userId, key: 'put here' })],
  );
  expect(await outcomes([invest(userId, 'put here')])).toEqual(['key_reused']);
  await tampering.undo();
  await tampering.end();
});

it('what was made before movements bore keys is answered again by its own id', async () => {
  const userId = await fundedInvestor(test, 300);
  const made = { invest: await invest(userId, 'new'), withdraw: await withdraw(userId, 'new too') };
  for (const [old, now] of [
    ['invest', 'new'],
    ['withdraw', 'new too'],
  ] as const) {
    await query(
      `insert into ledger_commands (scope, key, body_sha256, at, answer)
       select $1, $2, body_sha256, at, jsonb_build_object('made', $3::text) from ledger_movements where id = $4`,
      [userId, old, made[old].id, movementIdOf({ scope: userId, key: now })],
    );
  }
  expect(await invest(userId, 'invest')).toEqual(made.invest);
  expect(await withdraw(userId, 'withdraw')).toEqual(made.withdraw);
  expect(await outcomes([invest(userId, 'withdraw'), withdraw(userId, 'invest')])).toEqual([
    'key_reused',
    'key_reused',
  ]);
  expect(await balancesOf(test, userId)).toEqual([18_000n, 10_000n, 2_000n]);
});

describe('a key is used once, be it by a movement or by a request that moves nothing', () => {
  it('at the same moment on two servers', async () => {
    const userId = await fundedInvestor(test, 10_000);
    const asks = [
      (key: string) => fund(userId, key, servers[1]),
      (key: string) => invest(userId, key, 10_000n, servers[0]),
    ];
    for (const n of times(16, (n) => n)) {
      const racing = n % 2 ? asks : asks.toReversed();
      const ends = await outcomes(racing.map((ask) => ask(`both ${n}`)));
      expect(ends.toSorted()).toEqual(['done', 'key_reused']);
    }
    const [{ done }] = await query(
      `select (select count(*) from funding_requests where user_id = $1 and status = 'pending')
         + (select count(*) from investments where user_id = $1) as done`,
      [userId],
    );
    expect(Number(done)).toBe(16);
  });

  it.each([
    ['asked for a deposit', fund, 'funding_requests', 'done'],
    ['takes back nothing', cancelNothing, 'ledger_refusals', 'not_found'],
  ] as const)('while who %s waits before it is written', async (_what, act, table, end) => {
    const userId = await fundedInvestor(test, 1_000);
    await invest(userId, 'known');
    const racers = [() => act(userId, 'raced', servers[1]), () => invest(userId, 'raced')];
    const ends = await behind(test, `lock table ${table} in share mode`, [], racers);
    expect(ends).toEqual([end, 'key_reused']);
    expect(await balancesOf(test, userId)).toEqual([90_000n, 10_000n, 0n]);
  });

  it.each(['accepted', 'refused'] as const)(
    'and who finds it used once it is %s looks again, with its neighbours',
    async (how) => {
      const userId = await fundedInvestor(test);
      let isMade = false;
      const verb = test.context.ledger.verb<MoneyCommand, null, { done: true }>({
        bodyOf: () => 'another',
        async read(_tx, _commands, { openBook }) {
          const book = await openBook([]);
          // The keys were looked up by now, and no wallet is locked.
          if (!isMade) await invest(userId, 'late', 10_000n, servers[1]);
          isMade = true;
          return { facts: null, book };
        },
        decide: ({ command }) =>
          how === 'refused' && command.idempotencyKey === 'late'
            ? refuse('not_found', 'Nothing is there.')
            : { row: { done: true } },
        write: async () => {},
      });
      const neighbours = ['late', 'free'].map((key) => verb({ scope: userId, idempotencyKey: key }));
      expect(await outcomes(neighbours)).toEqual(['key_reused', 'done']);
      expect(await outcomes([invest(userId, 'late')])).toEqual(['done']);
      expect(await balancesOf(test, userId)).toEqual([0n, 10_000n, 0n]);
    },
  );
});

describe('a server of before, which looks for keys only where it leaves them itself,', () => {
  const asBefore = {
    accepted: `insert into ledger_commands (scope, key, body_sha256, at, answer) values ($1, $2, '\\x00', now(), '{}')`,
    refused: `insert into ledger_refusals (scope, key, body_sha256, at, refused) values ($1, $2, '\\x00', now(), '{}')
      on conflict (scope, key) do update set at = excluded.at`,
  };
  const comeBack = '55P03';

  it.each(['accepted', 'refused'] as const)(
    'is told to come back where it has %s a borne key',
    async (how) => {
      const [userId, other] = [await fundedInvestor(test), await newInvestor(test)];
      await invest(userId, 'borne');
      const values = [userId, 'borne'];
      await expect(query(asBefore[how], values)).rejects.toMatchObject({ code: comeBack });
      for (const free of [
        [userId, 'free'],
        [other, 'borne'],
      ])
        await query(asBefore[how], free);
    },
  );

  it('is told so, too, where it had refused the key long before', async () => {
    const userId = await fundedInvestor(test);
    await query(asBefore.refused, [userId, 'again']);
    await query(`update ledger_refusals set at = at - interval '2 years' where scope = $1`, [userId]);
    await invest(userId, 'again');
    await expect(query(asBefore.refused, [userId, 'again'])).rejects.toMatchObject({ code: comeBack });
  });
});
