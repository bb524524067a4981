import type { Clock } from '../platform/clock.ts';

export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function createTestClock(start = new Date('2026-11-15T09:00:00Z')): TestClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance(ms) {
      now += ms;
    },
  };
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
