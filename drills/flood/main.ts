/**
 * `npm run drill:flood -- --seed 7 [--seconds 10] [--idle 10000] [--break lost]`: five times what the server bears, beside
 * idle, slow, dripping and huge requests and guessed passwords. Who keeps to the limits is served, the others are turned
 * away, nothing grows without bound, and all is as before within seconds. With `--break` one thing is wrong on purpose,
 * and the drill has to say so. Exit code 0: all holds. 1: it does not. 2: it was interrupted.
 */
import { parseArgs } from 'node:util';
import { newSeed } from '../seed.ts';
import { breakings, floodDrill } from './drill.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(newSeed()) },
    seconds: { type: 'string', default: '10' },
    idle: { type: 'string', default: '10000' },
    break: { type: 'string' },
  },
});
const breaks = breakings.find((name) => name === values.break) ?? null;
if (values.break !== undefined && !breaks) {
  process.stderr.write(`--break takes ${breakings.join(', ')}.\n`);
  process.exit(2);
}
// What is no number would be no bound.
for (const name of ['seed', 'seconds', 'idle'] as const) {
  if (/^\d+$/.test(values[name])) continue;
  process.stderr.write(`--${name} takes a whole number.\n`);
  process.exit(2);
}
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
const options = {
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  idle: Number(values.idle),
  breaks,
  stopping: stopping.signal,
};
say(`seed ${options.seed}, ${options.seconds} s, ${options.idle} idle connections`);
const began = performance.now();
const { within, beyond, acknowledged, lost, doubled, findings } = await floodDrill(options, say);
for (const finding of findings.slice(0, 40)) say(`WRONG  ${finding}`);
if (findings.length > 40) say(`WRONG  and ${findings.length - 40} more`);
const share = (100 * within.done) / Math.max(1, within.offered);
say(
  `within the limits ${within.offered}, done ${within.done} (${share.toFixed(2)} %), failed ${within.failed}; ` +
    `beyond them ${beyond.offered}, done ${beyond.done}, turned away ${beyond.turnedAway}, unanswered ${beyond.failed}`,
);
say(`acknowledged ${acknowledged} in all, ${((performance.now() - began) / 60_000).toFixed(1)} minutes`);
const isWrong = findings.length > 0 || lost > 0 || doubled > 0;
process.exitCode = stopping.signal.aborted ? 2 : isWrong ? 1 : 0;
say(
  `offered ${within.offered + beyond.offered}, done ${within.done + beyond.done}, turned away ${beyond.turnedAway}, ` +
    `failed ${within.failed + beyond.failed}, lost ${lost}, doubled ${doubled}`,
);
