import { amountCentsMax } from '@tallystick/contract/money';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../platform/postgres/away.ts';
import { times } from '../../testing/at-once.ts';
import { createTestClock, dayMs } from '../../testing/clock.ts';
import { newInvestors } from '../../testing/ledger/investors.ts';
import {
  type Command,
  type Model,
  newModel,
  obey,
  underWay,
  underWayMax,
  type Wish,
} from '../../testing/ledger/model.ts';
import { modelPlans } from '../../testing/ledger/model-plans.ts';
import { createPlayer, type Played } from '../../testing/ledger/player.ts';
import { startSecondServer } from '../../testing/ledger/second-server.ts';
import { watchStatements } from '../../testing/ledger/sent.ts';
import { withOtherBody } from '../../testing/ledger/steps.ts';
import { correcting, type Offers, setBounds, withOffers } from '../../testing/money.ts';
import { proofRuns } from '../../testing/proof-size.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

// A busy machine takes its time; nothing here is about speed.
vi.setConfig({ testTimeout: 900_000 });

const peopleCount = 5;
/** So many are under way at once. */
const laneCount = 8;
/** What the servers count beyond the time that passes. */
let passedMs = 0;

let test: TestApp;
let offers: Offers;
let admin: pg.Client;
/** Moved for the two servers of the storm alone: the first server's timer never finds anything due. */
const clock = createTestClock();
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  admin = new pg.Client({ connectionString: test.database.adminUrl });
  await admin.connect();
  // The model knows one approval.
  await setBounds(test.context, { thresholdCents: amountCentsMax });
});
afterAll(async () => {
  await admin.end();
  await test.close();
});

const loose = fc.record({
  do: fc.constantFrom<Wish['do']>(
    ...(['invest', 'invest', 'invest', 'invest', 'invest', 'invest', 'withdraw', 'withdraw'] as const),
    ...(['deposit', 'correct', 'approve', 'pay', 'reject', 'cancel'] as const),
  ),
  who: fc.nat(peopleCount - 1),
  cents: fc.integer({ min: 100_00, max: 180_00 }),
  which: fc.nat(200),
  /** On the server where a person mostly is, on the other, or on both at once. */
  where: fc.constantFrom([0], [0], [0], [0], [0], [1], [0, 1], [1, 0, 1]),
});
type Loose = typeof loose extends fc.Arbitrary<infer Value> ? Value : never;

const round = fc.record({
  loose: fc.array(loose, { minLength: 60, maxLength: 120, size: 'max' }),
  days: fc.constantFrom(0, 0, 15, 30),
  /** Connections are cut when so many have been answered. */
  cuts: fc.array(fc.nat(80), { maxLength: 4 }),
  restarts: fc.constantFrom(null, null, 0, 1),
});
type Round = typeof round extends fc.Arbitrary<infer Value> ? Value : never;

