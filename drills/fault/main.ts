/**
 * `npm run drill:fault -- --seed 7 [--only database-cut] [--break lost]`: whatever is cut, slowed, frozen, filled up,
 * hostile or wrong about the time, the answers are clean, the money is right, and all goes on by itself afterwards.
 * With `--break` one thing is wrong on purpose, and the drill has to say so. Exit code 0: all holds. 1: it does not.
 * 78: a flag is not one.
 */
import { say, wordsOfAnswers } from '../ending.ts';
import { oneOf, readFlags, refuse } from '../flags.ts';
import { newSeed } from '../seed.ts';
import { clockFaults } from './clocks.ts';
import { diskFull } from './disk.ts';
import { type Ground, openGround, startServer, type Told } from './ground.ts';
import { networkFaults } from './network.ts';
import { outsideFaults } from './outside.ts';

const faults = [...networkFaults, ...outsideFaults, ...clockFaults];
const names = [...faults.map(({ name }) => name), 'disk-full'];
/** What can be broken, and the fault that it is shown with. */
const shownWith: Record<string, string> = {
  lost: 'database-cut',
  shape: 'client-slow',
  hang: 'client-slow',
  letter: 'mail-slow',
  price: 'prices-hostile',
  early: 'server-clock',
};

const { seed, ...said } = readFlags({ seed: { usual: newSeed(), from: 0 } }, ['only', 'break']);
const breaks = oneOf('break', said.break, Object.keys(shownWith));
const only = oneOf('only', said.only, names) ?? (breaks && shownWith[breaks]);
const known = faults.find(({ name }) => name === only)?.breaks ?? (only === 'disk-full' ? ['lost'] : []);
if (breaks && !known.includes(breaks)) refuse(`With --only ${only}, --break takes ${known.join(', ')}.`);
const sum = { run: 0, left: 0, wrong: 0, acknowledged: 0, lost: 0, doubled: 0 };

function tell(name: string, told: Told | null): void {
  if (!told) {
    sum.left += 1;
    say(`left out  ${name}: this machine does not let us mount a small disk`);
    return;
  }
  const { findings, acknowledged, lost, doubled, answers, slowestMs, catchUpMs } = told;
  const isWrong = findings.length > 0 || lost > 0 || doubled > 0;
  sum.run += 1;
  sum.wrong += isWrong ? 1 : 0;
  for (const key of ['acknowledged', 'lost', 'doubled'] as const) sum[key] += told[key];
  for (const finding of findings.slice(0, 12)) say(`WRONG  ${name}: ${finding}`);
  say(
    `${isWrong ? 'FAILED' : 'holds '}  ${name}: acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}; ` +
      `slowest answer ${(slowestMs / 1000).toFixed(1)} s, money moved again after ${(catchUpMs / 1000).toFixed(1)} s; ` +
      wordsOfAnswers(answers),
  );
}

const failed = (error: unknown): Told => ({
  findings: [(error as Error).stack ?? String(error)],
  acknowledged: 0,
  lost: 0,
  doubled: 0,
  answers: new Map(),
  slowestMs: 0,
  catchUpMs: 0,
});

async function runOnGround(ground: Ground): Promise<void> {
  await startServer(ground);
  for (const [at, fault] of faults.entries()) {
    if (only && fault.name !== only) continue;
    tell(fault.name, await fault.run(ground, { block: at, breaks }).catch(failed));
  }
}

/** Whoever interrupts a drill finds nothing of it left. */
const closers: (() => Promise<void>)[] = [];
async function end(): Promise<void> {
  for (const close of closers.splice(0)) await close();
  process.exit(1);
}
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void end());

say(`seed ${seed}`);
if (only !== 'disk-full') {
  const ground = await openGround(seed, { forgetsLetters: breaks === 'letter' ? 1 : 0 });
  closers.push(ground.close);
  try {
    await runOnGround(ground);
  } finally {
    closers.pop();
    await ground.close();
  }
}
if (!only || only === 'disk-full') tell('disk-full', await diskFull(seed, breaks, closers).catch(failed));
process.exitCode = sum.wrong > 0 ? 1 : 0;
say(
  `faults ${sum.run}, left out ${sum.left}, failed ${sum.wrong}, acknowledged ${sum.acknowledged}, lost ${sum.lost}, doubled ${sum.doubled}`,
);
