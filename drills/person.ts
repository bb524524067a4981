import type { Call, CallInput } from '@tallystick/contract/call';
import { signin } from '@tallystick/contract/users';
import { type Asker, answerOf, type Outcome } from './ask.ts';
import { type Act, type Field, hear, settled } from './field.ts';
import type { Chance } from './seed.ts';

export const password = 'notched hazel 1826';

/** What must be true of an investor's money, kept by hand. */
interface Model {
  available: number;
  invested: number;
  withdrawing: number;
  /** A payment that the sample chain will show some time soon. */
  onItsWay: Act | null;
  /** Withdrawals that can still be taken back. */
  open: { id: string; cents: number; transactionid: string }[];
  /** How far the wallet was read, and what it held there. */
  seq: number;
  fold: number;
}

export interface Person {
  field: Field;
  chance: Chance;
  asker: Asker;
  /** Sends the same once more at the same time, now and then. */
  second: Asker;
  /** A number that nobody else has at the same time. */
  place: number;
  email: string;
  userid: string;
  bearer: string;
  model: Model;
  /** Of the next act; amounts are made of it, so no two of a kind are alike. */
  number: number;
}

export function begin(person: Person, kind: Act['kind'], cents = 0): Act {
  const { email } = person;
  const act: Act = { kind, email, cents, transactionid: '', acknowledged: false };
  person.field.acts.push(act);
  return act;
}

export const wrong = ({ field, email }: Person, what: string) => field.findings.add(`${email}: ${what}`);

/** Null when the drill was over before anybody said what became of it. */
export async function done<C extends Call>(
  person: Person,
  call: C,
  input: Parameters<Asker['ask']>[1] & CallInput<C>,
): Promise<{ answer: ReturnType<typeof answerOf<C>>; outcome: Outcome; wasTried: boolean } | null> {
  const how = { bearer: person.bearer, ...input };
  const isTwice = how.key !== undefined && person.chance.below(10) === 0;
  const twin = isTwice ? person.second.ask(call, how) : null;
  const came = await settled(person.field, person, call, how);
  const other = twin && (await twin);
  if (other) hear(person.field, call, other);
  if (!came) return null;
  if (came.outcome.status === 401 && person.field.mayEndSessions && person.bearer && how.bearer) {
    return (await signIn(person)) ? done(person, call, input) : null;
  }
  const answer = answerOf(call, came.outcome);
  const [one, another] = [came.outcome, other].map((each) => JSON.stringify(each && answerOf(call, each)));
  if (answer && other?.status === 200 && one !== another)
    wrong(person, `one key, two answers: ${one}, ${another}`);
  return { answer, outcome: came.outcome, wasTried: came.wasTried || isTwice };
}

export const told = (outcome: Outcome) =>
  'text' in outcome ? `${outcome.status} ${outcome.text.slice(0, 200)}` : 'nothing';

export function refused(person: Person, what: string, outcome: Outcome): false {
  wrong(person, `${what} was refused: ${told(outcome)}`);
  return false;
}

export async function signIn(person: Person): Promise<boolean> {
  const { field, email } = person;
  person.bearer = '';
  const signedIn = await settled(field, person, signin, { body: { email, password, isAdmin: false } });
  if (!signedIn) return false;
  const answer = answerOf(signin, signedIn.outcome);
  if (!answer) return refused(person, 'a sign-in', signedIn.outcome);
  person.bearer = answer.token;
  person.userid = answer._id;
  return true;
}
