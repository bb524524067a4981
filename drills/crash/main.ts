/**
 * `npm run drill:crash -- --kills 1000 --seed 7`: nothing that was acknowledged is lost or done twice, whatever is killed
 * and when. `--from 400` goes on with the kills of a run that ended early, `--minutes` ends one in time, `--break sync`
 * shows that a loss is seen. With `--servers 2` it is web servers on one database that end: every other time all are
 * restarted in turn, else one is killed; nobody may be signed out, which `--break sessions` does. Exit code 0: all holds. 1: something is wrong. 2: fewer kills than asked for.
 */
import { parseArgs } from 'node:util';
import { newSeed } from '../seed.ts';
import { crashDrill, median } from './drill.ts';
import { serversDrill } from './servers.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(newSeed()) },
    from: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '60' },
    clients: { type: 'string', default: '12' },
    servers: { type: 'string', default: '1' },
    break: { type: 'string' },
  },
});
const servers = Number(values.servers);
if (!(Number.isSafeInteger(servers) && servers > 0 && servers <= 8)) {
  process.stderr.write('--servers takes a whole number from 1 to 8.\n');
  process.exit(2);
}
const breakable = servers > 1 ? 'sessions' : 'sync';
if (values.break !== undefined && values.break !== breakable) {
  process.stderr.write(
    `--break takes ${breakable} alone, with ${servers > 1 ? 'several servers' : 'one server'}.\n`,
  );
  process.exit(2);
}
const options = {
  kills: Number(values.kills),
  seed: Number(values.seed),
  from: Number(values.from),
  minutes: Number(values.minutes),
  clients: Number(values.clients),
  servers,
  breaks: values.break === undefined ? null : (breakable as 'sync' | 'sessions'),
};
let isStopped = false;
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => (isStopped = true));

say(
  `seed ${options.seed}, ${options.kills} kills from number ${options.from}, ${options.clients} investors at once`,
);
const began = performance.now();
const drill = servers > 1 ? serversDrill : crashDrill;
const result = await drill(options, say, () => isStopped);
for (const finding of result.findings.slice(0, 40)) say(`WRONG  ${finding}`);
if (result.findings.length > 40) say(`WRONG  and ${result.findings.length - 40} more`);
const answers = [...result.answers].sort(([one], [other]) => one - other);
say(`answers: ${answers.map(([status, count]) => `${status || 'none'} ${count}x`).join(', ')}`);
say(
  `slowest answer ${(result.slowestMs / 1000).toFixed(1)} s, letters sent twice after a kill ${result.repeated}`,
);
const p50 = (median(result.recoveryMs) / 1000).toFixed(1);
say(
  `recovery of the server p50 ${p50} s of ${result.recoveryMs.length}; starts given up ${result.startsGivenUp}; ` +
    `${((performance.now() - began) / 60_000).toFixed(1)} minutes`,
);
if (result.kills < options.kills) {
  say(
    `ended after ${result.kills} kills; go on with --seed ${options.seed} --from ${options.from + result.kills}`,
  );
}
const isWrong = result.lost > 0 || result.doubled > 0 || result.findings.length > 0;
process.exitCode = isWrong ? 1 : result.kills < options.kills ? 2 : 0;
say(
  `kills ${result.kills}, acknowledged ${result.acknowledged}, lost ${result.lost}, doubled ${result.doubled}`,
);
