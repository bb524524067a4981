import fc from 'fast-check';
import { type Command, type Model, shownToLeaver, type Wish } from './model.ts';
import { modelPlans } from './model-plans.ts';

export const peopleCount = 3;

/** An amount in cents, or what the wallet holds at that moment, with so many cents more. */
type Sum = number | { allAnd: number };

interface Loose {
  do: Wish['do'];
  who: number;
  plan: number;
  sum: Sum;
  which: number;
}

/** What a generated sequence is made of; a number among the earlier ones is taken modulo how many there are. */
export type Step =
  | { step: 'one'; loose: Loose }
  | { step: 'again' | 'other body'; which: number }
  | { step: 'mature'; days: number }
  | { step: 'together'; days: number; loose: Loose[] };

const sum: fc.Arbitrary<Sum> = fc.oneof(
  fc.record({ allAnd: fc.constantFrom(0, 0, 1, -1) }),
  // The edges of every limit, where mistakes live.
  fc.constantFrom(999, 1_000, 9_999, 10_000, 199_900, 199_901, 201_500, 999_900, 1_000_000, 5_000_001),
  fc.integer({ min: 1, max: 500_000 }),
);

const looseOf = (verbs: fc.Arbitrary<Wish['do']>): fc.Arbitrary<Loose> =>
  fc.record({
    do: verbs,
    who: fc.nat(peopleCount - 1),
    plan: fc.nat(modelPlans.length - 1),
    sum,
    which: fc.nat(50),
  });

const verb = fc.constantFrom<Wish['do']>(
  ...(['deposit', 'deposit', 'invest', 'invest', 'withdraw', 'withdraw'] as const),
  ...(['approve', 'pay', 'reject', 'cancel', 'correct', 'exit', 'exit', 'choose'] as const),
);
const which = fc.nat(200);
const days = fc.constantFrom(0, 1, 3, 14, 15, 15, 29, 30, 30, 57, 60, 90);

export const oneByOne: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ step: fc.constant('one' as const), loose: looseOf(verb) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('again' as const), which }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('other body' as const), which }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('mature' as const), days }) },
);

const one = (loose: Pick<Loose, 'do' | 'sum' | 'which'>): Step => ({
  step: 'one',
  loose: { who: 0, plan: 1, ...loose },
});

/**
 * Somebody lives through an investment to its end, having chosen what then happens, in time for the letter or after it. By
 * chance alone hardly anybody would.
 */
const ending: fc.Arbitrary<Step[]> = fc
  .record({ cents: fc.integer({ min: 200_000, max: 999_900 }), first: fc.nat(50), second: fc.nat(50), days })
  .map(({ cents, first, second, days }) => [
    one({ do: 'deposit', sum: 1_000_000, which: 0 }),
    one({ do: 'invest', sum: cents, which: 0 }),
    one({ do: 'choose', sum: 0, which: first }),
    { step: 'mature', days: 57 },
    ...(second % 3 === 0 ? [one({ do: 'choose', sum: 0, which: second })] : []),
    { step: 'mature', days: 3 + days },
  ]);

/** Steps in any order, sometimes behind such an ending. */
export const sequence = (step: fc.Arbitrary<Step>, bounds: fc.ArrayConstraints): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      fc.oneof({ weight: 7, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: ending }),
      fc.array(step, bounds),
    )
    .map(([begin, rest]) => [...begin, ...rest]);

const racing = fc.constantFrom<Wish['do']>(
  ...(['deposit', 'invest', 'withdraw', 'withdraw'] as const),
  ...(['approve', 'pay', 'reject', 'cancel', 'correct', 'exit', 'exit'] as const),
);

export const together: fc.Arbitrary<Step> = fc.record({
  step: fc.constant('together' as const),
  days,
  loose: fc.array(looseOf(racing), { minLength: 2, maxLength: 4 }),
});

