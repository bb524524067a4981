import { formatUsd, parseAmount, profitOf } from '@tallystick/contract/money';
import { expect, test } from 'vitest';
import offered from '../../content/plans.json' with { type: 'json' };
import { parsePost, readPosts } from './posts.ts';

const head = '---\ntitle: A: b\ndate: 2026-11-12\nsummary: S\ncover: days\n---\n';

test('a post has a title, a date, a summary, a cover and its minutes', () => {
  const { body: _, ...card } = parsePost('a-b', `${head}${'word '.repeat(1000)}`);
  expect(card).toEqual({
    slug: 'a-b',
    title: 'A: b',
    date: '2026-11-12',
    dateText: '12 November 2026',
    minutes: 5,
    summary: 'S',
    cover: 'days',
  });
});

test.each([
  ['title: A: b\n', '', 'no title'],
  ['2026-11-12', 'yesterday', 'the date yesterday'],
  ['cover: days', 'cover: photo', 'not drawn'],
])('a post without %j is refused', (field, instead, reason) => {
  expect(() => parsePost('a', `${head}text`.replace(field, instead))).toThrow(reason);
});

test('the posts can all be read, newest first', () => {
  const dates = readPosts().map(({ date }) => date);
  expect(dates.length).toBeGreaterThanOrEqual(3);
  expect(dates).toEqual(dates.toSorted().reverse());
});

test('the worked example and the plans in the post are those of content/plans.json', () => {
  const post = readPosts().find(({ slug }) => slug === 'how-fixed-plans-work');
  const text = JSON.stringify(post?.body);
  for (const { planname, durationDays, roiPercent } of offered.plans) {
    expect(text).toContain(`[["${planname}"],`);
    expect(text).toContain(`["${durationDays}"],["${roiPercent}%"]`);
  }
  const standard = offered.plans.find(({ planname }) => planname === 'Standard');
  const profit = profitOf(500_000n, Number(parseAmount(standard?.roiPercent)));
  expect(text).toContain(`["Profit at maturity"],["${formatUsd(profit)}"]`);
  expect(text).toContain(formatUsd(500_000n + profit));
});
