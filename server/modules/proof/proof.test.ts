import { mine, statements } from '@tallystick/contract/proof';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logTime } from '../../platform/log/outbox.ts';
import { createSealer } from '../../platform/sealing.ts';
import { call, tryCall } from '../../testing/call.ts';
import { dayMs, minuteMs } from '../../testing/clock.ts';
import { investOn } from '../../testing/ledger/investors.ts';
import { owedAt } from '../../testing/ledger/owed-at.ts';
import { deposit, goodAddress, type Offers, operator, withOffers } from '../../testing/money.ts';
import { type SignedIn, signedIn, signIn, verified } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { type Amounts, amountsToBytes, createTreeHash, nodeBytes, seedOf } from './rules.ts';
import { createProof, statementLock } from './service.ts';

let test: TestApp;
let offers: Offers;
let ada: SignedIn;
let others: string[];
let admin: pg.Client;
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  ada = await signedIn(test);
  others = [];
  for (let n = 0; n < 3; n += 1) others.push((await verified(test)).userid);
  admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await test.close();
});

/** What was refused is undone with its connection, a moment later; until then a statement is being made. */
const untilNoneIsMade = () =>
  admin.query(`begin; select pg_advisory_xact_lock(hashtextextended('${statementLock}', 0)); commit`);

/** Past the minute that a statement stays behind. */
async function aWhile(): Promise<void> {
  test.clock.advance(2 * minuteMs);
  await untilNoneIsMade();
}

const invest = (userId: string, dollars: number) =>
  investOn(test.context, { offers, userId, amountCents: BigInt(dollars) * 100n + 31n });

const withdraw = (userId: string, dollars: number) =>
  test.context.withdrawal.askForWithdrawal({
    userId,
    methodId: offers.withdrawalMethods.Bitcoin,
    address: goodAddress.Bitcoin,
    amountCents: BigInt(dollars) * 100n,
    idempotencyKey: null,
  });

type Proof = Awaited<ReturnType<typeof mineOf>>;
const mineOf = (who: SignedIn, number?: number) =>
  call(test, mine, { as: who, query: number === undefined ? {} : { number } });
const numbers = (amounts: string[]) => amounts.map(BigInt) as Amounts;

async function entryOf(number: bigint): Promise<Map<string, string>> {
  const { rows } = await test.context.owner.query(
    'select entry from log_entries e join proof_statements s on s.entry_id = e.id where s.number = $1',
    [String(number)],
  );
  const [kind, ...lines] = String(rows[0]?.entry).trimEnd().split('\n');
  expect(kind).toBe('books/v1');
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const),
  );
}

/** As a verifier would: from the own e-mail address up to what the log says. */
async function expectProven(who: SignedIn, proof: Proof): Promise<Amounts> {
  const entry = await entryOf(BigInt(proof.number));
  const [depth, time] = [Number(entry.get('depth')), entry.get('time') ?? ''];
  const origin = `${new URL(test.context.config.siteUrl).host}/log`;
  const tree = createTreeHash(seedOf({ origin, number: BigInt(proof.number), time }));
  expect(new Set(proof.pieces.map(({ index }) => index)).size).toBe(proof.pieces.length);
  for (const [piece, { index, amounts, path }] of proof.pieces.entries()) {
    expect(path.length).toBe(depth);
    let own = Buffer.alloc(nodeBytes);
    tree.leaf(own, 0, {
      secret: Buffer.from(proof.secret, 'hex'),
      piece,
      pieces: proof.pieces.length,
      amounts: amountsToBytes(numbers(amounts)),
      id: Buffer.from(who.email.toLowerCase()),
    });
    for (const [height, node] of path.entries()) {
      const beside = Buffer.concat([Buffer.from(node.hash, 'hex'), amountsToBytes(numbers(node.amounts))]);
      const isRight = Math.floor(index / 2 ** height) % 2 === 1;
      const above = Buffer.alloc(nodeBytes);
      tree.above(height + 1, Buffer.concat(isRight ? [beside, own] : [own, beside]), 0, above, 0);
      own = above;
    }
    expect(own.toString('hex', 0, 32)).toBe(entry.get('root'));
    const owed = numbers((entry.get('owed') ?? '').split(' '));
    expect(own.subarray(32)).toEqual(amountsToBytes(owed));
  }
  const sum = (kind: number) =>
    proof.pieces.reduce((all, { amounts }) => all + BigInt(amounts[kind] ?? 0), 0n);
  return [sum(0), sum(1), sum(2), sum(3)];
}