function centsOf({ sum, who, do: verb }: Loose, model: Model): number {
  // A correction of nothing is refused before it is a command.
  if (verb === 'correct')
    return (typeof sum === 'number' ? sum - 5_000 : -wallet(model, who) - sum.allAnd) || 1;
  return typeof sum === 'number' ? sum : Math.max(1, wallet(model, who) + sum.allAnd);
}

const wallet = (model: Model, who: number) => model.purses[who]?.wallet ?? 0;

/** Says what a generated wish means in the state that the books are in. */
export function settleOn(loose: Loose, model: Model): Wish {
  const { do: verb, who, which } = loose;
  const target = model.withdrawals[which % Math.max(1, model.withdrawals.length)]?.key ?? 'none';
  switch (verb) {
    case 'settle':
      return { do: verb };
    case 'approve':
    case 'pay':
    case 'reject':
      return { do: verb, target };
    case 'cancel':
      return { do: verb, who, target };
    case 'choose':
      return chooseOn(loose, model);
    case 'exit':
      return leave(loose, model);
    case 'invest':
      return invest(loose, model);
    case 'deposit':
      return { do: verb, who, cents: centsOf(loose, model) + (which % 2) * 200_000 };
    default:
      return { do: verb, who, cents: centsOf(loose, model) };
  }
}

const atMaturity = ['principal', 'everything', 'everything', 'wallet'] as const;

/** Mostly one that still runs and leaves a choice: nothing can be chosen for the others. */
function chooseOn({ who, which }: Loose, model: Model): Wish {
  const named = model.investments.filter(({ key }) => key !== null);
  const running = named.filter(({ open, plan }) => open && modelPlans[plan]?.reinvestable);
  const among = which % 10 > 0 && running.length > 0 ? running : named;
  const found = among[which % Math.max(1, among.length)];
  const choice = atMaturity[which % 4] ?? 'wallet';
  return { do: 'choose', who: found?.who ?? who, target: found?.key ?? 'none', choice };
}

/** Mostly all that the wallet holds, and in a plan that takes it, where there is one: else hardly anything could be left later. */
function invest(loose: Loose, model: Model): Wish {
  const { who, which, plan } = loose;
  const asked = centsOf(loose, model);
  const cents = which % 4 > 0 ? wallet(model, who) || asked : asked;
  const fitting = modelPlans.findIndex(({ from, to }) => cents >= from && cents <= to);
  return { do: 'invest', who, plan: which % 3 > 0 && fitting >= 0 ? fitting : plan, cents };
}

/** Mostly one that can be left, by its owner and for what it pays; sometimes another's, or for a cent more or less. */
function leave({ who, which, sum }: Loose, model: Model): Wish {
  const open = model.investments.filter((each) => each.open && which % 5 > 0);
  const ready = open.filter((each) => which % 5 > 1 && shownToLeaver(model, each) > 0);
  const among = [ready, open, model.investments].find(({ length }) => length > 0) ?? [];
  const found = among[which % Math.max(1, among.length)];
  const cents = (found ? shownToLeaver(model, found) : 0) + (typeof sum === 'number' ? 0 : sum.allAnd || 1);
  const asked = { do: 'exit', target: found?.key ?? 'none', cents: Math.max(0, cents) } as const;
  return { ...asked, who: which % 7 === 0 ? who : (found?.who ?? who) };
}

const operatorsVerbs: Wish['do'][] = ['approve', 'pay', 'reject', 'correct'];

/** Another wish under the same key of the same person; keys of operators and of investors never meet. */
export function withOtherBody({ key, wish }: Command): Command {
  // It has no key that could be used for something else.
  if (wish.do === 'choose') return { key, wish: { ...wish, choice: 'wallet' } };
  if (operatorsVerbs.includes(wish.do)) return { key, wish: { do: 'correct', who: 0, cents: 77_777 } };
  if (wish.do === 'exit') return { key, wish: { ...wish, cents: wish.cents + 1 } };
  const who = 'who' in wish ? wish.who : 0;
  return { key, wish: { do: 'withdraw', who, cents: 77_777 } };
}
