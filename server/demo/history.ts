import { randomUUID } from 'node:crypto';
import { bech32 } from '@scure/base';
import { networkOf } from '@tallystick/contract/networks';
import { readBrand, readSamplePeople } from '../config/content.ts';
import { type Context, createMoney } from '../context.ts';
import type { Mail } from '../modules/mail/service.ts';
import { createNotices } from '../modules/notices/service.ts';
import { createUsers } from '../modules/users/service.ts';
import { type BitcoinNetwork, bitcoinParams } from '../platform/chains/bitcoin/params.ts';
import { dayMs } from '../platform/clock.ts';
import { createSealer } from '../platform/sealing.ts';
import { createTelling, lettersOf } from '../telling.ts';
import { demoInvestor } from './people.ts';
import { sampleTxid } from './sample-chain.ts';

const clientAddress = 'demo seed';
/** On whichever of Bitcoin's networks the server is. Nobody has its key. */
const bitcoinAddress = (network: BitcoinNetwork) =>
  bech32.encode(bitcoinParams[network].bech32, [0, ...bech32.toWords(Buffer.from('a sample, nobody has'))]);
const ethereumAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/**
 * The same verbs that people use, on a clock that is set back: a sample history is lived through, not written. What
 * happens is noted, and its letters are caught: a mailbox full of them would be a poor welcome.
 */
function openPast({ config, db, logger, mail, prices, networks }: Context) {
  const present = Date.now();
  let at = present;
  const clock = { now: () => new Date(at) };
  let linkToken = '';
  const catchToken = (letter: object) => {
    if ('linkToken' in letter) linkToken = String(letter.linkToken);
  };
  const caught: Mail = {
    ...mail,
    queue: async ({ letter }) => catchToken(letter),
    queueAll: async ({ orders }) => {
      for (const { letter } of orders) catchToken(letter);
    },
  };
  const notices = createNotices({ db, clock, mail: caught });
  const users = createUsers({
    db,
    clock,
    logger,
    mail: notices.post,
    operatorMail: caught,
    codeSecret: config.secrets.codes,
    session: config.session,
    totpSealer: createSealer(config.secrets.totp),
    siteName: readBrand().name,
    siteUrl: config.siteUrl,
    refusedEmails: [],
  });
  const money = createMoney({ db, clock, logger, users, prices, networks });
  return {
    bitcoinNetwork: config.bitcoinNetwork,
    users,
    notices,
    ...money,
    telling: createTelling({ ledger: money.ledger, users, logger, lettersAbout: lettersOf(money) }),
    goTo({ daysAgo }: { daysAgo: number }) {
      at = present - Math.round(daysAgo * dayMs);
    },
    daysAgo: () => (present - at) / dayMs,
    linkToken: () => linkToken,
  };
}

type Past = ReturnType<typeof openPast>;

interface Told {
  past: Past;
  operators: [first: string, second: string];
  /** What is still to happen. */
  agenda: Happening[];
}

const acting = (id: string) => ({ kind: 'operator', id }) as const;
const cents = (dollars: number) => BigInt(Math.round(dollars * 100));

async function join({ past }: Told, person: { fullname: string; email: string; password: string }) {
  const { userId } = await past.users.register({ ...person, clientAddress });
  await past.users.verifyLink({ token: past.linkToken(), clientAddress });
  return userId;
}

function ask({ past }: Told, userId: string, paymentname: string, dollars: number) {
  const amountCents = cents(dollars);
  return past.funding.askForFunding({ userId, paymentname, amountCents, idempotencyKey: null });
}

/** Confirmed by one operator, and by the other as well where one is not enough. */
async function deposit(told: Told, userId: string, paymentname: string, dollars: number): Promise<void> {
  const { id: requestId, amountCents, coin } = await ask(told, userId, paymentname, dollars);
  const chainTxid = sampleTxid(networkOf(coin) ?? 'bitcoin');
  const arrived = { requestId, receivedCents: amountCents, chainTxid, chainOutput: null };
  for (const by of told.operators) {
    const confirmation = { ...arrived, actor: acting(by), idempotencyKey: null };
    const { status } = await told.past.funding.confirmFunding(confirmation);
    if (status === 'confirmed') return;
  }
}

