import { describe, expect, it } from 'vitest';
import { differenceText, historyText, queueSentence, seenText, usedText, waitingText } from './wording.ts';

const now = new Date('2026-11-15T12:00:00Z');

describe('how long something waits', () => {
  it.each([
    ['2026-11-15T12:00:20Z', 'under 1 m'],
    ['2026-11-15T11:59:01Z', 'under 1 m'],
    ['2026-11-15T11:59:00Z', '1 m'],
    ['2026-11-15T11:08:00Z', '52 m'],
    ['2026-11-15T11:00:00Z', '1 h 00 m'],
    ['2026-11-15T08:48:00Z', '3 h 12 m'],
    ['2026-11-14T12:00:01Z', '23 h 59 m'],
    ['2026-11-13T08:00:00Z', '2 d 4 h'],
  ])('since %s is %s', (since, text) => {
    expect(waitingText(since, now)).toBe(text);
  });

  it('is told of the oldest, wherever it stands', () => {
    const sentence = queueSentence(['2026-11-15T11:08:00Z', '2026-11-15T08:48:00Z'], now);
    expect(sentence).toBe('Two requests waiting. Oldest, 3 h 12 m.');
    expect(queueSentence(['2026-11-15T11:08:00Z'], now)).toBe('One request waiting. Oldest, 52 m.');
    expect(queueSentence(Array(23).fill('2026-11-15T11:08:00Z'), now)).toMatch(/^23 requests/);
    expect(queueSentence([], now)).toBe('Nothing is waiting.');
  });
});

it('an address nobody was paid at is called new', () => {
  expect([0, 1, 3].map(usedText)).toEqual(['New address', 'Used once', 'Used 3 times']);
});

it('an investor without history is told apart from one whose deposits were rejected', () => {
  expect(historyText(0, 0)).toBe('First deposit');
  expect(historyText(0, 2)).toBe('0 confirmed, 2 rejected');
});

it('a difference to what was declared is told to the cent', () => {
  expect(differenceText(125_000n, 123_760n)).toBe(
    '$12.40 less than declared. The investor gets what arrived.',
  );
  expect(differenceText(125_000n, 125_001n)).toBe(
    '$0.01 more than declared. The investor gets what arrived.',
  );
  expect(differenceText(125_000n, 125_000n)).toBeNull();
});

it('a payment is seen until it has its confirmations', () => {
  expect(seenText({ confirmations: 1, needed: 2 })).toBe('Seen, 1 of 2 confirmations');
  expect(seenText({ confirmations: 0, needed: 1 })).toBe('Seen, 0 of 1 confirmation');
  expect(seenText({ confirmations: 2, needed: 2 })).toBe('Confirmed, 2 confirmations');
});
