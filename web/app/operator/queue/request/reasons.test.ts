import { Reason } from '@tallystick/contract/operator/fields';
import { expect, test } from 'vitest';
import { depositReasons, messageAfter, type ReasonChoice, withdrawalReasons } from './reasons.ts';

const [arrived, wrong] = depositReasons as [ReasonChoice, ReasonChoice];

test('a chosen reason fills in its words, and another one takes their place', () => {
  expect(messageAfter(arrived, depositReasons, '')).toBe(arrived.text);
  expect(messageAfter(wrong, depositReasons, arrived.text)).toBe(wrong.text);
});

test('what an operator has written is never thrown away', () => {
  expect(messageAfter(wrong, depositReasons, 'Please call us.')).toBe('Please call us.');
});

test('every prepared message can be sent as it is', () => {
  for (const { text } of [...depositReasons, ...withdrawalReasons]) {
    if (text) expect(Reason.safeParse(text).success).toBe(true);
  }
});
