import { isTest } from './arrows.ts';
import type { Source } from './source.ts';
import type { Finding } from './tidy.ts';

/**
 * Files that import each other, directly or by way of others. What is imported as a type alone is gone when the program
 * runs and may lead back.
 */
export function findCircles(sources: Source[]): Finding[] {
  const imports = new Map<string, string[]>();
  for (const source of sources) {
    if (isTest(source.path)) continue;
    const targets = source.imports.filter(({ typeOnly }) => !typeOnly).flatMap(({ file }) => file ?? []);
    imports.set(source.path, [...new Set(targets)].sort());
  }
  return circlesOf(imports).map((circle) => ({
    file: circle[0] ?? '',
    line: 1,
    message: `imports itself: ${[...circle, circle[0]].join(' -> ')}`,
  }));
}

/** For every knot of files one shortest way around, from the first of its files by name. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const inKnot = new Set<string>();
  const circles: string[][] = [];
  for (const start of [...imports.keys()].sort()) {
    if (inKnot.has(start)) continue;
    const circle = wayBack(start, imports);
    if (!circle) continue;
    circles.push(circle);
    for (const file of circle) inKnot.add(file);
  }
  return circles;
}

function wayBack(start: string, imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  const ways = new Map<string, string[]>([[start, [start]]]);
  for (const [file, way] of ways) {
    for (const target of imports.get(file) ?? []) {
      if (target === start) return way;
      if (!ways.has(target)) ways.set(target, [...way, target]);
    }
  }
  return null;
}
