import { randomUUID } from 'node:crypto';
import { amountCentsMax } from '@tallystick/contract/money';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { checkInclusion, leafHash, rootOf } from '../../../verify/merkle.ts';
import { openCheckpoint } from '../../../verify/note.ts';
import { dayMs, minuteMs } from '../../testing/clock.ts';
import { newInvestors } from '../../testing/ledger/investors.ts';
import { answerKept, type Command, type Model, newModel, obey } from '../../testing/ledger/model.ts';
import { modelPlans } from '../../testing/ledger/model-plans.ts';
import { createPlayer, type Played } from '../../testing/ledger/player.ts';
import {
  oneByOne,
  peopleCount,
  type Step,
  sequence,
  settleOn,
  withOtherBody,
} from '../../testing/ledger/steps.ts';
import { correcting, newTxid, type Offers, operator, setBounds, withOffers } from '../../testing/money.ts';
import { proofRuns } from '../../testing/proof-size.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

/**
 * What docs/scale.md plans, tried with the server as it is: two databases that each hold some of the investors and house
 * accounts of their own, and one beside them that holds everybody. The same commands go to the one and, by whose money it
 * is, to one of the two.
 */
// A busy machine takes its time; nothing here is about speed.
vi.setConfig({ testTimeout: 600_000 });

let whole: TestApp;
let shards: [TestApp, TestApp];
let offers: Offers;

/** Where an investor is; here whoever has an even number is in the first. */
const shardOf = (who: number) => shards[who % 2] as TestApp;

