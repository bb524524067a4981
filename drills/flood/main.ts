/**
 * `npm run drill:flood -- --seed 7 [--seconds 10] [--idle 10000] [--break lost]`: five times what the server bears, beside
 * idle, slow, dripping and huge requests and guessed passwords. Who keeps to the limits is served, the others are turned
 * away, nothing grows without bound, and all is as before within seconds. With `--break` one thing is wrong on purpose,
 * and the drill has to say so. Exit code 0: all holds. 1: it does not. 2: it was interrupted. 78: a flag is
 * not one.
 */
import { minutesSince, say, sayFindings } from '../ending.ts';
import { oneOf, readFlags } from '../flags.ts';
import { newSeed } from '../seed.ts';
import { breakings, floodDrill } from './drill.ts';

const flags = readFlags(
  {
    seed: { usual: newSeed(), from: 0 },
    seconds: { usual: 10, from: 1 },
    idle: { usual: 10_000, from: 0 },
  },
  ['break'],
);
const breaks = oneOf('break', flags.break, breakings);
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
say(`seed ${flags.seed}, ${flags.seconds} s, ${flags.idle} idle connections`);
const began = performance.now();
const options = { ...flags, breaks, stopping: stopping.signal };
const { within, beyond, acknowledged, lost, doubled, findings } = await floodDrill(options, say);
sayFindings(findings);
const share = (100 * within.done) / Math.max(1, within.offered);
say(
  `within the limits ${within.offered}, done ${within.done} (${share.toFixed(2)} %), failed ${within.failed}; ` +
    `beyond them ${beyond.offered}, done ${beyond.done}, turned away ${beyond.turnedAway}, unanswered ${beyond.failed}`,
);
say(`acknowledged ${acknowledged} in all, ${minutesSince(began)}`);
const isWrong = findings.length > 0 || lost > 0 || doubled > 0;
process.exitCode = stopping.signal.aborted ? 2 : isWrong ? 1 : 0;
say(
  `offered ${within.offered + beyond.offered}, done ${within.done + beyond.done}, turned away ${beyond.turnedAway}, ` +
    `failed ${within.failed + beyond.failed}, lost ${lost}, doubled ${doubled}`,
);
