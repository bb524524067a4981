import type { ClusterNode } from './node.ts';

/** What Patroni says of a node. */
export interface Member {
  name: string;
  role: 'leader' | 'standby_leader' | 'sync_standby' | 'replica';
  state: string;
  timeline?: number;
}

const askMsMax = 2_000;

async function ask<T>(url: string): Promise<T | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(askMsMax) });
    return answer.ok ? ((await answer.json()) as T) : null;
  } catch {
    return null;
  }
}

/** From the first that answers; nobody, while none does. */
export async function membersOf(nodes: readonly Pick<ClusterNode, 'restUrl'>[]): Promise<Member[]> {
  for (const { restUrl } of nodes) {
    const told = await ask<{ members?: Member[] }>(`${restUrl}/cluster`);
    if (told?.members) return told.members;
  }
  return [];
}

const isUp = ({ state }: Member) => state === 'running' || state === 'streaming';

/** All there, on one timeline, and a standby that acknowledges. */
export function isWhole(
  members: readonly Member[],
  { count, isSynchronous }: { count: number; isSynchronous: boolean },
) {
  const [leader] = members.filter(({ role }) => role === 'leader');
  if (!leader || members.length !== count || !members.every(isUp)) return false;
  if (members.some(({ timeline }) => timeline !== leader.timeline)) return false;
  return !isSynchronous || members.some(({ role }) => role === 'sync_standby');
}

/** The node that holds the lock and says itself that it is the primary. */
export async function leaderOf(nodes: readonly ClusterNode[]): Promise<ClusterNode | null> {
  const answers = await Promise.all(nodes.map(({ restUrl }) => ask(`${restUrl}/primary`)));
  return nodes.find((_, at) => answers[at] !== null) ?? null;
}

export const settingsOf = async (node: ClusterNode) =>
  (await ask<Record<string, unknown>>(`${node.restUrl}/config`)) ?? {};

/** Hands over to a standby that has everything; what Patroni says to that where it does not. */
export async function switchOver(leader: ClusterNode): Promise<string | null> {
  const answer = await fetch(`${leader.restUrl}/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader: leader.name }),
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`patroni:${leader.restPassword}`).toString('base64')}`,
    },
    signal: AbortSignal.timeout(30_000),
  });
  return answer.ok ? null : `${answer.status} ${await answer.text()}`;
}
