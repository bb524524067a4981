import type { OfferedPlan } from '@tallystick/contract/operator/plans';
import { expect, test } from 'vitest';
import { boundsOf } from '../facts/wording.ts';
import {
  bodyOf,
  draftFields,
  draftOf,
  isSame,
  paysBack,
  previewOf,
  versionSentence,
  whyTwoSave,
} from './draft.ts';
import { inOrder, isSameOrder, moved } from './order.ts';

const standard: OfferedPlan = {
  _id: 'b',
  planname: 'Standard',
  from: 2000,
  to: 9999,
  duration: 60,
  roi: 1.9,
  reinvestable: true,
  exit: { fromday: 15, keeps: 50, fee: 0.5 },
  version: 3,
  active: true,
  openinvestments: 74,
  openamount: 341050,
};

test('a plan that goes through the form unchanged is the same plan', () => {
  const draft = draftFields.parse(draftOf(standard));
  expect(bodyOf(draft)).toEqual({
    planname: 'Standard',
    from: 2000,
    to: 9999,
    duration: 60,
    roi: 1.9,
    reinvestable: true,
    exit: { fromday: 15, keeps: 50, fee: 0.5 },
  });
  expect(isSame(draft, standard)).toBe(true);
  expect(isSame({ ...draft, roi: 191 }, standard)).toBe(false);
});

test('a plan is left early on all three terms, before its last day, or not at all', () => {
  const typed = draftOf(standard);
  const wrongIn = (change: Partial<typeof typed>) =>
    draftFields.safeParse({ ...typed, ...change }).error?.issues.map(({ path }) => path[0]);
  expect(wrongIn({ exitfrom: '59' })).toBeUndefined();
  expect(wrongIn({ exitfrom: '60' })).toEqual(['exitfrom']);
  expect(wrongIn({ exitfrom: '0' })).toEqual(['exitfrom']);
  expect(wrongIn({ exitkeeps: '100.01' })).toEqual(['exitkeeps']);
  expect(wrongIn({ exitkeeps: ' ' })).toEqual(['exitkeeps']);
  expect(wrongIn({ exitfrom: '', exitfee: '' })).toEqual(['exitfrom', 'exitfee']);
  const never = draftFields.parse({ ...typed, exitfrom: '', exitkeeps: '', exitfee: ' ' });
  expect(bodyOf(never).exit).toBeNull();
  expect(isSame(never, standard)).toBe(false);
});

test('both ends of the range pay back amount and profit to the cent', () => {
  expect(paysBack({ from: '2,000', to: '9,999', roi: '3.2' })).toEqual({
    smallest: 206_400n,
    largest: 1_031_897n,
  });
});

test('half a cent goes to the even neighbour', () => {
  expect(paysBack({ from: '0.50', to: '1.50', roi: '1' })).toEqual({ smallest: 50n, largest: 152n });
});

test('what cannot be read pays back nothing', () => {
  expect(paysBack({ from: '', to: '9,999', roi: '3.2' })).toEqual({ smallest: null, largest: 1_031_897n });
  expect(paysBack({ from: '2,000', to: '9,999', roi: 'much' })).toEqual({ smallest: null, largest: null });
});

test('the card shows only figures that could be saved', () => {
  expect(previewOf({ ...draftOf(standard), roi: '3.2 %' })?.roi).toBe(3.2);
  expect(previewOf({ ...draftOf(standard), to: '1,999' })).toBeNull();
  expect(previewOf({ ...draftOf(standard), duration: '0' })).toBeNull();
  expect(previewOf({ ...draftOf(standard), duration: '3651' })).toBeNull();
  expect(previewOf({ ...draftOf(standard), roi: '1000.01' })).toBeNull();
  expect(previewOf(draftOf(null))).toBeNull();
});

test('the sentence says which versions open investments stay on', () => {
  expect(versionSentence(standard)).toBe(
    'Version 4 starts when you save it. 74 open investments stay on version 3 or earlier.',
  );
  expect(versionSentence({ ...standard, version: 1, openinvestments: 1 })).toBe(
    'Version 2 starts when you save it. 1 open investment stays on version 1.',
  );
  expect(versionSentence({ ...standard, openinvestments: 0 })).toBe(
    'Version 4 starts when you save it. No investment is open on this plan.',
  );
});

test('while it is typed the form says in which ways a plan is beyond what one operator may offer', () => {
  const bounds = boundsOf({
    threshold: 5000,
    chainthreshold: 10_000,
    roiperday: 0.5,
    daysmin: 7,
    daysmax: 365,
    planmax: 100_000,
  });
  const typed = draftOf(standard);
  expect(whyTwoSave(typed, bounds)).toEqual([]);
  expect(whyTwoSave({ ...typed, roi: '30' }, bounds)).toEqual([]);
  expect(whyTwoSave({ ...typed, roi: '30.01 %' }, bounds)).toEqual([
    '30.01% in 60 days is more than 0.5% a day',
  ]);
  expect(whyTwoSave({ ...typed, duration: '1', roi: '1000', to: '100,000.01' }, bounds)).toEqual([
    '1000% in 1 day is more than 0.5% a day',
    '1 day is shorter than 7',
    '$100,000.01 is above $100,000.00',
  ]);
  expect(whyTwoSave({ ...typed, roi: 'much' }, bounds)).toEqual([]);
  expect(versionSentence({ ...standard, openinvestments: 0 }, true)).toBe(
    'Version 4 starts when a second operator has agreed. No investment is open on this plan.',
  );
});

test('a plan moves to its new place and no further than the ends', () => {
  expect(moved(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c']);
  expect(moved(['a', 'b', 'c'], 'b', 9)).toEqual(['a', 'c', 'b']);
});

test('a plan that came meanwhile stands at the end until the server says where', () => {
  const plans = [{ _id: 'a' }, { _id: 'b' }, { _id: 'new' }];
  expect(inOrder(plans, ['b', 'a']).map(({ _id }) => _id)).toEqual(['b', 'a', 'new']);
  expect(inOrder(plans, null)).toBe(plans);
  expect(isSameOrder(['a', 'b'], ['a', 'b'])).toBe(true);
  expect(isSameOrder(['a', 'b'], ['b', 'a'])).toBe(false);
});
