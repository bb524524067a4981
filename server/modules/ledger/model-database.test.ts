import { randomUUID } from 'node:crypto';
import { amountCentsMax } from '@tallystick/contract/money';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Context } from '../../context.ts';
import { createTestClock, dayMs } from '../../testing/clock.ts';
import { newInvestors } from '../../testing/ledger/investors.ts';
import { answerKept, type Command, type Model, newModel, obey } from '../../testing/ledger/model.ts';
import { modelPlans } from '../../testing/ledger/model-plans.ts';
import { orders } from '../../testing/ledger/orders.ts';
import { createPlayer, type Played, type Stage } from '../../testing/ledger/player.ts';
import { startSecondServer } from '../../testing/ledger/second-server.ts';
import {
  oneByOne,
  peopleCount,
  type Step,
  sequence,
  settleOn,
  together,
  withOtherBody,
} from '../../testing/ledger/steps.ts';
import { correcting, type Offers, setBounds, withOffers } from '../../testing/money.ts';
import { proofRuns } from '../../testing/proof-size.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

// A busy machine takes its time; nothing here is about speed.
vi.setConfig({ testTimeout: 600_000 });

let test: TestApp;
let offers: Offers;
/** Its clock is moved while that of the first stands still, so that the first one's timer never finds anything due. */
let server: Context;
const clock = createTestClock();
beforeAll(async () => {
  test = await startTestApp();
  offers = await withOffers(test);
  server = await startSecondServer(test, clock);
  // The model knows one approval; how two are given is the console's tests' matter.
  await setBounds(test.context, { thresholdCents: amountCentsMax });
});
afterAll(async () => {
  await server.close();
  await test.close();
});

function stageFor(people: string[]): Stage {
  const { funding, investment, withdrawal, ledger } = server;
  const plans = modelPlans.map(({ planname }) => offers.plans[planname]);
  const withdrawalMethod = offers.withdrawalMethods.Bitcoin;
  const correct = correcting({ ledger });
  const settle = async () => void (await investment.settleDue());
  return { funding, investment, withdrawal, correct, settle, people, plans, withdrawalMethod };
}

interface Stored {
  purses: Model['purses'];
  entries: string;
  sum: string;
}

async function stored(people: string[]): Promise<Stored> {
  const { rows } = await test.context.owner.query<{ owner: string; kind: string; cents: string }>(
    `select owner_id as owner, kind, balance_cents as cents from ledger_accounts where owner_id = any($1)`,
    [people],
  );
  const all = await test.context.owner.query<{ sum: string; entries: string }>(
    'select coalesce(sum(balance_cents), 0) as sum, coalesce(sum(entry_count), 0) as entries from ledger_accounts',
  );
  const cents = (owner: string, kind: string) =>
    Number(rows.find((row) => row.owner === owner && row.kind === kind)?.cents ?? 0);
  const purses = people.map((person) => ({
    wallet: cents(person, 'wallet'),
    invested: cents(person, 'invested'),
    withdrawing: cents(person, 'withdrawing'),
  }));
  return { purses, sum: all.rows[0]?.sum ?? '', entries: all.rows[0]?.entries ?? '' };
}

class Run {
  readonly id = randomUUID().slice(0, 8);
  readonly people: string[];
  readonly play: (command: Command) => Promise<Played>;
  readonly answers = new Map<string, Played>();
  readonly sent: Command[] = [];
  model = newModel(peopleCount);
  #keys = 0;

  constructor(people: string[]) {
    this.people = people;
    this.play = createPlayer(stageFor(people));
  }

  newKey(): string {
    this.#keys += 1;
    return `${this.id}-${this.#keys}`;
  }

  wait(days: number): void {
    clock.advance(days * dayMs);
    this.model.day += days;
  }

  keep(command: Command, played: Played): void {
    if (command.wish.do === 'settle') return;
    this.sent.push(command);
    this.answers.set(command.key, played);
  }

  async one(command: Command): Promise<void> {
    const expected = obey(this.model, command);
    const played = await this.play(command);
    expect([command.wish, played.outcome]).toEqual([command.wish, expected]);
    this.keep(command, played);
  }

  async repeat(earlier: Command, step: 'again' | 'other body'): Promise<void> {
    const command = step === 'again' ? earlier : withOtherBody(earlier);
    const kept = answerKept(this.model, earlier.key);
    if (!kept) return this.one(command);
    const before = await stored(this.people);
    const played = await this.play(command);
    if (kept.wish === JSON.stringify(command.wish)) expect(played).toEqual(this.answers.get(earlier.key));
    else expect(played.outcome).toBe('reused');
    expect(await stored(this.people)).toEqual(before);
  }

  /**
   * Everything at once, and each wish twice with the same key, while what is due is settled. There must be an order in
   * which one after the other would have ended the same way: then it does not matter that they met.
   */
  async atOnce(wishes: Command[]): Promise<void> {
    const commands: Command[] = [...wishes, { key: this.newKey(), wish: { do: 'settle' } }];
    const [first, second] = await Promise.all([
      Promise.all(commands.map(this.play)),
      Promise.all(wishes.map(this.play)),
    ]);
    expect(second).toEqual(first.slice(0, wishes.length));
    // What somebody was just asking to leave, the settlement passed by; the next one finds it.
    await this.play({ key: this.newKey(), wish: { do: 'settle' } });
    const { purses } = await stored(this.people);
    const found = JSON.stringify([first.map(({ outcome }) => outcome), purses]);
    for (const { after, outcomes } of orders(this.model, commands)) {
      if (JSON.stringify([outcomes, after.purses]) !== found) continue;
      this.model = after;
      for (const [n, command] of commands.entries()) this.keep(command, first[n] as Played);
      return;
    }
    expect({ commands, found }).toBe('the outcome of some order');
  }

  async take(step: Step): Promise<void> {
    if (step.step === 'one') {
      await this.one({ key: this.newKey(), wish: settleOn(step.loose, this.model) });
    } else if (step.step === 'mature') {
      this.wait(step.days);
      await this.one({ key: this.newKey(), wish: { do: 'settle' } });
    } else if (step.step === 'together') {
      const commands = step.loose.map((loose) => ({
        key: this.newKey(),
        wish: settleOn(loose, this.model),
      }));
      this.wait(step.days);
      await this.atOnce(commands);
    } else {
      const earlier = this.sent[step.which % Math.max(1, this.sent.length)];
      if (earlier) await this.repeat(earlier, step.step);
    }
    const { purses, sum } = await stored(this.people);
    expect({ purses, sum }).toEqual({ purses: this.model.purses, sum: '0' });
  }
}

it('the services on PostgreSQL agree with the model after every step, alone and all at once', async () => {
  const step = fc.oneof({ weight: 4, arbitrary: oneByOne }, { weight: 1, arbitrary: together });
  await fc.assert(
    fc.asyncProperty(sequence(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const run = new Run(await newInvestors(test, peopleCount));
      for (const each of steps) await run.take(each);
    }),
    { numRuns: proofRuns(40, 10), endOnFailure: true },
  );
  const { accounts, findings } = await test.context.ledger.checkBooks();
  expect(findings).toEqual([]);
  expect(accounts).toBeGreaterThan(BigInt(proofRuns(100, 25)));
});
