import { setTimeout as delay } from 'node:timers/promises';
import { fetchallinvestmentmethod, makeinvestment } from '@tallystick/contract/investment';
import { type Asker, answerOf, createAsker, type Outcome } from '../ask.ts';
import { type Act, type Field, hear } from '../field.ts';
import { deposit, newPerson, signUp } from '../investor.ts';
import { begin, type Person, refused } from '../person.ts';
import { type Chance, chanceOf } from '../seed.ts';

/** Who is told to come back, and does as told, is done within this time from when they first asked. */
const doneMsMax = 60_000;
const retryMsMin = 200;
/** A million dollars each, of which the smallest investments are made. */
const paidInCents = 100_000_000;
const smallestCents = 10_000;
const signUpsAtOnce = 4;
/** All come over connections that are kept, as from a proxy in front: three for each request that is worked on at once. */
const inTheAirMax = 3_000;
const opensAtOnce = 200;

/** Those who invest, and the ways by which addresses ask for them. */
export interface Crowd {
  field: Field;
  people: Person[];
  /** Connections that wait for their next request, whoever's it will be. */
  idle: Asker[];
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
  return { field, people, idle: [], turn: 0, inTheAir: 0, queue: [], queued: 0 };
}

export function disperse({ people, idle }: Crowd): void {
  for (const asker of idle.splice(0)) asker.close();
  for (const { asker, second } of people) {
    asker.close();
    second.close();
  }
}

/** An investment that is asked for in one way alone, however often: the same investor, amount and key. */
export interface Wish {
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

export const bodyOf = ({ planid }: Field, { person: { userid }, act: { cents } }: Wish) => ({
  userid,
  planid,
  investinvestmemntamount: cents / 100,
});

const newAsker = ({ field }: Crowd) => createAsker(field.port, '10.107.0.1', field.msMax);

/** Opens all connections before the flood: a server takes a few each time round its loop, and a proxy has them already. */
export async function openConnections(crowd: Crowd): Promise<void> {
  const { field, idle } = crowd;
  let toOpen = inTheAirMax - idle.length;
  const open = async (at: number) => {
    for (let time = 0; toOpen > 0 && !field.isOver; time += 1) {
      toOpen -= 1;
      const asker = newAsker(crowd);
      const from = `10.107.${1 + (at % 200)}.${1 + (time % 200)}`;
      hear(field, fetchallinvestmentmethod, await asker.ask(fetchallinvestmentmethod, { from }));
      idle.push(asker);
    }
  };
  await Promise.all(Array.from({ length: opensAtOnce }, (_, at) => open(at)));
}

/** On a connection that waits for work, or on another. */
async function sendWish(crowd: Crowd, wish: Wish, address: string): Promise<Outcome> {
  const { field, idle } = crowd;
  const asker = idle.pop() ?? newAsker(crowd);
  const outcome = await asker.ask(makeinvestment, {
    bearer: wish.person.bearer,
    key: wish.key,
    from: address,
    body: bodyOf(field, wish),
  });
  idle.push(asker);
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
