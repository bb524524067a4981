import { textOf, utf8 } from '@tallystick/verify/bytes';
import { openCheckpoint } from '@tallystick/verify/note';
import { isWrong } from '@tallystick/verify/plain';
import { checkProofFile, type Step } from '@tallystick/verify/proof-file';
import { checkpointNote, testKey } from '@tallystick/verify/testing/signing';
import { describe, expect, it } from 'vitest';
import { gather, type Remembered } from './gather.ts';
import { shownProof } from './shown.ts';
import { email, nothingKnown, owned, sampleHouse, wallet } from './testing/sample-house.ts';
import { alarmOf, reasonsOf, saysOf, stepWords, whyOf } from './words.ts';

type House = ReturnType<typeof sampleHouse>;

async function prove({ sources }: House, remembered: Remembered = nothingKnown, reader = email) {
  const gathered = await gather(sources, remembered, new Date('2026-11-16T09:00:00.000Z'));
  const trust = { vkey: remembered.log?.vkey ?? null, witnesses: null };
  return shownProof(gathered, checkProofFile(gathered.file, reader, trust), reader);
}

const statesOf = ({ steps }: { steps: Step[] }) =>
  Object.fromEntries(steps.map(({ name, state }) => [name, state]));
const stepOf = ({ steps }: { steps: Step[] }, name: Step['name']) => {
  const found = steps.find((step) => step.name === name);
  if (!found) throw new Error(`there is no step ${name}`);
  return found;
};
const knows = ({ vkey, checkpoint }: House): Remembered => ({ ...nothingKnown, log: { vkey, checkpoint } });
const before = sampleHouse({ hasStatement: false });

describe('the screen Proof', () => {
  it('finds all five steps to hold, and says whose money is part of what', async () => {
    const shown = await prove(sampleHouse(), knows(before));
    expect(statesOf(shown)).toEqual({
      chains: 'holds',
      leaf: 'holds',
      log: 'holds',
      consistency: 'holds',
      witnesses: 'holds',
    });
    expect(shown).toMatchObject({ mine: owned, newer: 0, size: 3, knownSize: 2, pieces: 2 });
    expect(shown.statement?.owed).toEqual([330_050n, 150_000n, 263n, 27_000n]);
    const said = shown.steps.map((step) => saysOf(step, shown));
    expect(said[0]).toBe(
      '3 entries of your wallet, 1 of what you invested and 1 of what you are withdrawing follow from one another and add up.',
    );
    expect(said[1]).toContain('Together they are $5,002.63');
    expect(said[2]).toBe('Statement 1 is entry 3 of 3.');
    expect(said[3]).toBe(
      'This browser knew the log with 2 entries. It has 3 now and begins with all of them.',
    );
    expect(said[4]).toContain('1 of 1 witness signed it: witness.test (');
  });

  it('says of the first look that there was nothing to compare with', async () => {
    const shown = await prove(sampleHouse());
    const step = stepOf(shown, 'consistency');
    expect(step.state).toBe('unchecked');
    expect(saysOf(step, shown)).toBe('This is the first time that this browser looks at the log.');
    expect(whyOf(step, shown)).toContain('remembers these 3 entries');
  });

  it('without a statement checks the own entries, and before anything was signed says so', async () => {
    const early = await prove(before);
    expect(statesOf(early)).toMatchObject({ chains: 'holds', leaf: 'unchecked', log: 'unchecked' });
    expect(early.statement).toBeNull();
    const unsigned = await prove(sampleHouse({ isSigned: false }));
    expect(statesOf(unsigned)).toEqual({
      chains: 'holds',
      leaf: 'unchecked',
      log: 'unchecked',
      consistency: 'unchecked',
      witnesses: 'unchecked',
    });
  });

  it('tells money that is younger than the statement', async () => {
    const later = wallet([['2026-11-16T08:00:00.000Z', 'TS-4', 'Bitcoin', 100n]]);
    const shown = await prove(sampleHouse({ wallet: later }));
    expect(shown).toMatchObject({ mine: owned, newer: 1 });
  });

  it('takes the sample witness of a demo for nothing', async () => {
    const shown = await prove(
      sampleHouse({ witnesses: [{ name: 'sample.test', sample: true, signs: true }] }),
    );
    expect(stepOf(shown, 'witnesses')).toMatchObject({ state: 'unchecked' });
    expect(stepOf(shown, 'witnesses').why).toContain('proves nothing');
  });
});

