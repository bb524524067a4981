import { setTimeout as delay } from 'node:timers/promises';
import { type Chance, chanceOf } from '../seed.ts';
import { askOnce, askPatiently, type Crowd, nextWish } from './crowd.ts';

/** How many times what the server bears is offered, and how many of these by those who keep to the limits. */
const times = 5;
const timesWithinLimits = 2;
const clientsAtOnce = 64;
const warmUpSeconds = 1;
const calibrationSeconds = 4;
const tickMs = 5;
/** Of one address that keeps to the limits, a second: a quarter of what it may ask for, so that it may ask again. */
const personRate = 5;
/** Of one that does not: it has used up its minute after a few seconds. */
const greedyRate = 500;
/** As in `server/config/config.ts`. */
const requestsPerMinute = 1_200;

const addressOf = (block: number, at: number) => `10.${block}.${Math.floor(at / 250)}.${(at % 250) + 1}`;

/** What the server bears: as many a second as it does for clients who wait for each answer. */
export async function calibrate(
  crowd: Crowd,
  seed: number,
): Promise<{ perSecond: number; medianMs: number }> {
  const took: number[] = [];
  const began = performance.now();
  const [countFrom, endAt] = [
    began + 1_000 * warmUpSeconds,
    began + 1_000 * (warmUpSeconds + calibrationSeconds),
  ];
  const client = async (at: number) => {
    const how = { address: addressOf(100, at), chance: chanceOf(seed, 100, at) };
    while (performance.now() < endAt && !crowd.field.isOver) {
      const ms = await askPatiently(crowd, nextWish(crowd), how);
      if (ms === null) continue;
      if (performance.now() > countFrom && performance.now() <= endAt) took.push(ms);
    }
  };
  await Promise.all(Array.from({ length: clientsAtOnce }, (_, at) => client(at)));
  const medianMs = took.toSorted((one, other) => one - other)[Math.floor(took.length / 2)] ?? 0;
  return { perSecond: took.length / calibrationSeconds, medianMs };
}

/** What was offered, and what has become of it. */
export interface Offered {
  /** By addresses within the limits: each is done in time, or it has failed. */
  within: { offered: number; done: number; failed: number };
  /** By addresses beyond them: done, turned away with 429 or 503, or left without an answer. */
  beyond: { offered: number; done: number; turnedAway: number; failed: number };
  slowestMs: number;
}

/** An address that asks for more than it may. */
interface Greedy {
  address: string;
  /** Answers other than that it asks too often. */
  letIn: number;
}

/** Arrivals do not wait for answers: who comes next comes when it is time. */
async function arrive(
  { perSecond, seconds, isStopped }: { perSecond: number; seconds: number; isStopped(): boolean },
  each: (number: number) => void,
): Promise<void> {
  const began = performance.now();
  let came = 0;
  for (;;) {
    const elapsed = (performance.now() - began) / 1_000;
    if (isStopped()) return;
    for (const due = Math.floor(Math.min(elapsed, seconds) * perSecond); came < due; came += 1) each(came);
    if (elapsed > seconds) return;
    await delay(tickMs);
  }
}

/** Five times what the server bears, for some seconds; then all who keep to the limits are waited for. */
export function openTheGates(
  crowd: Crowd,
  { seed, seconds, bears }: { seed: number; seconds: number; bears: number },
): { offered: Promise<unknown>; settled: Promise<Offered> } {
  const { field } = crowd;
  const began = performance.now();
  const within = { offered: 0, done: 0, failed: 0 };
  const beyond = { offered: 0, done: 0, turnedAway: 0, failed: 0 };
  let slowestMs = 0;
  const chance = chanceOf(seed, 200);
  const asked: Promise<void>[] = [];
  const people = Math.ceil((timesWithinLimits * bears) / personRate);
  const greedyPerSecond = (times - timesWithinLimits) * bears;
  const greedy: Greedy[] = Array.from(
    { length: Math.max(1, Math.floor(greedyPerSecond / greedyRate)) },
    (_, at) => ({ address: addressOf(102, at), letIn: 0 }),
  );

  async function person(at: number, own: Chance): Promise<void> {
    within.offered += 1;
    const ms = await askPatiently(crowd, nextWish(crowd), { address: addressOf(101, at), chance: own });
    if (ms === null) within.failed += 1;
    else within.done += 1;
    slowestMs = Math.max(slowestMs, ms ?? 0);
  }
  async function greed(one: Greedy): Promise<void> {
    beyond.offered += 1;
    const { status } = await askOnce(crowd, nextWish(crowd), one.address);
    if (status !== 429 && status !== 0) one.letIn += 1;
    if (status === 200) beyond.done += 1;
    else if (status === 429 || status === 503) beyond.turnedAway += 1;
    else beyond.failed += 1;
  }

  const offered = arrive(
    { perSecond: times * bears, seconds, isStopped: () => field.isOver },
    (number) =>
      void asked.push(
        number % times < timesWithinLimits
          ? person(chance.below(people), chance)
          : greed(greedy[beyond.offered % greedy.length] as Greedy),
      ),
  );
  const settled = offered.then(async () => {
    await Promise.all(asked);
    // An address's minute begins with its first request.
    const letInMax = requestsPerMinute * Math.ceil((performance.now() - began) / 60_000);
    for (const { address, letIn } of greedy) {
      if (letIn > letInMax)
        field.findings.add(`${address} was let in ${letIn} times, of ${letInMax} that it may`);
    }
    return { within, beyond, slowestMs };
  });
  return { offered, settled };
}