/** Cuts one connection in the middle of something, whosever it is. */
const cut = () =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
       and backend_type = 'client backend' order by random() limit 1`,
  );

function wishOf({ do: verb, who, cents, which }: Loose, model: Model): Wish {
  const target = model.withdrawals[which % Math.max(1, model.withdrawals.length)]?.key ?? 'none';
  if (verb === 'invest') return { do: verb, who, plan: 0, cents };
  if (verb === 'correct') return { do: verb, who, cents: which % 2 ? cents : -cents };
  if (verb === 'cancel')
    return { do: verb, who: model.withdrawals.find(({ key }) => key === target)?.who ?? who, target };
  if (verb === 'deposit') return { do: verb, who, cents: 10 * cents };
  if (verb === 'withdraw') return { do: verb, who, cents };
  return { do: verb as 'approve', target };
}

/** What gives goes before what takes: in this order all that was done can have been done. */
function rank({ wish }: Command): number {
  if (wish.do === 'settle') return 0;
  if (wish.do === 'deposit' || (wish.do === 'correct' && wish.cents > 0)) return 1;
  if (wish.do === 'approve') return 2;
  return 'target' in wish ? 3 : 4;
}

const takes = ({ wish }: Command): [who: number, cents: number] => {
  if (wish.do === 'invest' || wish.do === 'withdraw') return [wish.who, wish.cents];
  return wish.do === 'correct' && wish.cents < 0 ? [wish.who, -wish.cents] : [-1, 0];
};

class Storm {
  readonly #people: string[];
  readonly #servers: [Context, Context];
  readonly #made = new Map<string, string>();
  readonly #done: { command: Command; played: Played }[] = [];
  readonly model = newModel(peopleCount);
  #keys = 0;

  constructor(people: string[], servers: [Context, Context]) {
    this.#people = people;
    this.#servers = servers;
  }

  newKey(): string {
    this.#keys += 1;
    return `storm-${this.#keys}`;
  }

  /** Under the same key until it is answered, as a client does that hears nothing. */
  async #insist(where: number, command: Command): Promise<Played> {
    for (let tries = 0; ; tries += 1) {
      const { funding, investment, withdrawal, ledger } = this.#servers[where % 2] as Context;
      const plans = modelPlans.map(({ planname }) => offers.plans[planname]);
      const settle = async () => void (await investment.settleDue());
      const stage = { funding, investment, withdrawal, correct: correcting({ ledger }), settle, plans };
      const withdrawalMethod = offers.withdrawalMethods.Bitcoin;
      const play = createPlayer({ ...stage, people: this.#people, withdrawalMethod }, this.#made);
      try {
        return await play(command);
      } catch (error) {
        if (tries === 50 || !isDatabaseAway(error as Error)) throw error;
      }
    }
  }

  async begin(): Promise<void> {
    for (const who of times(peopleCount, (n) => n)) {
      const command: Command = { key: this.newKey(), wish: { do: 'deposit', who, cents: 2_000_00 } };
      await this.#insist(who, command);
      obey(this.model, command);
    }
  }

  async #restart(which: 0 | 1): Promise<void> {
    await this.#servers[which].close();
    this.#servers[which] = await startSecondServer(test, clock);
  }

  async weather({ loose, days, cuts, restarts }: Round): Promise<void> {
    if (restarts !== null) await this.#restart(restarts as 0 | 1);
    clock.advance(days * dayMs);
    this.model.day += days;
    let answered = 0;
    const sent = async (where: number, command: Command): Promise<Played> => {
      const played = await this.#insist(where, command);
      answered += 1;
      // Doubts are over soon: most is to be tried by heart.
      passedMs += 1_100;
      if (cuts.includes(answered)) await cut();
      return played;
    };
    const commands = loose.map((each) => ({
      where: each.where.map((n) => n + each.who),
      command: { key: this.newKey(), wish: wishOf(each, this.model) },
    }));
    const settle: Command = { key: this.newKey(), wish: { do: 'settle' } };
    const repeated = loose.slice(0, 5).map(({ which }) => this.#done[which % Math.max(1, this.#done.length)]);
    const answers: Played[][] = [];
    // Each sends one after the other: what one leaves is remembered when the next comes.
    const lane = async (first: number) => {
      for (let n = first; n < commands.length; n += laneCount) {
        const { where, command } = commands[n] as (typeof commands)[number];
        answers[n] = await Promise.all(where.map((each) => sent(each, command)));
      }
    };
    await Promise.all([
      ...times(laneCount, lane),
      ...[0, 1, 0, 1].map((where) => sent(where, settle)),
      ...repeated.map(async (earlier, n) => {
        if (!earlier) return;
        expect(await sent(n, earlier.command)).toEqual(earlier.played);
        expect((await sent(n + 1, withOtherBody(earlier.command))).outcome).toBe('reused');
      }),
    ]);
    // What one server was just settling, the other passed over.
    await sent(0, settle);
    const ended = commands.map(({ command }, n) => {
      const [first, ...others] = answers[n] as [Played, ...Played[]];
      for (const other of others) expect([command, other]).toEqual([command, first]);
      return { command, played: first };
    });
    this.#judge(ended, settle);
    await this.#compare();
  }

  /**
   * All that was done can be done one after the other, and nobody was told to be short of what they had all the time, or to
   * have more under way than they can have had.
   */
  #judge(ended: { command: Command; played: Played }[], settle: Command): void {
    const done = ended.filter(({ played }) => played.outcome === 'done');
    const left = this.model.purses.map(({ wallet }) => wallet);
    const most = times(peopleCount, (who) => underWay(this.model, who));
    for (const { command } of done) {
      const [who, cents] = takes(command);
      if (who >= 0) left[who] = (left[who] ?? 0) - cents;
      if (command.wish.do === 'withdraw') most[who] = (most[who] ?? 0) + 1;
    }
    for (const { command, played } of ended) {
      const [who, cents] = takes(command);
      if (played.outcome === 'short') expect(cents).toBeGreaterThan(left[who] ?? 0);
      if (played.outcome === 'many') expect(most[who]).toBeGreaterThanOrEqual(underWayMax);
    }
    const inOrder = [settle, ...done.map(({ command }) => command)].sort((a, b) => rank(a) - rank(b));
    for (const command of inOrder) expect([command, obey(this.model, command)]).toEqual([command, 'done']);
    this.#done.push(...done);
  }

  async #compare(): Promise<void> {
    const { rows } = await admin.query<{ owner: string | null; kind: string; cents: string }>(
      `select case when kind in ('wallet', 'invested', 'withdrawing') then owner_id end as owner, kind,
         sum(balance_cents) as cents from ledger_accounts group by 1, 2`,
    );
    const cents = (owner: string | null, kind: string) =>
      Number(rows.find((row) => row.owner === owner && row.kind === kind)?.cents ?? 0);
    const purses = this.#people.map((person) => ({
      wallet: cents(person, 'wallet'),
      invested: cents(person, 'invested'),
      withdrawing: cents(person, 'withdrawing'),
    }));
    const house = Object.fromEntries(Object.keys(this.model.house).map((kind) => [kind, cents(null, kind)]));
    expect({ purses, house }).toEqual({ purses: this.model.purses, house: this.model.house });
    expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
    const { rows: made } = await admin.query('select count(*)::int as n from investments');
    expect(made).toEqual([{ n: this.model.investments.length }]);
  }

  close = () => Promise.all(this.#servers.map((server) => server.close()));
}

it('a storm of everything on two servers, repeated and cut off, leaves what one after the other would have', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(round, { minLength: proofRuns(12, 3), maxLength: proofRuns(12, 3) }),
      async (rounds) => {
        const { now } = performance;
        vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passedMs);
        const sent = watchStatements();
        const servers = [await startSecondServer(test, clock), await startSecondServer(test, clock)] as const;
        const storm = new Storm(await newInvestors(test, peopleCount), [...servers]);
        try {
          await storm.begin();
          for (const each of rounds) await storm.weather(each);
          const byHeart = sent.all().filter(({ name }) => name === 'keys are new');
          expect(byHeart.length).toBeGreaterThan(rounds.length);
        } finally {
          await storm.close();
          vi.restoreAllMocks();
        }
      },
    ),
    // What it was is said with its seed; made smaller it would be another storm.
    { numRuns: 1, endOnFailure: true, includeErrorInReport: true },
  );
});