describe('a break is found', () => {
  const rewritten = wallet().map((line) => (line.seq === 1 ? { ...line, amountCents: 400_000n } : line));

  it('in the own entries', async () => {
    const shown = await prove(sampleHouse({ wallet: rewritten }));
    expect(stepOf(shown, 'chains')).toMatchObject({ state: 'broken' });
    expect(stepOf(shown, 'chains').why).toContain('TS-1');
    expect(shown.mine).toBeNull();
  });

  it('in the total that counts less, or leaves the reader out', async () => {
    const less = await prove(sampleHouse({ counted: [230_000n, 150_000n, 263n, 20_000n] }));
    expect(stepOf(less, 'leaf').why).toBe(
      'wallet: the total counts $2,300.00, your own entries come to $3,300.00.',
    );
    const leftOut = await prove(sampleHouse({ isLeftOut: true }));
    expect(stepOf(leftOut, 'leaf')).toMatchObject({ state: 'broken' });
  });

  it('in a place that was made for somebody else', async () => {
    const shown = await prove(sampleHouse({ madeFor: email }), nothingKnown, 'Eve@Example.org');
    expect(stepOf(shown, 'leaf')).toMatchObject({ state: 'broken' });
    expect(stepOf(shown, 'leaf').why).toContain('another e-mail address');
  });

  it('in a statement that is not what was signed', async () => {
    const house = sampleHouse();
    const other = sampleHouse({ counted: [1_000n, 0n, 0n, 0n] });
    const shown = await prove({
      ...house,
      sources: {
        ...house.sources,
        readLog: (path) => (path.includes('entries') ? other : house).sources.readLog(path),
      },
    });
    expect(stepOf(shown, 'log')).toMatchObject({ state: 'broken' });
  });

  it('in a log whose past is another, is shorter, or has another key', async () => {
    const forked = sampleHouse({ past: ['plan/v1\nanother\n', 'audit/v1\n'] });
    expect(stepOf(await prove(forked, knows(before)), 'consistency')).toMatchObject({ state: 'broken' });
    expect(stepOf(await prove(before, knows(sampleHouse())), 'consistency')).toMatchObject({
      state: 'broken',
    });
    const strange = { ...nothingKnown, log: { vkey: testKey('older.test/log').vkey, checkpoint: '' } };
    const shown = await prove(sampleHouse(), strange);
    expect(stepOf(shown, 'log')).toMatchObject({ state: 'broken' });
    expect(stepOf(shown, 'log').why).toContain('another key than this browser knew');
    expect(stepOf(shown, 'leaf')).toMatchObject({ state: 'unchecked' });
    expect(shown.otherKey).toMatchObject({ told: sampleHouse().vkey, isContinued: false });
    expect(alarmOf(shown)).toBe('The log is signed with another key');
    expect(reasonsOf(shown)).toEqual([
      'It is signed with another key than this browser knew.',
      'And it does not contain what this browser knew before.',
    ]);
  });

  it('in a new key that this browser has missed: says whether the log goes on, and not whose the key is', async () => {
    const old = testKey('tallystick.test/log', 'note', 'older');
    const head = openCheckpoint(before.checkpoint, before.vkey);
    if (isWrong(head)) throw new Error(head.wrong);
    const knewOld = { ...nothingKnown, log: { vkey: old.vkey, checkpoint: checkpointNote(old, head) } };
    const shown = await prove(sampleHouse(), knewOld);
    expect(shown.otherKey).toEqual({ known: old.vkey, told: before.vkey, isContinued: true });
    expect(stepOf(shown, 'log')).toMatchObject({ state: 'broken' });
    expect(reasonsOf(shown)[1]).toContain('still contains everything that this browser knew');
    const forked = await prove(sampleHouse({ past: ['plan/v1\nanother\n', 'audit/v1\n'] }), knewOld);
    expect(forked.otherKey).toMatchObject({ isContinued: false });
  });

  it('in a statement that contradicts itself, without blaming the reader’s own part of it', async () => {
    const house = sampleHouse();
    const readLog = async (path: string) => {
      const bytes = await house.sources.readLog(path);
      return path.includes('entries') ? utf8(textOf(bytes)?.replace('owed 3', 'owed 4') ?? '') : bytes;
    };
    const shown = await prove({ ...house, sources: { ...house.sources, readLog } });
    expect(stepOf(shown, 'log')).toMatchObject({ state: 'broken' });
    expect(alarmOf(shown)).toBe(stepWords.log.alarm);
  });

  it('in a signature of a witness that is false', async () => {
    const house = sampleHouse();
    const real = (await house.sources.readCheckpoint()) ?? '';
    const line = real.split('\n').find((one) => one.startsWith('\u2014 witness.test')) ?? '';
    const forged = `${line.slice(0, -6)}${line.endsWith('AAAA==') ? 'BBBB==' : 'AAAA=='}`;
    const sources = { ...house.sources, readCheckpoint: async () => real.replace(line, forged) };
    expect(stepOf(await prove({ ...house, sources }), 'witnesses')).toMatchObject({ state: 'broken' });
  });

  it('and each has a headline of its own', () => {
    expect(new Set(Object.values(stepWords).map(({ alarm }) => alarm)).size).toBe(5);
  });
});
