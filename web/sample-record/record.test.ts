import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import content from '../../content/sample-record.json';
import { HeroArt } from '../app/public/landing/hero-art.tsx';
import { recordCaption } from '../app/public/landing/record-caption.ts';
import { checkSample, type SampleRecord } from './record.ts';

const pictureOf = (sample: SampleRecord) => {
  const record = checkSample(sample);
  return renderToStaticMarkup(createElement(HeroArt, { record }));
};

/** The content with something about its third entry changed. */
function altered(change: Partial<SampleRecord['entries'][number]>): SampleRecord {
  return {
    ...content,
    entries: content.entries.map((entry, at) => (at === 2 ? { ...entry, ...change } : entry)),
  };
}

const lineOf = (picture: string) => /<path d="(M83[^"]*)"/.exec(picture)?.[1];
const joinedIn = (picture: string) => picture.match(/H526/g)?.length ?? 0;

describe('the record on the landing page', () => {
  it('is a chain whose every code can be computed again', () => {
    const record = checkSample(content);
    expect(record.entries.map(({ yours }) => yours)).toEqual(record.entries.map(({ ours }) => ours));
    expect(record.matching).toBe(content.entries.length);
    expect(recordCaption(record)).toBe('Sample record. The codes on both sides are the same.');
  });

  it('is what the hero draws and counts', () => {
    const picture = pictureOf(content);
    expect(picture).toContain(`>${content.entries.length} of ${content.entries.length} notches match<`);
    expect(joinedIn(picture)).toBe(content.entries.length);
    for (const day of ['8 Jul', '10 Jul', '8 Sep']) expect(picture).toContain(`>${day}<`);
  });

  it.each([
    ['amount', { amount: 2001, balanceafter: 4001 }],
    ['balance', { balanceafter: 4000.01 }],
    ['time', { at: '2025-09-08T09:30:42.000Z' }],
    ['kind', { fundingtype: 'Profit' }],
    ['transaction', { transactionid: 'TS-K6TN-8VPB' }],
    ['code', { recordcode: '0110 99d9' }],
  ])('never claims a match behind an altered %s', (_what, change) => {
    const record = checkSample(altered(change));
    expect(record.matching).toBe(2);
    expect(recordCaption(record)).toContain('from entry 3 on, the halves do not match');
    const picture = pictureOf(altered(change));
    expect(picture).toContain(`>2 of ${content.entries.length} notches match<`);
    expect(joinedIn(picture)).toBe(2);
  });

  it('is where the hero’s line comes from, and no figure stands without it', async () => {
    const lower = pictureOf(altered({ amount: 1000, balanceafter: 3000 }));
    expect(lineOf(lower)).not.toBe(lineOf(pictureOf(content)));
    expect(pictureOf({ ...content, entries: [] })).not.toMatch(/\d of \d|match|NaN|Infinity/);
  });
});
