import { chanceOf } from '../seed.ts';
import { type Site, signal } from '../site.ts';

/** Who is killed: the server; the database's first process alone, or with all of its others, or one of those; all at once. */
const victims = ['server', 'server', 'postmaster', 'cluster', 'backend', 'backend', 'both'] as const;
export type Victim = (typeof victims)[number];

interface Kill {
  victim: Victim;
  /** After the site was ready, or after the last kill where it is not waited for. */
  delayMs: number;
  /** Falls into the recovery from the one before. */
  isEarly: boolean;
  /** Which of the database's processes, as a part of all. */
  which: number;
}

/** The same for the same seed and number, whatever came before: a drill can begin with any of them. */
export function killOf(seed: number, number: number, only?: Victim): Kill {
  const chance = chanceOf(seed, number);
  const victim = only ?? chance.pick(victims);
  const isEarly = chance.below(6) === 0;
  return { victim, isEarly, delayMs: chance.below(isEarly ? 900 : 1_500), which: chance.next() };
}

/** A server gives up on an embedded database that ends five times a minute: so often no machine crashes. */
const endsMax = 3;
const withinMs = 60_000;

/** What a kill becomes when the database has ended too often under this server already: the server falls, too. */
export function createExecutioner(site: Site) {
  let ends: number[] = [];
  return async ({ victim: wanted, which }: Kill): Promise<Victim> => {
    const now = performance.now();
    ends = ends.filter((at) => now - at < withinMs);
    const endsDatabase = wanted === 'postmaster' || wanted === 'cluster';
    const victim = endsDatabase && ends.length >= endsMax ? 'both' : wanted;
    const { postmaster, children } = site.databasePids();
    if (victim === 'backend') signal([children[Math.floor(which * children.length)] ?? 0], 'SIGKILL');
    if (victim === 'postmaster') signal([postmaster], 'SIGKILL');
    if (victim === 'cluster' || victim === 'both') signal([postmaster, ...children], 'SIGKILL');
    if (victim === 'postmaster' || victim === 'cluster') ends.push(now);
    if (victim === 'server' || victim === 'both') {
      ends = [];
      await site.killServer();
    }
    return victim;
  };
}
