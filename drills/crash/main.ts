/**
 * `npm run drill:crash -- --kills 1000 --seed 7`: nothing that was acknowledged is lost or done twice, whatever is killed
 * and when. `--from 400` goes on with the kills of a run that ended early, `--minutes` ends one in time, `--break sync`
 * shows that a loss is seen. With `--servers 2` it is web servers and workers on one database that end: all restarted in
 * turn, then one web server killed, then one worker; nobody may be signed out, which `--break sessions` does. Exit code
 * 0: all holds. 1: something is wrong. 2: fewer kills than asked for. 78: a flag is not one.
 */
import { minutesSince, percentile, say, sayTheEnd, sayWhatWasHeard } from '../ending.ts';
import { oneOf, readFlags } from '../flags.ts';
import { newSeed } from '../seed.ts';
import { crashDrill } from './drill.ts';
import { serversDrill } from './servers.ts';

const flags = readFlags(
  {
    kills: { usual: 100, from: 1 },
    seed: { usual: newSeed(), from: 0 },
    from: { usual: 0, from: 0 },
    minutes: { usual: 60, from: 1 },
    clients: { usual: 12, from: 1 },
    servers: { usual: 1, from: 1, to: 8 },
  },
  ['break'],
);
const { kills, seed, from, clients, servers } = flags;
const breaks = oneOf('break', flags.break, servers > 1 ? ['sessions'] : ['sync']);
let isStopped = false;
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => (isStopped = true));

say(`seed ${seed}, ${kills} kills from number ${from}, ${clients} investors at once`);
const began = performance.now();
const drill = servers > 1 ? serversDrill : crashDrill;
const result = await drill({ ...flags, breaks }, say, () => isStopped);
sayWhatWasHeard(result, 'kill');
const { recoveryMs, startsGivenUp } = result;
const p50 = (percentile(recoveryMs, 0.5) / 1000).toFixed(1);
say(
  `recovery of the server p50 ${p50} s of ${recoveryMs.length}; starts given up ${startsGivenUp}; ${minutesSince(began)}`,
);
process.exitCode = sayTheEnd(result, { what: 'kills', asked: kills, done: result.kills, seed, from });