async function invest(told: Told, userId: string, planname: string, dollars: number): Promise<string> {
  const { past, agenda } = told;
  const plan = (await past.investment.plans()).find((each) => each.planname === planname);
  if (!plan) return '';
  const wish = { userId, planId: plan.id, amountCents: cents(dollars), idempotencyKey: null };
  const { id } = await past.investment.makeInvestment(wish);
  // Paid to the minute, as the worker does it.
  const daysAgo = past.daysAgo() - plan.durationDays;
  if (daysAgo > 0) agenda.push({ daysAgo, act: past.investment.settleDue });
  return id;
}

async function withdraw({ past }: Told, userId: string, methodname: string, dollars: number) {
  const method = (await past.withdrawal.withdrawalMethods()).find((each) => each.methodname === methodname);
  const address = methodname === 'Bitcoin' ? bitcoinAddress(past.bitcoinNetwork) : ethereumAddress;
  const wish = { userId, methodId: method?.id ?? '', amountCents: cents(dollars), address };
  return past.withdrawal.askForWithdrawal({ ...wish, idempotencyKey: null });
}

/** Something that happened, so many days ago. */
interface Happening {
  daysAgo: number;
  act(): Promise<unknown>;
}

const hoursAgo = (hours: number) => hours / 24;

/** Eight months of one investor: money in, plans that ended, plans that run, money out, a deposit that never came. */
function amarasMonths(told: Told, ids: Map<string, string>): Happening[] {
  const { past, operators } = told;
  const amara = () => ids.get(demoInvestor.email) ?? '';
  let paid = '';
  let lost = '';
  let running = '';
  const pay = async () => {
    const step = { withdrawalId: paid, idempotencyKey: null };
    await past.withdrawal.approveWithdrawal({ ...step, actor: acting(operators[0]) });
    const chainTxid = sampleTxid('bitcoin');
    for (const by of operators) {
      const said = await past.withdrawal.markWithdrawalPaid({ ...step, chainTxid, actor: acting(by) });
      if (said.status === 'paid') return;
    }
  };
  /** What she does with the plan that runs, when it has come to its end. */
  const goOn = () =>
    past.investment.chooseMaturity({
      userId: amara(),
      investmentId: running,
      choice: 'everything',
      clientAddress,
    });
  /** She has looked at what happened; what follows is new to her. */
  const look = async () => {
    const ids = (await past.notices.list({ userId: amara() })).notices.map(({ id }) => id);
    await past.notices.markRead({ userId: amara(), ids, olderThan: ids.at(-1) });
  };
  const reject = () =>
    past.funding.rejectFunding({
      requestId: lost,
      actor: acting(operators[1]),
      idempotencyKey: null,
      reason:
        'Nothing arrived at this address within two days. If you sent it, reply with the transaction id.',
    });
  return [
    { daysAgo: 250, act: async () => ids.set(demoInvestor.email, await join(told, demoInvestor)) },
    { daysAgo: 249.2, act: () => deposit(told, amara(), 'Bitcoin', 3_000) },
    { daysAgo: 248.8, act: () => invest(told, amara(), 'Starter', 1_500) },
    { daysAgo: 218, act: () => invest(told, amara(), 'Standard', 2_500) },
    { daysAgo: 150, act: () => deposit(told, amara(), 'Ethereum', 5_000) },
    { daysAgo: 149, act: () => invest(told, amara(), 'Standard', 4_000) },
    { daysAgo: 100, act: async () => (paid = (await withdraw(told, amara(), 'Bitcoin', 300)).id) },
    { daysAgo: 99.2, act: pay },
    { daysAgo: 60.4, act: () => deposit(told, amara(), 'Bitcoin', 8_000) },
    { daysAgo: 45.1, act: async () => (running = await invest(told, amara(), 'Standard', 7_500)) },
    { daysAgo: 30.2, act: goOn },
    { daysAgo: 20.3, act: () => invest(told, amara(), 'Starter', 1_500) },
    { daysAgo: 12.6, act: () => deposit(told, amara(), 'Ethereum', 1_200) },
    { daysAgo: 6, act: async () => (lost = (await ask(told, amara(), 'Ripple', 500)).id) },
    { daysAgo: 4, act: reject },
    { daysAgo: 3, act: look },
    { daysAgo: hoursAgo(2.1), act: () => withdraw(told, amara(), 'Bitcoin', 750) },
  ];
}

