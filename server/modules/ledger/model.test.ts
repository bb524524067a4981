import { randomUUID } from 'node:crypto';
import { amountCentsMax } from '@tallystick/contract/money';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../../platform/app-error.ts';
import { createTestClock, dayMs } from '../../testing/clock.ts';
import { ChoicesInMemory, plansInMemory as plans } from '../../testing/ledger/choices-in-memory.ts';
import { answerKept, type Command, type Model, newModel, obey } from '../../testing/ledger/model.ts';
import { noRows } from '../../testing/ledger/no-rows.ts';
import { createPlayer, type Stage } from '../../testing/ledger/player.ts';
import {
  oneByOne,
  peopleCount,
  type Step,
  sequence,
  settleOn,
  withOtherBody,
} from '../../testing/ledger/steps.ts';
import { operator } from '../../testing/money.ts';
import { proofRuns } from '../../testing/proof-size.ts';
import type { BoundsRegister } from '../bounds/service.ts';
import { createFunding } from '../funding/service.ts';
import type { FundingRow } from '../funding/store.ts';
import { createInvestment } from '../investment/service.ts';
import { settleInto } from '../investment/settlement.ts';
import type { InvestmentRow } from '../investment/store.ts';
import type { Networks } from '../networks/service.ts';
import type { Users } from '../users/service.ts';
import { createWithdrawal } from '../withdrawal/service.ts';
import type { WithdrawalRow } from '../withdrawal/store.ts';
import { AccountMap } from './account-rules.ts';
import { createCorrections } from './corrections.ts';
import type { CorrectionRow } from './corrections-store.ts';
import { type Account, type AccountRef, Book, genesisHash } from './rules.ts';
import type { Ledger } from './service.ts';
import type { Decision, MoneyCommand, MoneyWork } from './verb/money-work.ts';

const method = { id: randomUUID(), position: 0, active: true };
const paymentMethod = { ...method, paymentname: 'Bitcoin', paymentaddress: 'tb1', network: 'test' };
const withdrawalMethod = { ...method, methodname: 'Bitcoin', network: 'bitcoin' };
const offered = new Map(plans.map((plan) => [plan.id, plan]));
/** What is never asked for anything. */
const unused = <T>() => undefined as T;
/** The model knows one approval and no chain; how two are given is the console's tests' matter. */
const unbounded = () => {
  const approved = { ofInvestor: new Map(), toAddress: new Map(), byOperator: new Map() };
  const onChains = { seen: new Map(), ownerless: new Set(), watched: new Set() };
  return { ...approved, ...onChains, departed: new Set(), thresholdCents: amountCentsMax };
};
const undecided = { decidedBy: null, decidedAt: null, transactionid: null };

/** The modules' real decisions on real books, with the tables they would be read from kept in memory. */
class BooksInMemory {
  readonly clock = createTestClock();
  readonly accounts = new AccountMap<Account>();
  readonly answers = new Map<string, { body: string; decision: Decision<unknown>; at: number }>();
  readonly withdrawals = new Map<string, WithdrawalRow>();
  readonly requests = new Map<string, FundingRow>();
  readonly claims = new Map<string, unknown[]>();
  readonly corrections = new Map<string, CorrectionRow>();
  readonly investments = new Map<string, InvestmentRow>();
  readonly choices = new ChoicesInMemory(this.clock, plans, this.investments);
  people: string[] = [];

  open(refs: AccountRef[]): Book {
    const fresh = { balanceCents: 0n, entryCount: 0n, head: genesisHash, lastEntryAt: null };
    return new Book(refs.map((ref) => this.accounts.get(ref) ?? { ...ref, id: randomUUID(), ...fresh }));
  }

  close(book: Book): void {
    for (const account of book.take().accounts) this.accounts.set(account, account);
  }

