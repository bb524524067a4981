import { setTimeout as delay } from 'node:timers/promises';
import { makeinvestment } from '@tallystick/contract/investment';
import { type Asker, answerOf, createAsker, type Outcome } from '../ask.ts';
import { type Act, type Field, hear } from '../field.ts';
import { deposit, newPerson, signUp } from '../investor.ts';
import { begin, type Person, refused } from '../person.ts';
import { type Chance, chanceOf } from '../seed.ts';

/** A request waits no longer than this for its answer, whatever else goes on. */
export const floodAnswerMsMax = 20_000;
/** Who is told to come back, and does as told, is done within this time from when they first asked. */
const doneMsMax = 60_000;
const retryMsMin = 200;
/** A million dollars each, of which the smallest investments are made. */
const paidInCents = 100_000_000;
const smallestCents = 10_000;
const signUpsAtOnce = 4;
/** As many requests may be in the air as a process has room for beside its idle connections. */
const inTheAirMax = 6_000;

/** Those who invest, and the ways by which addresses ask for them. */
export interface Crowd {
  field: Field;
  people: Person[];
  /** Connections that wait for their next request, by the address that has them. */
  idle: Map<string, Asker[]>;
  turn: number;
  inTheAir: number;
  /** Whose time has come and who have no connection yet. */
  queue: (() => void)[];
  /** How many ever were. */
  queued: number;
}

/** Everyone has a wallet that a flood does not empty. */
export async function gather(field: Field, seed: number, count: number): Promise<Crowd> {
  const people = Array.from({ length: count }, (_, place) => newPerson(field, chanceOf(seed, place), place));
  const waiting = [...people];
  const signUpInTurn = async () => {
    for (let person = waiting.pop(); person; person = waiting.pop()) {
      if (!(await signUp(person))) throw new Error(`${person.email} could not sign up`);
      if (!(await deposit(person, paidInCents))) throw new Error(`${person.email} could not pay in`);
    }
  };
  await Promise.all(Array.from({ length: signUpsAtOnce }, signUpInTurn));
  return { field, people, idle: new Map(), turn: 0, inTheAir: 0, queue: [], queued: 0 };
}

export function disperse({ people, idle }: Crowd): void {
  for (const asker of [...idle.values()].flat()) asker.close();
  idle.clear();
  for (const { asker, second } of people) {
    asker.close();
    second.close();
  }
}

/** An investment that is asked for in one way alone, however often: the same investor, amount and key. */
interface Wish {
  person: Person;
  act: Act;
  key: string;
}

/** Of the investor whose turn it is. */
export function nextWish(crowd: Crowd): Wish {
  const person = crowd.people[crowd.turn % crowd.people.length] as Person;
  crowd.turn += 1;
  person.number += 1;
  const act = begin(person, 'investment', smallestCents + person.number);
  return { person, act, key: `flood-${person.number}` };
}

/** On a connection of this address that waits for work, or on another. */
async function sendWish(crowd: Crowd, { person, act, key }: Wish, address: string): Promise<Outcome> {
  const { field, idle } = crowd;
  const { userid, bearer } = person;
  const free = idle.get(address) ?? [];
  idle.set(address, free);
  const asker = free.pop() ?? createAsker(field.port, address, floodAnswerMsMax);
  const body = { userid, planid: field.planid, investinvestmemntamount: act.cents / 100 };
  const outcome = await asker.ask(makeinvestment, { bearer, key, body });
  free.push(asker);
  return outcome;
}

/** Asks once, from an address, as soon as there is a connection for it. */
export async function askOnce(crowd: Crowd, wish: Wish, address: string): Promise<Outcome> {
  const { person, act } = wish;
  const { field, queue } = crowd;
  if (crowd.inTheAir >= inTheAirMax) {
    crowd.queued += 1;
    // Its place is handed over by who is answered, so their number stays as it is.
    await new Promise<void>((resolve) => queue.push(resolve));
  } else {
    crowd.inTheAir += 1;
  }
  const outcome = await sendWish(crowd, wish, address);
  const next = queue.shift();
  if (next) next();
  else crowd.inTheAir -= 1;
  hear(field, makeinvestment, outcome);
  const answer = answerOf(makeinvestment, outcome);
  if (answer) {
    Object.assign(act, { acknowledged: true, transactionid: answer.investment.investmentransactionid });
  } else if (![0, 429, 503].includes(outcome.status)) {
    refused(person, 'an investment', outcome);
  }
  return outcome;
}

const restMs = (outcome: Outcome) =>
  'head' in outcome ? 1_000 * Number(/^retry-after: (\d+)/im.exec(outcome.head)?.[1] ?? 0) : 0;

/**
 * Asks as a client should: told when to come back it comes back then, a little later than all the others who were told
 * the same, with the same key. How long it took; null when it took too long.
 */
export async function askPatiently(
  crowd: Crowd,
  wish: Wish,
  { address, chance }: { address: string; chance: Chance },
): Promise<number | null> {
  const began = performance.now();
  while (!crowd.field.isOver) {
    const outcome = await askOnce(crowd, wish, address);
    const took = performance.now() - began;
    if (outcome.status === 200) return took <= doneMsMax ? took : null;
    const rest = Math.max(restMs(outcome), retryMsMin);
    if (took + rest > doneMsMax) return null;
    await delay(rest * (1 + chance.next()));
  }
  return null;
}
