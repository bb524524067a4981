import type { AuditRow } from '@tallystick/contract/operator/audit';
import { expect, test } from 'vitest';
import {
  actionGroups,
  actionWords,
  actorWords,
  detailsOf,
  investorOf,
  shortId,
  subjectWords,
  whatWords,
} from './wording.ts';

const row: AuditRow = {
  _id: 7,
  at: '2026-11-15T09:41:00Z',
  actorkind: 'operator',
  actorid: 'o',
  actorname: 'Sample Operator',
  action: 'withdrawal.paid',
  subjectid: 'i',
  subjectname: 'Sample Investor',
  address: '127.0.0.1',
  details: {},
};

test('an action reads as plain words, a new one as its own', () => {
  expect(actionWords('withdrawal.approved-first')).toBe('Withdrawal approved by the first of two');
  expect(actionWords('backup.made-early')).toBe('Backup made early');
});

test('a refused request says why it was refused', () => {
  const refused = { ...row, action: 'request.refused', details: { code: 'address_wrong', route: '/api/x' } };
  expect(whatWords(refused)).toBe('Request refused: address wrong');
  expect(whatWords({ ...refused, details: {} })).toBe('Request refused');
  expect(whatWords({ ...row, details: { code: 'x' } })).toBe('Withdrawal paid');
});

test('who did it is named, or at least said what kind of actor it was', () => {
  expect(actorWords(row)).toEqual({ name: 'Sample Operator', kind: 'Operator' });
  expect(actorWords({ ...row, actorkind: 'system', actorname: null })).toEqual({
    name: 'The system',
    kind: null,
  });
});

test('only entries about an account lead to it', () => {
  expect(investorOf(row)).toBe('i');
  expect(investorOf({ ...row, action: 'withdrawal-method.added' })).toBeNull();
  expect(investorOf({ ...row, action: 'plan.added' })).toBeNull();
  expect(investorOf({ ...row, subjectid: null })).toBeNull();
});

test('details are named and money is shown in dollars', () => {
  const details = {
    transactionid: 'TS-7K4M-9XQ2',
    amountCents: '-75000',
    chainTxid: null,
    reason: '',
    askedBy: 'o',
    secondFactor: true,
    roiPoints: 240,
    durationDays: 45,
    findings: ['one', 'two'],
    from: { roi: 1.9 },
    thresholdCents: '500000',
    chainThresholdCents: '1000000',
    planPointsPerDayMax: 50,
    planDaysMin: 7,
    planCentsMax: '10000000',
    because: 'Above $5,000.00',
  };
  expect(detailsOf({ ...row, details })).toEqual([
    { name: 'Transaction ID', value: 'TS-7K4M-9XQ2' },
    { name: 'Amount', value: '−$750.00' },
    { name: 'Asked by', value: 'o' },
    { name: 'Second factor', value: 'Yes' },
    { name: 'ROI for the term', value: '2.4%' },
    { name: 'Duration', value: '45 days' },
    { name: 'Findings', value: 'one, two' },
    { name: 'From', value: '{"roi":1.9}' },
    { name: 'Threshold', value: '$5,000.00' },
    { name: 'Threshold for what a chain shows', value: '$10,000.00' },
    { name: 'Plan’s return', value: '0.5% a day' },
    { name: 'Plan’s shortest term', value: '7 days' },
    { name: 'Plan’s largest amount', value: '$100,000.00' },
    { name: 'Why two', value: 'Above $5,000.00' },
    { name: 'ID of what it is about', value: 'i' },
    { name: 'ID of who did it', value: 'o' },
  ]);
});

test('a plan or a method is named from the details', () => {
  expect(subjectWords(row)).toBe('Sample Investor');
  expect(subjectWords({ ...row, subjectname: null, details: { planname: 'Starter' } })).toBe('Starter');
  expect(subjectWords({ ...row, subjectname: null, subjectid: null })).toBeNull();
});

test('a long id shows its head', () => {
  expect(shortId('3f6c1d1e-0000-4000-8000-000000000000')).toBe('3f6c1d1e…');
  expect(shortId('42')).toBe('42');
});

test('a group of actions holds no action of another', () => {
  const begins = actionGroups.map(({ value }) => value).filter(Boolean);
  for (const one of begins) {
    expect(begins.filter((other) => other.startsWith(one))).toEqual([one]);
  }
});