  #factsOf(command: object): unknown {
    if ('investmentId' in command) {
      return new Map([...this.investments].map(([id, row]) => [id, { ...offered.get(row.planId), ...row }]));
    }
    if ('planId' in command) return offered;
    if ('paymentname' in command) {
      const methods = new Map([[paymentMethod.paymentname, paymentMethod]]);
      return { methods, pending: new Map(), closed: new Set(), prices: null };
    }
    if ('correctionId' in command) return { waiting: this.corrections, departed: new Set() };
    if ('requestId' in command) {
      const networks = new Map([[method.id, 'bitcoin']]);
      return { requests: this.requests, networkOfMethod: networks, claims: this.claims, ...unbounded() };
    }
    const allowed = { waits: new Map(), books: new Map() };
    const free = { frozenBecause: null, frozenInvestors: new Map(), depositAddresses: [], allowed };
    if ('withdrawalId' in command) {
      const { claims, withdrawals } = this;
      const noSheets = { sheets: new Map(), shown: new Set(), shared: new Set(), sharing: new Set() };
      const nothingSeen = { spends: new Map(), received: [] };
      return { ...free, ...unbounded(), ...noSheets, ...nothingSeen, withdrawals, claims };
    }
    if ('methodId' in command) {
      const methods = new Map([[method.id, withdrawalMethod]]);
      return { ...free, methods, open: new Map(this.people.map((id) => [id, this.#open(id)])) };
    }
    return null;
  }

  #open(id: string): number {
    const open = [...this.withdrawals.values()].filter(({ status }) => /requested|approved/.test(status));
    return open.filter(({ userId }) => userId === id).length;
  }

  /** Whichever a command may touch. */
  #everyAccount(): AccountRef[] {
    const kinds = ['wallet', 'invested', 'withdrawing'] as const;
    return [
      ...this.people.flatMap((ownerId) => kinds.map((kind) => ({ kind, ownerId }))),
      { kind: 'clearing', ownerId: method.id },
      { kind: 'payouts', ownerId: null },
      { kind: 'corrections', ownerId: null },
      { kind: 'returns', ownerId: null },
    ];
  }

  #keep(row: object): void {
    if ('durationDays' in row) this.investments.set((row as InvestmentRow).id, row as InvestmentRow);
    if ('methodname' in row) this.withdrawals.set((row as WithdrawalRow).id, row as WithdrawalRow);
    if ('paymentaddress' in row) this.requests.set((row as FundingRow).id, row as FundingRow);
  }

  verb =
    <C extends MoneyCommand, Facts, Row>(work: MoneyWork<C, Facts, Row>) =>
    async (command: C): Promise<Row> => {
      const name = `${command.scope} ${command.idempotencyKey}`;
      const body = JSON.stringify(work.bodyOf(command));
      const known = this.answers.get(name);
      const at = this.clock.now().getTime();
      const earlier = known && 'refused' in known.decision && at - known.at >= dayMs ? undefined : known;
      if (earlier && earlier.body !== body) throw new AppError('key_reused', 'Used for another.');
      const decision = (earlier?.decision as Decision<Row>) ?? this.#decide(work, command);
      if (!earlier) this.answers.set(name, { body, decision, at });
      if ('refused' in decision) throw new AppError(decision.refused.code, decision.refused.message);
      return decision.row;
    };

  #decide<C extends MoneyCommand, Facts, Row>(work: MoneyWork<C, Facts, Row>, command: C): Decision<Row> {
    const facts = this.#factsOf(command) as Facts;
    const book = this.open(this.#everyAccount());
    const borne = { movementId: randomUUID(), bodySha256: '' };
    const decision = work.decide({ command, facts, book, now: this.clock.now(), borne });
    this.close(book);
    if ('row' in decision) this.#keep(decision.row as object);
    return decision;
  }

  /** Asked for by one operator and posted by another; what was asked under the same key with the same words is one. */
  async correct({ userId, amountCents, reason, idempotencyKey = null }: Parameters<Stage['correct']>[0]) {
    const id = [idempotencyKey, userId, amountCents].join(' ');
    const row = { id, userId, amountCents, reason, askedBy: 'operator-1', askedAt: this.clock.now() };
    const asked = [...this.corrections.keys()].find((each) => each.startsWith(`${idempotencyKey} `));
    if (asked !== undefined && asked !== id) throw new AppError('key_reused', 'Used for another.');
    if (!this.corrections.has(id)) this.corrections.set(id, { ...row, ...undecided });
    const { confirmCorrection } = createCorrections({ db: unused(), clock: this.clock, verb: this.verb });
    return confirmCorrection({ correctionId: id, actor: operator('operator-2'), idempotencyKey });
  }

  async settle(): Promise<void> {
    const now = this.clock.now();
    const due = [...this.investments.values()].filter((each) => !each.settledAt && each.maturesAt <= now);
    const book = this.open(this.#everyAccount());
    const { short, opened } = settleInto(book, { at: now, due, choices: this.choices.chosen, offered });
    expect(short).toEqual([]);
    this.close(book);
    for (const each of due) each.settledAt = now;
    for (const each of opened) this.investments.set(each.id, each);
  }

  stage(people: string[]): Stage {
    this.people = people;
    const ledger = { verb: this.verb, frozenBecause: async () => null } as unknown as Ledger;
    const users = { newAddressesAfter: async () => new Map() } as unknown as Users;
    const anyAddress = { addressRefusal: () => null, needsTag: async () => false } as unknown as Networks;
    const needs = { db: noRows, clock: this.clock, ledger, users, bounds: unused<BoundsRegister>() };
    return {
      funding: createFunding({ ...needs, prices: unused(), networks: unused() }),
      investment: {
        ...createInvestment({ ...needs, db: unused(), logger: unused() }),
        maturityTerms: async (which) => ({
          investment: unused(),
          offered: unused(),
          offers: this.choices.offers(which),
        }),
        chooseMaturity: async (wish) => {
          this.choices.choose(wish);
          return unused();
        },
        tellMaturities: async () => this.choices.tell(),
      },
      withdrawal: createWithdrawal({ ...needs, logger: unused(), networks: anyAddress, funding: unused() }),
      correct: (wanted) => this.correct(wanted),
      settle: () => this.settle(),
      people,
      plans: plans.map(({ id }) => id),
      withdrawalMethod: method.id,
    };
  }
}

/** Comparing texts first: a hundred thousand of vitest's own comparisons would take most of the test's time. */
function expectSame(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual).toEqual(expected);
}

