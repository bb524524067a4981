import { formatUsd } from '@tallystick/contract/money';
import type { Step } from '@tallystick/verify/proof-file';
import { counted, whenOf } from '../../domain/dates.ts';
import type { ShownProof } from './shown.ts';

export type StepName = Step['name'];

interface StepWords {
  title: string;
  proves: string;
  not: string;
  /** The headline when it is broken. */
  alarm: string;
}

/** What each step is, what it proves and what it does not. */
export const stepWords: Record<StepName, StepWords> = {
  chains: {
    title: 'Your own entries',
    proves:
      'Every entry is made from the one before it. None that this browser has seen was changed, removed or slipped in.',
    not: 'That others are shown the same books. The steps below are for that.',
    alarm: 'Your own entries do not fit together',
  },
  leaf: {
    title: 'Your money in the total',
    proves:
      'What is owed to you is part of the published total, under your e-mail address and to the cent. A total cannot be less than its parts.',
    not: 'That everybody else was counted. Each person can only find their own part.',
    alarm: 'Your money is not in the total as it should be',
  },
  log: {
    title: 'The statement in the public log',
    proves:
      'The statement with that total has its place in the log that everybody reads. It cannot be exchanged for another one later.',
    not: 'That what is held is really there. The statement names the addresses where a chain shows it, and says what was only entered by hand.',
    alarm: 'The statement is not in the public log as it should be',
  },
  consistency: {
    title: 'The past of the log',
    proves: 'Everything that was in the log when this browser last looked is still in it, unchanged.',
    not: 'Anything about the time before this browser’s first look.',
    alarm: 'The past of the log was changed',
  },
  witnesses: {
    title: 'Signatures of others',
    proves:
      'Witnesses saw this log grow without losing anything and signed the very state that you see. Two different logs cannot both bear their signatures.',
    not: 'That the amounts are right: witnesses do not look at them.',
    alarm: 'A signature under the log is false',
  },
};

export const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n);
const entries = (count: number) => counted(count, 'entry', 'entries');

const sumOfCounts = (counts: ShownProof['entryCounts']) =>
  Object.values(counts).reduce((sum, one) => sum + one, 0);

/** What was found, in the screen's own words where it holds; otherwise in the verifier's. */
export function saysOf(step: Step, shown: ShownProof): string {
  if (
    step.name === 'consistency' &&
    shown.knownSize === null &&
    step.state === 'unchecked' &&
    shown.size !== null
  ) {
    return 'This is the first time that this browser looks at the log.';
  }
  if (step.state !== 'holds') return step.says;
  const { statement, size, knownSize, entryCounts: counts } = shown;
  switch (step.name) {
    case 'chains':
      if (sumOfCounts(counts) === 0) return 'You have no entries yet, and none was ever seen here.';
      return `${entries(counts.wallet)} of your wallet, ${counts.invested} of what you invested and ${counts.withdrawing} of what you are withdrawing follow from one another and add up.`;
    case 'leaf':
      return `Found in ${counted(shown.pieces, 'piece')}, each ${counted(statement?.depth ?? 0, 'step')} below the total. Together they are ${formatUsd(sumOf(shown.mine ?? []))}, to the cent what your own entries come to.`;
    case 'log':
      return `Statement ${statement?.number} is entry ${(statement?.place ?? 0) + 1} of ${size}.`;
    case 'consistency':
      return knownSize === size
        ? `This browser knew the log with ${entries(size ?? 0)}. It is the same, and has not grown.`
        : `This browser knew the log with ${entries(knownSize ?? 0)}. It has ${size} now and begins with all of them.`;
    case 'witnesses':
      return `${shown.cosigners.length} of ${counted(shown.witnesses.length, 'witness', 'witnesses')} signed it: ${shown.cosigners.map(({ name, at }) => `${name} (${whenOf(at)})`).join(', ')}.`;
  }
}

/** The headline of a break. What rests on the log is not blamed for a log that is not as it must be. */
export function alarmOf({ steps, otherKey, size }: ShownProof): string {
  const broken = steps.flatMap(({ name, state }) => (state === 'broken' ? [name] : []));
  if (broken.includes('chains')) return stepWords.chains.alarm;
  if (otherKey) return 'The log is signed with another key';
  if (size === null) return 'The log is not signed as it must be';
  return stepWords[broken.includes('log') ? 'log' : (broken[0] ?? 'log')].alarm;
}

/** What is wrong, each thing once, though several steps may rest on it. */
export function reasonsOf({ steps, otherKey }: ShownProof): string[] {
  const reasons = steps.flatMap(({ state, why, says }) => (state === 'broken' ? [why ?? says] : []));
  const ofKey = otherKey?.isContinued
    ? ['It still contains everything that this browser knew. Whose the new key is, your browser cannot tell.']
    : ['And it does not contain what this browser knew before.'];
  return [...new Set([...reasons, ...(otherKey ? ofKey : [])])];
}

export function whyOf(step: Step, shown: ShownProof): string | null {
  if (
    step.name === 'consistency' &&
    step.state === 'unchecked' &&
    shown.knownSize === null &&
    shown.size !== null
  ) {
    return `From now on it remembers these ${entries(shown.size)}, and compares them when you come back.`;
  }
  return step.why;
}
