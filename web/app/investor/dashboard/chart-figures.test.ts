import { expect, test } from 'vitest';
import { chartSummary, dailyRows, figuresOf, pointsOf } from './chart-figures.ts';

const points = pointsOf({
  prices: [
    [Date.UTC(2026, 9, 16), 68_050],
    [Date.UTC(2026, 9, 16, 12), 61_240],
    [Date.UTC(2026, 9, 17), 69_890],
    [Date.UTC(2026, 9, 18), 68_412.5],
  ],
});

test('a chart is told in words', () => {
  const figures = figuresOf(points);
  expect(figures && chartSummary(figures)).toBe(
    'Up 0.53%: from $68,050.00 on 16 Oct to $68,412.50 on 18 Oct. Highest $69,890.00 on 17 Oct, lowest $61,240.00 on 16 Oct.',
  );
});

test('a chart is a table of days, each with its last price', () => {
  expect(dailyRows(points).map(({ at, usd }) => [at.slice(0, 10), usd])).toEqual([
    ['2026-10-18', 68_412.5],
    ['2026-10-17', 69_890],
    ['2026-10-16', 61_240],
  ]);
});

test('a single point is no chart', () => {
  expect(figuresOf(points.slice(0, 1))).toBeNull();
  expect(figuresOf([])).toBeNull();
});
