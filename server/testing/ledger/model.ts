import { modelPlans } from './model-plans.ts';

/*
 * A second opinion on what money commands do: one thread, plain numbers, no batches, no chains, no database. It shares
 * nothing with the code that it judges, so that a mistake would have to be made twice.
 */

export type AtMaturity = 'wallet' | 'principal' | 'everything';

export type Wish =
  | { do: 'deposit' | 'withdraw' | 'correct'; who: number; cents: number }
  | { do: 'invest'; who: number; plan: number; cents: number }
  /** The target is the key under which the withdrawal was asked for. */
  | { do: 'approve' | 'pay' | 'reject'; target: string }
  | { do: 'cancel'; who: number; target: string }
  /** What shall happen at the end of the investment that was made under a key. */
  | { do: 'choose'; who: number; target: string; choice: AtMaturity }
  /** The target is the key of the purchase, the amount what leaving is to pay. */
  | { do: 'exit'; who: number; target: string; cents: number }
  | { do: 'settle' };

export interface Command {
  key: string;
  wish: Wish;
}

type Refused =
  | 'short'
  | 'outside'
  | 'decided'
  | 'unknown'
  | 'reused'
  | 'many'
  | 'refused'
  | 'changed'
  | 'closed';
export type Outcome = 'done' | Refused;

interface Purse {
  wallet: number;
  invested: number;
  withdrawing: number;
}

interface Invested {
  /** Null for what was invested again. */
  key: string | null;
  who: number;
  plan: number;
  cents: number;
  profit: number;
  due: number;
  open: boolean;
  choice: AtMaturity;
  told: boolean;
}

export interface Model {
  day: number;
  purses: Purse[];
  house: { clearing: number; payouts: number; returns: number; corrections: number };
  withdrawals: { key: string; who: number; cents: number; status: string }[];
  investments: Invested[];
  /** How often something was invested again. */
  again: number;
  answers: Record<string, { wish: string; outcome: Outcome; day: number }>;
  /** What corrections were asked for under which key: asked is asked, even if it could not be posted. */
  asked: Record<string, string>;
}

export function newModel(people: number): Model {
  return {
    day: 0,
    purses: Array.from({ length: people }, () => ({ wallet: 0, invested: 0, withdrawing: 0 })),
    house: { clearing: 0, payouts: 0, returns: 0, corrections: 0 },
    withdrawals: [],
    investments: [],
    again: 0,
    answers: {},
    asked: {},
  };
}

/** Does to the model what the command should do to the books, and says how it should end. */
export function obey(model: Model, { key, wish }: Command): Outcome {
  // It has no key: sent again it is the same wish.
  if (wish.do === 'choose') return choose(model, wish);
  const text = JSON.stringify(wish);
  const earlier = answerKept(model, key);
  if (earlier) return earlier.wish === text ? earlier.outcome : 'reused';
  if (wish.do === 'correct') {
    model.asked[key] ??= text;
    if (model.asked[key] !== text) return 'reused';
  }
  const outcome = obeyFresh(model, key, wish);
  model.answers[key] = { wish: text, outcome, day: model.day };
  return outcome;
}

/** What was done is known for good; a refusal moved nothing and is kept for a day. */
export function answerKept(model: Model, key: string) {
  const answer = model.answers[key];
  return answer?.outcome === 'done' || answer?.day === model.day ? answer : undefined;
}

function obeyFresh(model: Model, key: string, wish: Exclude<Wish, { do: 'choose' }>): Outcome {
  switch (wish.do) {
    case 'deposit':
      return fund(model, wish.who, wish.cents);
    case 'invest':
      return invest(model, key, wish);
    case 'withdraw':
      return withdraw(model, key, wish);
    case 'correct':
      return correct(model, wish.who, wish.cents);
    case 'exit':
      return exit(model, wish);
    case 'settle':
      return settle(model);
    default:
      return decide(model, wish);
  }
}

function purseOf(model: Model, who: number): Purse {
  const purse = model.purses[who];
  if (!purse) throw new Error(`there is no person ${who}`);
  return purse;
}

function fund(model: Model, who: number, cents: number): Outcome {
  if (cents < 10_00 || cents > 1_000_000_00) return 'outside';
  purseOf(model, who).wallet += cents;
  model.house.clearing -= cents;
  return 'done';
}

interface Investing {
  who: number;
  plan: number;
  cents: number;
}

function invest(model: Model, key: string | null, { who, plan, cents }: Investing): Outcome {
  const terms = modelPlans[plan];
  if (!terms) return 'unknown';
  if (cents < terms.from || cents > terms.to) return 'outside';
  const purse = purseOf(model, who);
  if (purse.wallet < cents) return 'short';
  purse.wallet -= cents;
  purse.invested += cents;
  const profit = roundHalfEven(cents * terms.roiPoints);
  const due = model.day + terms.days;
  model.investments.push({ key, who, plan, cents, profit, due, open: true, choice: 'wallet', told: false });
  return 'done';
}

