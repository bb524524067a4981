import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterNode } from '../../ops/cluster/node.ts';
import { checkAll, type Gap } from '../checks.ts';
import { percentile } from '../ending.ts';
import { type Field, untilAllAreTold } from '../field.ts';
import { acknowledged, ended, type Tally, tallyOf, underLoad } from '../under-load.ts';
import { type Fault, type FaultKind, faultOf, inflict, wordsOf } from './faults.ts';
import { type Ground, openGround } from './ground.ts';
import { lateWrites } from './watch.ts';

export interface FailoverOptions {
  dir: string;
  times: number;
  seed: number;
  from: number;
  minutes: number;
  clients: number;
  only: FaultKind | null;
  breaks: 'async' | null;
}

export interface FailoverResult extends Tally {
  failovers: number;
  /** From the fault to the first acknowledgement of another primary, of each kind. */
  backMs: { kind: FaultKind; ms: number }[];
  /** What each node was asked by itself to write: how many it acknowledged, how many of those are not there. */
  watched: { acknowledged: number; lost: number; takenBack: number };
  /** The same with synchronous_commit = local, which money never uses. */
  local: { acknowledged: number; lost: number; late: number };
}

const wholeMsMax = 120_000;
const newPrimaryMsMax = 60_000;
const finishMsMax = 120_000;
const backSecondsMax = 30;
const lookMs = 20;

/** Whether it came true in time. */
async function until(isTrue: () => boolean, msMax: number): Promise<boolean> {
  for (const giveUpAt = performance.now() + msMax; !isTrue(); await delay(lookMs)) {
    if (performance.now() > giveUpAt) return false;
  }
  return true;
}

/** The least that has to be in danger for a loss to be seen. */
const endangered = 3;

/** From the fault until money moves on another primary, or on the same one that was made it anew. Null when it does not. */
async function backAfter(
  { field, watch }: Ground,
  fault: Fault,
  leader: ClusterNode,
  isBroken: boolean,
): Promise<{ at: number; ms: number | null; heal(): void }> {
  const before = watch.newestTimeline();
  const told = acknowledged(field);
  const untilMoreIsTold = async () =>
    void (await until(() => acknowledged(field) >= told + endangered, 20_000));
  const { at, heal } = await inflict(fault, leader, isBroken ? untilMoreIsTold : undefined);
  const isNew = await until(() => watch.newestTimeline() > before, newPrimaryMsMax);
  const heard = acknowledged(field);
  const isBack = isNew && (await until(() => acknowledged(field) > heard, newPrimaryMsMax));
  return { at, ms: isBack ? performance.now() - at : null, heal };
}

interface Course {
  options: FailoverOptions;
  ground: Ground;
  result: FailoverResult;
  gaps: Gap[];
  say(line: string): void;
  isStopped(): boolean;
}

async function failOnAndOn({ options, ground, result, gaps, say, isStopped }: Course): Promise<void> {
  const { times, seed, from, minutes, only, breaks } = options;
  const { cluster, field, servers } = ground;
  const senders = servers.filter(({ role }) => role === 'worker').length;
  const began = performance.now();
  for (let number = from; number < from + times && !isStopped(); number += 1) {
    if (performance.now() - began > minutes * 60_000) break;
    const drawn = faultOf(seed, number, breaks ? 'kill' : (only ?? undefined));
    const fault = breaks ? { ...drawn, isStarved: true } : drawn;
    const leader = await cluster.untilWhole(wholeMsMax);
    await delay(fault.delayMs);
    const { at, ms, heal } = await backAfter(ground, fault, leader, breaks !== null);
    await delay(fault.holdMs);
    heal();
    gaps.push({ from: at, to: performance.now(), servers: senders });
    result.failovers += 1;
    if (ms === null) field.findings.add(`writes were not back after ${fault.kind} (number ${number})`);
    else result.backMs.push({ kind: fault.kind, ms });
    const words = `${wordsOf(fault)} of ${leader.name}`;
    const back = ms === null ? 'writes not back' : `writes back after ${(ms / 1000).toFixed(1)} s`;
    say(
      `${number + 1}: ${words}: ${back}; ${acknowledged(field)} acknowledged, ${field.findings.size} findings`,
    );
  }
}

/** What was heard of each node by itself. */
async function checkWatch(
  { watch, field }: Ground,
  leader: ClusterNode,
  result: FailoverResult,
): Promise<void> {
  await watch.end();
  const { on, local } = watch.written;
  const missing = await watch.missing(leader);
  for (const { node, timeline } of lateWrites(on).slice(0, 5)) {
    field.findings.add(
      `two primaries: ${node} acknowledged as of timeline ${timeline} after a newer one had begun`,
    );
  }
  if (missing.on > 0) field.findings.add(`${missing.on} writes that a node acknowledged by itself are lost`);
  result.watched = { acknowledged: on.length, lost: missing.on, takenBack: watch.takenBack };
  // A primary of before that is late with these: what it would have promised without anybody else.
  const newerThan = [...on, ...local];
  const lateLocal = new Set(lateWrites(newerThan));
  result.local = {
    acknowledged: local.length,
    lost: missing.local,
    late: local.filter((each) => lateLocal.has(each)).length,
  };
}

async function endAndCheck({ ground, result, gaps }: Course, crowd: Promise<unknown>): Promise<void> {
  const { cluster, field, servers, sceneOn } = ground;
  const leader = await cluster.untilWhole(wholeMsMax);
  await untilAllAreTold(field, crowd, finishMsMax);
  Object.assign(result, await checkAll(sceneOn(leader), gaps));
  await checkWatch(ground, leader, result);
  for (const { name, part: server } of servers) {
    if (server.ended.times > 0) field.findings.add(`${name} gave up: ${server.said().slice(-600)}`);
    const code = server.ended.times > 0 ? 0 : await server.end();
    if (code !== 0)
      field.findings.add(`told to end, ${name} ended with ${code}: ${server.said().slice(-600)}`);
  }
  const p95 =
    percentile(
      result.backMs.map(({ ms }) => ms),
      0.95,
    ) / 1000;
  if (p95 >= backSecondsMax) field.findings.add(`writes were back after ${p95.toFixed(1)} s at p95`);
}

const nothingYet = (field: Field): FailoverResult => ({
  ...tallyOf(field),
  failovers: 0,
  backMs: [],
  watched: { acknowledged: 0, lost: 0, takenBack: 0 },
  local: { acknowledged: 0, lost: 0, late: 0 },
});

/** Load by people who never give up, while one primary after the other is lost; then all that was told is looked for. */
export async function failoverDrill(
  options: FailoverOptions,
  say: (line: string) => void,
  isStopped: () => boolean,
): Promise<FailoverResult> {
  const { dir, seed, clients, breaks } = options;
  const ground = await openGround({ dir, isSynchronous: breaks === null, isStopped });
  const { field, servers, close } = ground;
  const result = nothingYet(field);
  const underWay = { options, ground, result, gaps: [], say, isStopped };
  await underLoad({
    field,
    result,
    seed,
    clients,
    close,
    async course(crowd) {
      await failOnAndOn(underWay);
      await endAndCheck(underWay, crowd);
      if (field.findings.size > 0) for (const { name, part } of servers) say(`${name}: ${part.said()}`);
    },
  });
  return ended(result, field);
}