/** How the others began, in the order of `content/`, and what they ask for today. */
const beginnings = [
  { daysAgo: 118, method: 'Bitcoin', dollars: 22_000, plan: 'Reserve', invested: 15_000 },
  { daysAgo: 96, method: 'Ethereum', dollars: 6_400, plan: 'Standard', invested: 3_000 },
  { daysAgo: 74, method: 'Ripple', dollars: 900, plan: 'Starter', invested: 400 },
  { daysAgo: 52, method: 'Ethereum', dollars: 9_500, plan: 'Standard', invested: 4_200 },
  { daysAgo: 24.4, method: 'Bitcoin', dollars: 24_500, plan: 'Reserve', invested: 12_500 },
];

function othersMonths(told: Told, ids: Map<string, string>): Happening[] {
  const people = readSamplePeople().investors;
  const months = people.flatMap((person, n): Happening[] => {
    const begin = beginnings[n];
    if (!begin) return [];
    const { daysAgo, method, dollars, plan, invested } = begin;
    const who = () => ids.get(person.email) ?? '';
    const password = randomUUID();
    return [
      { daysAgo, act: async () => ids.set(person.email, await join(told, { ...person, password })) },
      { daysAgo: daysAgo - 1, act: () => deposit(told, who(), method, dollars) },
      { daysAgo: daysAgo - 2, act: () => invest(told, who(), plan, invested) },
    ];
  });
  const who = (n: number) => ids.get(people[n]?.email ?? '') ?? '';
  const correct = () =>
    told.past.ledger.proposeCorrection({
      userId: who(2),
      amountCents: 1_240n,
      reason: 'The network fee of a deposit was ours.',
      actor: acting(told.operators[0]),
      idempotencyKey: null,
    });
  return [
    ...months,
    { daysAgo: hoursAgo(3.2), act: () => ask(told, who(0), 'Bitcoin', 12_400) },
    { daysAgo: hoursAgo(1.7), act: () => ask(told, who(1), 'Ethereum', 5_000) },
    { daysAgo: hoursAgo(1.3), act: () => withdraw(told, who(3), 'Ethereum', 3_200) },
    { daysAgo: hoursAgo(1), act: correct },
    { daysAgo: hoursAgo(0.9), act: () => ask(told, who(2), 'Ripple', 1_250) },
    { daysAgo: hoursAgo(0.6), act: () => withdraw(told, who(4), 'Bitcoin', 9_800) },
  ];
}

/**
 * What the sample operators would have counted: what came in, and some of the company's own. Nobody counts what is read
 * from a chain.
 */
async function enterHeld({ operator, funding, networks }: Context, by: string): Promise<void> {
  const held: Record<string, number> = { Bitcoin: 61_200, Ethereum: 24_800, BnB: 2_000, Ripple: 1_500 };
  for (const { id: methodId, paymentname, coin } of await funding.allPaymentMethods()) {
    const network = networkOf(coin);
    if (network && networks.isWatched(network)) continue;
    const amountCents = cents(held[paymentname] ?? 0);
    await operator.enterHeld({ methodId, amountCents, actor: acting(by) });
  }
}

export async function hasHistory({ operator }: Context): Promise<boolean> {
  const found = await operator.pageOfInvestors({ search: demoInvestor.email, page: 1, pageSize: 1 });
  return found.total > 0;
}

/** Lived through once, in the order in which it happened, when the sample investor is not there yet. */
export async function seedHistory(context: Context): Promise<void> {
  if (await hasHistory(context)) return;
  const [first = '', second = ''] = (await context.users.operatorNames()).keys();
  const told: Told = { past: openPast(context), operators: [first, second], agenda: [] };
  const ids = new Map<string, string>();
  told.agenda.push(...amarasMonths(told, ids), ...othersMonths(told, ids));
  for (;;) {
    told.agenda.sort((a, b) => a.daysAgo - b.daysAgo);
    const next = told.agenda.pop();
    if (!next) break;
    told.past.goTo(next);
    await next.act();
    await told.past.telling.tellAll();
  }
  await enterHeld(context, first);
  await context.contact.sendContactMessage({ ...readSamplePeople().message, clientAddress });
  await context.ledger.checkBooks();
}