/** All accounts as numbers, in the model's shape, so that one comparison says it all. */
function balancesIn(books: BooksInMemory, people: string[]) {
  const balance = (kind: AccountRef['kind'], ownerId: string | null) =>
    Number(books.accounts.get({ kind, ownerId })?.balanceCents ?? 0n);
  return {
    purses: people.map((person) => ({
      wallet: balance('wallet', person),
      invested: balance('invested', person),
      withdrawing: balance('withdrawing', person),
    })),
    house: {
      clearing: balance('clearing', method.id),
      payouts: balance('payouts', null),
      returns: balance('returns', null),
      corrections: balance('corrections', null),
    },
  };
}

function expectAgreement(books: BooksInMemory, model: Model, people: string[]): void {
  const { purses, house } = balancesIn(books, people);
  expectSame({ purses, house }, { purses: model.purses, house: model.house });
  const below = purses.flatMap(Object.values).filter((balance) => balance < 0);
  const sum = [...books.accounts.values()].reduce((total, { balanceCents }) => total + balanceCents, 0n);
  expectSame([below, Number(sum)], [[], 0]);
}

/** The command of a step; undefined when there is nothing yet to repeat, or when only time passes. */
function commandOf(step: Step, model: Model, sent: Command[], key: string): Command | undefined {
  if (step.step === 'one') return { key, wish: settleOn(step.loose, model) };
  if (step.step === 'mature') return { key, wish: { do: 'settle' } };
  if (step.step === 'together') return undefined;
  const earlier = sent[step.which % Math.max(1, sent.length)];
  return earlier && (step.step === 'again' ? earlier : withOtherBody(earlier));
}

async function runAgainstModel(steps: Step[]): Promise<Set<string>> {
  const people = Array.from({ length: peopleCount }, () => randomUUID());
  const books = new BooksInMemory();
  const play = createPlayer(books.stage(people));
  const model = newModel(peopleCount);
  const sent: Command[] = [];
  const answers = new Map<string, unknown>();
  const seen = new Set<string>();
  for (const [n, step] of steps.entries()) {
    if (step.step === 'mature') {
      books.clock.advance(step.days * dayMs);
      model.day += step.days;
    }
    const command = commandOf(step, model, sent, `key-${n}`);
    if (!command) continue;
    const isKept = answerKept(model, command.key) !== undefined;
    const expected = obey(model, command);
    const { outcome, answer } = await play(command);
    expectSame([command, outcome], [command, expected]);
    expectAgreement(books, model, people);
    seen.add(`${command.wish.do} ${outcome}`);
    if (isKept && expected !== 'reused') expect(answer).toEqual(answers.get(command.key));
    if (model.again > 0) seen.add('invested again');
    if (step.step === 'one') sent.push(command);
    if (!isKept) answers.set(command.key, answer);
  }
  return seen;
}

const everyEnd = Object.entries({
  deposit: ['done', 'outside'],
  invest: ['done', 'short', 'outside'],
  withdraw: ['done', 'short', 'outside', 'reused'],
  approve: ['done', 'decided', 'unknown'],
  pay: ['done', 'decided'],
  reject: ['done', 'decided'],
  cancel: ['done', 'decided', 'unknown'],
  correct: ['done', 'short', 'reused'],
  settle: ['done'],
  choose: ['done', 'closed', 'unknown'],
  invested: ['again'],
  exit: ['done', 'refused', 'changed', 'decided', 'unknown', 'reused'],
}).flatMap(([wish, ends]) => ends.map((end) => `${wish} ${end}`));

it('whatever is asked for in whatever order, the books agree with the model after every step', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(sequence(oneByOne, { maxLength: 60, size: 'max' }), async (steps) => {
      for (const end of await runAgainstModel(steps)) seen.add(end);
    }),
    { numRuns: proofRuns(2000, 400) },
  );
  // A run that never came to some end would prove nothing about it.
  expect(everyEnd.filter((end) => !seen.has(end))).toEqual([]);
}, 600_000);