/** What leaving pays on the model's day: kept profit and fee; null where it cannot be left. */
function leaving(model: Model, { plan, cents, profit, due }: Model['investments'][number]) {
  const terms = modelPlans[plan];
  const over = terms ? model.day - (due - terms.days) : 0;
  if (!terms?.exit || over < terms.exit.from || over >= terms.days) return null;
  const kept = roundHalfEven(Math.floor((profit * over) / terms.days) * terms.exit.keeps);
  return { kept, fee: roundHalfEven(cents * terms.exit.fee) };
}

/** What somebody is shown who looks at leaving now; nothing where that is not possible. */
export function shownToLeaver(model: Model, investment: Model['investments'][number]): number {
  const pays = leaving(model, investment);
  return pays ? investment.cents + pays.kept - pays.fee : 0;
}

function exit(model: Model, wish: Extract<Wish, { do: 'exit' }>): Outcome {
  const found = model.investments.find(({ key }) => key === wish.target);
  if (!found || found.who !== wish.who) return 'unknown';
  if (!found.open) return 'decided';
  const pays = leaving(model, found);
  if (!pays) return 'refused';
  if (shownToLeaver(model, found) !== wish.cents) return 'changed';
  found.open = false;
  const purse = purseOf(model, found.who);
  purse.invested -= found.cents;
  purse.wallet += found.cents + pays.kept - pays.fee;
  model.house.returns += pays.fee - pays.kept;
  return 'done';
}

const againOf = ({ cents, profit, choice }: Pick<Invested, 'cents' | 'profit' | 'choice'>) =>
  choice === 'everything' ? cents + profit : cents;

function choose(model: Model, { who, target, choice }: Extract<Wish, { do: 'choose' }>): Outcome {
  const found = model.investments.find(({ key }) => key === target);
  const terms = modelPlans[found?.plan ?? -1];
  if (!found || !terms || found.who !== who) return 'unknown';
  if (!terms.reinvestable || !found.open || found.due <= model.day) return 'closed';
  const cents = againOf({ ...found, choice });
  if (choice !== 'wallet' && (cents < terms.from || cents > terms.to)) return 'outside';
  found.choice = choice;
  found.told = found.due - model.day <= 3;
  return 'done';
}

/** Letters leave three days before, and nobody writes one later. */
function tell(model: Model): void {
  for (const each of model.investments) if (each.due - model.day === 3) each.told = true;
}

/** Of a number of ten-thousandths. */
function roundHalfEven(tenThousandths: number): number {
  const rest = tenThousandths % 10_000;
  const whole = (tenThousandths - rest) / 10_000;
  if (rest === 5_000) return whole % 2 === 0 ? whole : whole + 1;
  return rest > 5_000 ? whole + 1 : whole;
}

/** So many withdrawals of one investor may be under way. */
export const underWayMax = 20;

export function underWay(model: Model, who: number): number {
  return model.withdrawals.filter((each) => each.who === who && each.status !== 'ended').length;
}

function withdraw(model: Model, key: string, { who, cents }: { who: number; cents: number }): Outcome {
  if (cents < 10_00) return 'outside';
  if (underWay(model, who) >= underWayMax) return 'many';
  const purse = purseOf(model, who);
  if (purse.wallet < cents) return 'short';
  purse.wallet -= cents;
  purse.withdrawing += cents;
  model.withdrawals.push({ key, who, cents, status: 'requested' });
  return 'done';
}

function decide(
  model: Model,
  wish: Exclude<Extract<Wish, { target: string }>, { do: 'exit' | 'choose' }>,
): Outcome {
  const found = model.withdrawals.find(({ key }) => key === wish.target);
  if (!found || (wish.do === 'cancel' && wish.who !== found.who)) return 'unknown';
  const possible = {
    approve: found.status === 'requested',
    pay: found.status === 'approved',
    reject: found.status === 'requested' || found.status === 'approved',
    cancel: found.status === 'requested',
  };
  if (!possible[wish.do]) return 'decided';
  const purse = purseOf(model, found.who);
  if (wish.do === 'approve') {
    found.status = 'approved';
    return 'done';
  }
  found.status = 'ended';
  purse.withdrawing -= found.cents;
  if (wish.do === 'pay') model.house.payouts += found.cents;
  else purse.wallet += found.cents;
  return 'done';
}

function correct(model: Model, who: number, cents: number): Outcome {
  const purse = purseOf(model, who);
  if (purse.wallet + cents < 0) return 'short';
  purse.wallet += cents;
  model.house.corrections -= cents;
  return 'done';
}

function settle(model: Model): Outcome {
  tell(model);
  for (const investment of model.investments) {
    if (!investment.open || investment.due > model.day) continue;
    investment.open = false;
    const purse = purseOf(model, investment.who);
    purse.invested -= investment.cents;
    purse.wallet += investment.cents + investment.profit;
    model.house.returns -= investment.profit;
    if (investment.choice === 'wallet' || !investment.told) continue;
    const { who, plan } = investment;
    if (invest(model, null, { who, plan, cents: againOf(investment) }) === 'done') model.again += 1;
  }
  return 'done';
}
