import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { outcomes, times } from '../../testing/at-once.ts';
import { blockedBackends } from '../../testing/blocked.ts';
import { type Invested, leave, startExits } from '../../testing/investment/exits.ts';

const { test, other, admin, wait, invested, held, close } = await startExits();
afterAll(close);
afterEach(async () => {
  expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
});

/** Holds somebody's wallet, so that whoever has their investment waits behind it. */
async function holding(userId: string, work: () => Promise<void>): Promise<void> {
  await admin.query('begin');
  const wallet = `select from ledger_accounts where kind = 'wallet' and owner_id = $1 for update`;
  await admin.query(wallet, [userId]);
  try {
    await work();
  } finally {
    await admin.query('rollback');
  }
}

describe('an exit that is pressed while the investment matures', () => {
  /** One server's clock is a millisecond before the end, the other's at it. */
  async function atTheEnd(): Promise<Invested & { settle(): Promise<unknown>; exit(): Promise<unknown> }> {
    const of = await invested();
    await invested(10_000n, 'Starter');
    wait(59);
    // What others left behind is out of the way, and the settling server knows the account of profits as it is: a wrong
    // guess would make it begin anew, and let the other pass.
    await other.investment.settleDue();
    wait(1);
    test.clock.advance(-1);
    return {
      ...of,
      settle: () => other.investment.settleDue(),
      exit: () => leave(test.context, of, 200_868n),
    };
  }
  const paidBy = async (userId: string) =>
    (
      await admin.query(
        `select kind from ledger_movements where reference in (select transactionid from investments where user_id = $1)`,
        [userId],
      )
    ).rows.map(({ kind }) => kind);

  it('and was first is the one effect: the settlement passes by', async () => {
    const { userId, settle, exit } = await atTheEnd();
    const leaving = { ends: [] as string[] };
    await holding(userId, async () => {
      const pressed = outcomes([exit()]).then((ends) => Object.assign(leaving, { ends }));
      await blockedBackends(test, 1);
      expect(await settle()).toEqual({ settled: 0 });
      await admin.query('rollback');
      await pressed;
    });
    expect(leaving.ends).toEqual(['done']);
    expect(await settle()).toEqual({ settled: 0 });
    expect([await held(userId), await paidBy(userId)]).toEqual([[200_868n, 0n], ['exit']]);
  });

  it('and was second has none: all of the profit is paid', async () => {
    const { userId, settle, exit } = await atTheEnd();
    await holding(userId, async () => {
      const settling = settle();
      await blockedBackends(test, 1);
      const pressed = outcomes([exit()]);
      await blockedBackends(test, 2);
      await admin.query('rollback');
      expect([await settling, await pressed]).toEqual([{ settled: 1 }, ['already_decided']]);
    });
    expect([await held(userId), await paidBy(userId)]).toEqual([[203_800n, 0n], ['maturity']]);
  });

  it('many times over has one effect each, whoever is first', async () => {
    const all = await Promise.all(times(12, () => invested()));
    wait(60);
    test.clock.advance(-1);
    const ends = await Promise.all([
      outcomes(all.map((of) => leave(test.context, of, 200_868n))),
      ...times(3, () => other.investment.settleDue()),
    ]);
    // What an exit held at that moment the settlement passed by.
    await other.investment.settleDue();
    for (const [n, of] of all.entries()) {
      const isLeft = ends[0][n] === 'done';
      expect([ends[0][n], ...(await held(of.userId))]).toEqual(
        isLeft ? ['done', 200_868n, 0n] : ['already_decided', 203_800n, 0n],
      );
      expect(await paidBy(of.userId)).toEqual([isLeft ? 'exit' : 'maturity']);
    }
  });
});

describe('twenty exits at once, on two servers', () => {
  const twenty = (of: Invested, keyOf: (n: number) => string) =>
    outcomes(times(20, (n) => leave(n % 2 ? other : test.context, of, 199_475n, keyOf(n))));

  it('with keys of their own are one, and refusals', async () => {
    const of = await invested();
    wait(15);
    const ends = await twenty(of, (n) => `own-${n}`);
    expect(ends.toSorted()).toEqual([...times(19, () => 'already_decided'), 'done']);
    expect(await held(of.userId)).toEqual([199_475n, 0n]);
  });

  it('with one key are one, and all are told so', async () => {
    const of = await invested();
    wait(15);
    expect(await twenty(of, () => 'shared')).toEqual(times(20, () => 'done'));
    expect(await held(of.userId)).toEqual([199_475n, 0n]);
  });
});

it('exits and settlements that meet at the account of profits keep its chain whole', async () => {
  const leaving = await Promise.all(times(10, () => invested()));
  wait(10);
  const maturing = await Promise.all(times(60, () => invested(10_000n, 'Starter')));
  wait(30);
  await Promise.all([
    test.context.investment.settleDue(),
    ...leaving.map((of) => leave(test.context, of, 200_266n)),
    other.investment.settleDue(),
  ]);
  await test.context.investment.settleDue();
  for (const { userId } of leaving) expect(await held(userId)).toEqual([200_266n, 0n]);
  for (const { userId } of maturing) expect(await held(userId)).toEqual([10_080n, 0n]);
});