describe('a statement of the books', () => {
  it('is not there before the first was made', async () => {
    expect(await tryCall(test, mine, { as: ada, query: {} })).toMatchObject({ status: 404 });
    expect(await call(test, statements, { query: {} })).toEqual({ statements: [] });
  });

  it('has everybody’s money in it, which each finds by themselves', async () => {
    await deposit(test, ada.userid, 1000);
    for (const userId of others) await deposit(test, userId, 500);
    await invest(ada.userid, 200);
    await invest(others[0] ?? '', 150);
    await withdraw(ada.userid, 50);
    test.clock.advance(3 * dayMs + 17);
    ada = await signIn(test, ada);
    const made = await test.context.proof.prove();
    expect([made.number, made.investors, made.depth]).toEqual([1n, 4, 10]);
    expect(made.owed).toEqual(await owedAt(test, made.at));
    const proven = await expectProven(ada, await mineOf(ada));
    expect(proven).toEqual(await owedAt(test, made.at, ada.userid));
    expect(proven[2]).toBeGreaterThan(0n);
    const entry = await entryOf(1n);
    expect([...entry.keys()].slice(0, 6)).toEqual(['number', 'time', 'unit', 'depth', 'root', 'owed']);
    expect([entry.get('time'), entry.get('unit'), entry.get('coverage')]).toEqual([
      logTime(made.at),
      'USD-cents',
      'unknown',
    ]);
    const principal = [...(entry.get('due') ?? '').split(' ')][1];
    expect(BigInt(principal ?? 0)).toBe(made.owed[1]);
  });

  it('tells how things stood a minute before, whatever has moved since', async () => {
    await aWhile();
    await deposit(test, ada.userid, 70);
    await invest(ada.userid, 120);
    test.clock.advance(30_000);
    const made = await test.context.proof.prove();
    expect(made.owed).toEqual(await owedAt(test, made.at));
    expect(made.owed).not.toEqual(await owedAt(test, test.clock.now()));
    expect(await expectProven(ada, await mineOf(ada))).toEqual(await owedAt(test, made.at, ada.userid));
    // What was proven before stays.
    expect((await mineOf(ada, 1)).number).toBe(1);
  });

  it('has fresh secrets, other pieces and other places each time', async () => {
    const [first, second] = [await mineOf(ada, 1), await mineOf(ada, 2)];
    expect(first.secret).not.toBe(second.secret);
    const wallets = (proof: Proof) => proof.pieces.map(({ index, amounts }) => `${index} ${amounts[0]}`);
    expect(wallets(first)).not.toEqual(wallets(second));
  });

  it('is listed for everyone, newest first', async () => {
    const listed = (await call(test, statements, { query: {} })).statements;
    expect(listed.map(({ number, held }) => [number, held])).toEqual([
      [2, null],
      [1, null],
    ]);
    expect((await call(test, statements, { query: { limit: 1 } })).statements).toHaveLength(1);
  });

  it('knows nothing of who came later, nor of a number that is none', async () => {
    const late = await signedIn(test);
    expect(await tryCall(test, mine, { as: late, query: {} })).toMatchObject({ status: 404 });
    expect(await tryCall(test, mine, { as: ada, query: { number: 99 } })).toMatchObject({ status: 404 });
  });

  it('is made by one at a time, and not twice within a minute', async () => {
    await expect(test.context.proof.prove()).rejects.toThrow('younger than a minute');
    const asked = () => test.context.proof.prove({ actor: operator() });
    const tooMany = Array.from({ length: 51 }, asked);
    const whys = (await Promise.allSettled(tooMany)).map((each) => 'reason' in each && each.reason.message);
    expect(whys.filter((why) => why === 'Operators have asked for 50 statements within a day.')).toHaveLength(
      1,
    );
    await aWhile();
    const tries = await Promise.allSettled([1, 2, 3].map(() => test.context.proof.prove()));
    const made = tries.filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(1);
    for (const each of tries) {
      if (each.status === 'rejected')
        expect(String(each.reason)).toMatch(/being made at this moment|younger than a minute/);
    }
    const { statements: listed } = await call(test, statements, { query: {} });
    expect(listed.map(({ number }) => number)).toEqual([3, 2, 1]);
  });

  it('is never of a moment before the last one, also when the clock was set back and the site has moved', async () => {
    const { db, networks, config } = test.context;
    const origin = 'elsewhere.example/log';
    const sealer = createSealer(config.secrets.proof);
    const moved = createProof({ db, clock: test.clock, networks, sealer, origin });
    test.clock.advance(-5 * minuteMs);
    await untilNoneIsMade();
    await expect(moved.prove()).rejects.toThrow('younger than a minute');
    test.clock.advance(5 * minuteMs);
  });

  it('tells what was typed as held, and how far that goes', async () => {
    const [bitcoin] = await test.context.funding.allPaymentMethods();
    const held = { methodId: bitcoin?.id ?? '', amountCents: 1_234_56n, actor: operator('a') };
    await test.context.operator.enterHeld(held);
    await aWhile();
    const { number, owed } = await test.context.proof.prove();
    const entry = await entryOf(number);
    expect(entry.get('typed')).toMatch(/^123456 \S+Z Bitcoin$/);
    const all = owed.reduce((sum, cents) => sum + cents, 0n);
    expect(entry.get('coverage')).toBe(String((1_234_56n * 10_000n) / all));
    const [newest] = (await call(test, statements, { query: {} })).statements;
    expect([newest?.held, newest?.typed]).toEqual(['123456', '123456']);
  });

  it('does not come about when the tree and the ledger differ, and leaves nothing behind', async () => {
    await aWhile();
    await admin.query(`set session_replication_role = replica`);
    const nobody = '00000000-0000-4000-8000-000000000000';
    await admin.query(
      `insert into ledger_accounts (kind, owner_id, balance_cents) values ('invested', $1, 5)`,
      [nobody],
    );
    await expect(test.context.proof.prove()).rejects.toThrow('the ledger to');
    await admin.query('delete from ledger_accounts where owner_id = $1', [nobody]);
    const { rows } = await admin.query(
      'select (select count(*) from proof_shares where statement = 5) + (select count(*) from proof_tiles where statement = 5) as left',
    );
    expect(rows).toEqual([{ left: '0' }]);
    // What failed is undone with its connection, a moment later; until then it is being made.
    const again = () =>
      test.context.proof.prove().then(
        ({ number }) => number,
        ({ code }) => code,
      );
    await expect.poll(again).toBe(5n);
  });

  it('is owed by the calendar, once for each day', async () => {
    const count = async () => (await call(test, statements, { query: {} })).statements.length;
    const before = await count();
    await aWhile();
    await test.context.proof.proveIfDue();
    expect(await count()).toBe(before);
    await admin.query(`update proof_statements set made_at = made_at - interval '1 day'`);
    await Promise.allSettled([test.context.proof.proveIfDue(), test.context.proof.proveIfDue()]);
    expect(await count()).toBe(before + 1);
    await test.context.proof.proveIfDue();
    expect(await count()).toBe(before + 1);
  });

  it('cannot be changed, not even by the owner', async () => {
    for (const table of ['proof_statements', 'proof_shares', 'proof_tiles', 'proof_audit_heads']) {
      await expect(test.context.owner.query(`delete from ${table}`)).rejects.toThrow('append-only');
    }
  });
});
