import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeNumbers, ports } from '../../ops/cluster/layout.ts';
import type { ClusterNode } from '../../ops/cluster/node.ts';
import { switchOver } from '../../ops/cluster/patroni.ts';
import { chanceOf } from '../seed.ts';
import { childrenOf, signal } from '../site.ts';

/** What becomes of the primary: killed; stopped, and later woken; cut off from everything, or from etcd alone; relieved. */
export const faultKinds = ['kill', 'stop', 'cut', 'etcd', 'switchover'] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  kind: FaultKind;
  /** After the cluster was whole. */
  delayMs: number;
  /** Those that send to the standbys hang for a moment before the rest is killed: what was acknowledged now is nowhere else. */
  isStarved: boolean;
  /** How long it goes on after writes were back elsewhere. */
  holdMs: number;
  /** A kill takes the machine's member of etcd, too. */
  takesEtcd: boolean;
}

/** The same for the same seed and number. In every five is one of each kind. */
export function faultOf(seed: number, number: number, only?: FaultKind): Fault {
  const [round, place] = [Math.floor(number / faultKinds.length), number % faultKinds.length];
  const order = chanceOf(seed, -1, round);
  const kinds = faultKinds
    .map((kind) => ({ kind, at: order.next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ kind }) => kind);
  const chance = chanceOf(seed, number);
  return {
    kind: only ?? kinds[place] ?? 'kill',
    delayMs: 500 + chance.below(2_500),
    isStarved: chance.below(2) === 0,
    holdMs: chance.below(3_000),
    takesEtcd: chance.below(2) === 0,
  };
}

/** Patroni, PostgreSQL and all that both have started. */
function pidsOf({ patroni, postmaster }: ClusterNode): number[] {
  const first = [patroni.pid(), postmaster()].filter((pid) => pid > 1);
  return [...new Set([...first, ...first.flatMap(childrenOf)])];
}

function sendersOf({ postmaster }: ClusterNode): number[] {
  return childrenOf(postmaster()).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('walsender');
    } catch {
      return false;
    }
  });
}

const nft = (...rules: string[]) => execFileSync('nft', ['-f', '-'], { input: rules.join('\n') });

/** Once, before anything is cut. */
export const layRules = () =>
  nft('add table inet drill', 'add chain inet drill out { type filter hook output priority 0; }');
const mend = () => nft('flush chain inet drill out');
const list = (of: readonly number[]) => `{ ${of.join(', ')} }`;

/** What its processes send, and what others send to where it listens. */
const cutOff = ({ gid, number }: ClusterNode) =>
  nft(
    `add rule inet drill out meta skgid ${gid} drop`,
    `add rule inet drill out tcp dport ${list([ports.postgres, ports.rest, ports.etcdClient, ports.etcdPeer].map((port) => port(number)))} drop`,
  );
const cutOffEtcd = ({ gid }: ClusterNode) =>
  nft(`add rule inet drill out meta skgid ${gid} tcp dport ${list(nodeNumbers.map(ports.etcdClient))} drop`);

const starvedMs = 700;

/** In words. */
export function wordsOf({ kind, isStarved, takesEtcd }: Fault): string {
  const more = [isStarved && 'its senders hung before', takesEtcd && 'with its etcd member'].filter(Boolean);
  return kind === 'kill' && more.length > 0 ? `${kind} (${more.join(', ')})` : kind;
}

/** Begins it, and answers with what ends it. `untilStarved` waits while nothing is sent to the standbys. */
export async function inflict(
  { kind, isStarved, takesEtcd }: Fault,
  node: ClusterNode,
  untilStarved = () => delay(starvedMs),
): Promise<{ at: number; heal(): void }> {
  if (kind === 'kill') {
    if (isStarved) {
      signal(sendersOf(node), 'SIGSTOP');
      await untilStarved();
    }
    const at = performance.now();
    const killed = takesEtcd ? [node.patroni, node.etcd] : [node.patroni];
    const gone = killed.map((part) => part.kill());
    signal(pidsOf(node), 'SIGKILL');
    await Promise.all(gone);
    return { at, heal: () => killed.forEach((part) => void part.start()) };
  }
  const at = performance.now();
  if (kind === 'stop') {
    const pids = pidsOf(node);
    signal(pids, 'SIGSTOP');
    return { at, heal: () => signal(pids, 'SIGCONT') };
  }
  if (kind === 'switchover') {
    const refused = await switchOver(node);
    if (refused) throw new Error(`Patroni does not switch over: ${refused}`);
    return { at, heal() {} };
  }
  if (kind === 'cut') cutOff(node);
  else cutOffEtcd(node);
  return { at, heal: mend };
}