/** What all databases hold alike: the same rows with the same ids. */
async function copyRows(table: string, to: TestApp, ids: string[] | null = null): Promise<void> {
  const { rows } = await whole.context.owner.query(
    `select coalesce(json_agg(t), '[]') as all from ${table} t where $1::uuid[] is null or id = any ($1)`,
    [ids],
  );
  await to.context.owner.query(
    `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows[0].all)],
  );
}

beforeAll(async () => {
  whole = await startTestApp();
  shards = [await startTestApp(), await startTestApp()];
  offers = await withOffers(whole);
  for (const test of [whole, ...shards]) {
    await test.jobs.stop();
    // The model knows one approval; how two are given is the console's tests' matter.
    await setBounds(test.context, { thresholdCents: amountCentsMax });
  }
  for (const shard of shards)
    for (const table of ['plans', 'payment_methods', 'withdrawal_methods']) await copyRows(table, shard);
});
afterAll(async () => {
  for (const test of [...shards, whole]) await test.close();
});

const playerOn = ({ context }: TestApp, people: string[]) =>
  createPlayer({
    funding: context.funding,
    investment: context.investment,
    withdrawal: context.withdrawal,
    people,
    correct: correcting(context),
    settle: async () => void (await context.investment.settleDue()),
    plans: modelPlans.map(({ planname }) => offers.plans[planname]),
    withdrawalMethod: offers.withdrawalMethods.Bitcoin,
  });

/** Each in the whole and in the one of the two that is theirs. */
async function newPeople(): Promise<string[]> {
  const people = await newInvestors(whole, peopleCount);
  for (const [who, id] of people.entries()) await copyRows('users', shardOf(who), [id]);
  return people;
}

/** Whose money a command is about: what it is sent by. */
function ownerOf({ wish }: Command, { withdrawals }: Model): number {
  if ('who' in wish) return wish.who;
  const found = 'target' in wish ? withdrawals.find(({ key }) => key === wish.target) : undefined;
  return found?.who ?? 0;
}

type Player = (command: Command) => Promise<Played>;

class Run {
  readonly model = newModel(peopleCount);
  readonly sent: { command: Command; owner: number }[] = [];
  readonly #onAll: Player;
  readonly #onEach: Player[];
  readonly #id = randomUUID().slice(0, 8);

  constructor(people: string[]) {
    this.#onAll = playerOn(whole, people);
    this.#onEach = shards.map((shard) => playerOn(shard, people));
  }

  async #play(command: Command): Promise<void> {
    const owner = ownerOf(command, this.model);
    const expected = obey(this.model, command);
    const isForAll = command.wish.do === 'settle';
    const players = isForAll ? this.#onEach : [this.#onEach[owner % 2] as Player];
    const outcomes = [await this.#onAll(command)];
    for (const play of players) outcomes.push(await play(command));
    for (const { outcome } of outcomes) expect([command.wish, outcome]).toEqual([command.wish, expected]);
    if (!isForAll) this.sent.push({ command, owner });
  }

  async take(step: Step, n: number): Promise<void> {
    const key = `${this.#id}-${n}`;
    if (step.step === 'together') return;
    if (step.step === 'one') return this.#play({ key, wish: settleOn(step.loose, this.model) });
    if (step.step === 'mature') {
      for (const { clock } of [whole, ...shards]) clock.advance(step.days * dayMs);
      this.model.day += step.days;
      return this.#play({ key, wish: { do: 'settle' } });
    }
    const earlier = this.sent[step.which % Math.max(1, this.sent.length)];
    if (!earlier) return;
    const command = step.step === 'again' ? earlier.command : withOtherBody(earlier.command);
    // A key is known where its first command went. Investors' keys stay with them; operators' may not, see docs/scale.md.
    const isElsewhere = ownerOf(command, this.model) % 2 !== earlier.owner % 2;
    // What a correction was proposed for is known longer than that it was refused.
    const isKnown = answerKept(this.model, command.key) ?? this.model.asked[command.key];
    if (!isElsewhere || !isKnown) await this.#play(command);
  }
}

interface Books {
  purses: Record<string, string>;
  house: Record<string, bigint>;
}

async function booksOf({ context: { owner } }: TestApp): Promise<Books> {
  const { rows } = await owner.query<{ kind: string; owner: string | null; cents: string }>(
    'select kind, owner_id as owner, balance_cents as cents from ledger_accounts',
  );
  const books: Books = { purses: {}, house: {} };
  for (const { kind, owner, cents } of rows) {
    const name = `${kind} ${owner}`;
    if (['wallet', 'invested', 'withdrawing'].includes(kind)) books.purses[name] = cents;
    else books.house[name] = BigInt(cents);
  }
  return books;
}

function sumOf(all: Record<string, bigint>[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const each of all)
    for (const [name, cents] of Object.entries(each)) sums[name] = (sums[name] ?? 0n) + cents;
  return sums;
}

/** Whoever asks for another's withdrawal has its accounts made where that is, and only there; nothing moves. */
const withMoney = (house: Record<string, bigint>) =>
  Object.fromEntries(Object.entries(house).filter(([, cents]) => cents !== 0n));

const total = (cents: Iterable<bigint | string>) =>
  [...cents].reduce<bigint>((sum, n) => sum + BigInt(n), 0n);

it('what is sent to two databases by whose money it is comes to what one would have come to', async () => {
  await fc.assert(
    fc.asyncProperty(sequence(oneByOne, { minLength: 10, maxLength: 30, size: 'max' }), async (steps) => {
      const run = new Run(await newPeople());
      for (const [n, step] of steps.entries()) await run.take(step, n);
    }),
    { numRuns: proofRuns(10, 4), endOnFailure: true },
  );
  const all = await booksOf(whole);
  const [one, other] = (await Promise.all(shards.map(booksOf))) as [Books, Books];
  expect(Object.keys(one.purses).length).toBeGreaterThan(3);
  expect(Object.keys(other.purses).length).toBeGreaterThan(3);
  // Every investor's account is in one of them, as it is in the whole; the house's are sub-accounts that add up.
  expect({ ...one.purses, ...other.purses }).toEqual(all.purses);
  expect(Object.keys(one.purses).filter((name) => name in other.purses)).toEqual([]);
  expect(withMoney(sumOf([one.house, other.house]))).toEqual(withMoney(all.house));
  // Each is whole by itself: it adds up to zero, and every chain in it can be recomputed without the other.
  for (const [test, books] of [
    [whole, all],
    [shards[0], one],
    [shards[1], other],
  ] as const) {
    expect(total([...Object.values(books.purses), ...Object.values(books.house)])).toBe(0n);
    expect((await test.context.ledger.checkBooks()).findings).toEqual([]);
  }
});

it('what is owed is the sum of what each database says, and one root stands for both logs', async () => {
  const tests = [whole, ...shards];
  for (const { clock } of tests) clock.advance(2 * minuteMs);
  for (const { context } of tests) {
    await context.proof.prove();
    await context.log.write();
  }
  const said = await Promise.all(
    tests.map(async ({ context }) => (await context.proof.statements({ limit: 1 }))[0]),
  );
  const [all, one, other] = said.map((statement) => statement?.owed ?? []);
  expect(total(all ?? [])).toBeGreaterThan(0n);
  expect(one?.map((cents, n) => cents + (other?.[n] ?? 0n))).toEqual(all);
  const [everybody, ...parts] = said.map((statement) => statement?.investors ?? 0);
  expect(parts.reduce((sum, count) => sum + count, 0)).toBe(everybody);

  // A checkpoint waits a moment for its witnesses.
  for (const { clock } of tests) clock.advance(minuteMs);
  // A leaf of the upper tree is a shard's checkpoint: name, size and root of its log.
  const leaves = async () =>
    Promise.all(
      shards.map(async ({ context: { log } }) => {
        const note = (await log.checkpoint()) ?? '';
        expect(openCheckpoint(note, log.vkey)).toMatchObject({ origin: log.origin });
        return leafHash(new TextEncoder().encode(note.slice(0, note.indexOf('\n\n') + 1)));
      }),
    );
  const [left, right] = (await leaves()) as [Uint8Array, Uint8Array];
  const root = rootOf([left, right]);
  expect(checkInclusion({ index: 0, size: 2, root, leaf: left, proof: [right] })).toBe(true);
  expect(checkInclusion({ index: 1, size: 2, root, leaf: right, proof: [left] })).toBe(true);
  // What one of the logs is told moves the root; the other's place in it stays as it was.
  for (const { clock } of tests) clock.advance(2 * minuteMs);
  await shards[1].context.proof.prove();
  await shards[1].context.log.write();
  for (const { clock } of tests) clock.advance(minuteMs);
  const [same, grown] = (await leaves()) as [Uint8Array, Uint8Array];
  expect(same).toEqual(left);
  expect(rootOf([same, grown])).not.toEqual(root);
});

it('a payment that is named in both would be credited in both: who has claimed it has to be asked in one place', async () => {
  const people = await newPeople();
  const payment = { chainTxid: newTxid(), chainOutput: 0, receivedCents: 5_000n };
  const name = async ({ context: { funding } }: TestApp, who: number) => {
    const asked = { userId: people[who] ?? '', paymentname: 'Bitcoin', amountCents: 5_000n };
    const { id: requestId } = await funding.askForFunding({ ...asked, idempotencyKey: null });
    const confirmed = funding.confirmFunding({
      requestId,
      ...payment,
      actor: operator(),
      idempotencyKey: null,
    });
    return confirmed.then(
      ({ status }) => status,
      (error) => error.code,
    );
  };
  expect([await name(whole, 0), await name(whole, 1)]).toEqual(['confirmed', 'already_decided']);
  expect([await name(shards[0], 0), await name(shards[1], 1)]).toEqual(['confirmed', 'confirmed']);
});
