import { setTimeout as delay } from 'node:timers/promises';
import type { Call, CallInput } from '@tallystick/contract/call';
import { demoOperators } from '@tallystick/contract/demo';
import { fetchpaymentmethod } from '@tallystick/contract/funding';
import { fetchallinvestmentmethod } from '@tallystick/contract/investment';
import { signin } from '@tallystick/contract/operator/session';
import { fetchallwithdrawal } from '@tallystick/contract/withdrawal';
import {
  type Asker,
  answerMsMax,
  answerOf,
  cookiesOf,
  createAsker,
  type Outcome,
  uncleanness,
} from './ask.ts';
import type { MailServer } from './mail-server.ts';
import type { Chance } from './seed.ts';

/** One thing that somebody wanted, known by its owner and an amount, or a number, that this owner uses once. */
export interface Act {
  kind: 'sign-up' | 'deposit' | 'credit' | 'investment' | 'withdrawal' | 'cancellation' | 'switch';
  email: string;
  cents: number;
  transactionid: string;
  /** Somebody was told that it is done. */
  acknowledged: boolean;
}

/** What all who take part in a drill share: where they ask, and what they were told. */
export interface Field {
  /** Goes into the addresses of all who take part, so that several fields can share a site. */
  name: string;
  /** A number below 16 that no other field of the site has. */
  block: number;
  port(): number;
  /** How long an answer may take. */
  msMax: number;
  /** Nobody pays in anything more. */
  isClosedForDeposits: boolean;
  /** No letters come, so nobody new can sign up, and whoever is there stays. */
  isWithoutLetters: boolean;
  /** Clocks are set, and sessions may end by it: whoever is signed out signs in again. */
  mayEndSessions: boolean;
  mail: MailServer;
  acts: Act[];
  /** Whatever must not have happened, in words; each once. */
  findings: Set<string>;
  /** How often each status was heard, 0 for no answer at all. */
  heard: Map<number, number>;
  slowestMs: number;
  /** Nobody begins anything new. */
  isStopping: boolean;
  /** Nobody tries again, either. */
  isOver: boolean;
  /** The cookies of two operators who are signed in. */
  operators: string[];
  planid: string;
  withdrawalid: string;
  fundingtypename: string;
}

const operatorsAddress = '198.51.100.1';

export const createField = (
  port: () => number,
  mail: MailServer,
  { name = 'investor', block = 0, msMax = answerMsMax } = {},
): Field => ({
  name,
  block,
  port,
  msMax,
  isClosedForDeposits: false,
  isWithoutLetters: false,
  mayEndSessions: false,
  mail,
  acts: [],
  findings: new Set(),
  heard: new Map(),
  slowestMs: 0,
  isStopping: false,
  isOver: false,
  operators: [],
  planid: '',
  withdrawalid: '',
  fundingtypename: 'Bitcoin',
});

export function hear(field: Field, call: Call, outcome: Outcome): void {
  field.heard.set(outcome.status, (field.heard.get(outcome.status) ?? 0) + 1);
  field.slowestMs = Math.max(field.slowestMs, outcome.ms);
  const wrong = uncleanness(outcome);
  if (wrong) field.findings.add(`${call.method} ${call.path}: ${wrong}`);
}

/** An answer that says what has happened, and whether an earlier try may have done it already. */
interface Settled {
  outcome: Outcome;
  wasTried: boolean;
}

/** Who is told to come back later than that is told no. */
const patienceSeconds = 60;
const restSeconds = (outcome: Outcome) =>
  'head' in outcome ? Number(/^retry-after: (\d+)/im.exec(outcome.head)?.[1] ?? 0) : 0;

/** Asks with the same key until somebody says what has become of it. Null when the drill is over before that. */
export async function settled<C extends Call>(
  field: Field,
  { asker, chance }: { asker: Asker; chance: Chance },
  call: C,
  how: Parameters<Asker['ask']>[1] & CallInput<C>,
): Promise<Settled | null> {
  for (let wasTried = false; !field.isOver; wasTried = true) {
    const outcome = await asker.ask(call, how);
    hear(field, call, outcome);
    const isLate = outcome.status === 429 && restSeconds(outcome) > patienceSeconds;
    if (isLate || ![0, 429, 503].includes(outcome.status)) return { outcome, wasTried };
    await delay(50 + chance.below(200));
  }
  return null;
}

/** What an investor needs to know of a site, and two operators at their desks. */
export async function takeTheField(field: Field, chance: Chance): Promise<void> {
  const asker = createAsker(field.port, operatorsAddress);
  const read = async <C extends Call>(call: C, how: Parameters<Asker['ask']>[1] & CallInput<C>) => {
    const done = await settled(field, { asker, chance }, call, how);
    const answer = done && answerOf(call, done.outcome);
    if (!answer) throw new Error(`${call.path} answered ${JSON.stringify(done?.outcome)}`);
    return { answer, outcome: done.outcome };
  };
  const plans = (await read(fetchallinvestmentmethod, {})).answer.data;
  field.planid = plans.toSorted((one, other) => one.from - other.from)[0]?._id ?? '';
  const ways = (await read(fetchallwithdrawal, {})).answer.data;
  field.withdrawalid = ways.find(({ methodname }) => methodname === 'Bitcoin')?._id ?? '';
  const methods = (await read(fetchpaymentmethod, {})).answer.data;
  field.fundingtypename = methods.find(({ paymentname }) => /bitcoin/i.test(paymentname))?.paymentname ?? '';
  for (const { email, password, code } of (await read(demoOperators, {})).answer.operators.slice(0, 2)) {
    const { outcome } = await read(signin, { body: { email, password, code } });
    field.operators.push('head' in outcome ? cookiesOf(outcome) : '');
  }
  asker.close();
}

/** Nobody begins anything new, and all hear what became of what they have begun, or the drill says that they did not. */
export async function untilAllAreTold(field: Field, crowd: Promise<unknown>, msMax: number): Promise<void> {
  field.isStopping = true;
  const over = setTimeout(() => {
    field.findings.add('somebody was never told what became of a request');
    field.isOver = true;
  }, msMax);
  await crowd.finally(() => clearTimeout(over));
}

/** Hands the checks an acknowledgement that nobody gave. */
export function invent(field: Field): void {
  const { email = '' } = field.acts[0] ?? {};
  field.acts.push({
    kind: 'investment',
    email,
    cents: 12_345,
    transactionid: 'TS-NONE-0000',
    acknowledged: true,
  });
}
