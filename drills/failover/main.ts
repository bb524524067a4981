/**
 * `npm run drill:failover -- --times 20 --seed 7`: nothing that was acknowledged is lost or done twice, whichever way the
 * primary of a cluster is lost. `--only kill|stop|cut|etcd|switchover` one way alone, `--from 5` goes on with the faults of
 * a run that ended early, `--minutes` ends one in time, `--break async` shows that a loss is seen. Exit code 0: all holds.
 * 1: something is wrong. 2: fewer failovers than asked for. 78: something is missing here, which is told.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { howToInstall, missingPackages } from '../../ops/cluster/programs.ts';
import { newSeed } from '../seed.ts';
import { goApart, isApart, whyNotApart } from './apart.ts';
import { type FailoverResult, failoverDrill, percentile } from './drill.ts';
import { type FaultKind, faultKinds } from './faults.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const refused = 78;
const folder = 'TALLYSTICK_DRILL_DIR';

function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(refused);
}

const numbers = {
  times: { type: 'string', default: '20' },
  seed: { type: 'string', default: String(newSeed()) },
  from: { type: 'string', default: '0' },
  minutes: { type: 'string', default: '60' },
  clients: { type: 'string', default: '6' },
} as const;

function readFlags() {
  const options = { ...numbers, only: { type: 'string' }, break: { type: 'string' } } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    const [why = ''] = (error as Error).message.split(/\.?\n|\. /);
    return refuse(`${why}: it takes --${Object.keys(options).join(', --')}.`);
  }
}

const values = readFlags();
// A drill of no failovers finds nothing, and would end as if all held.
for (const name of Object.keys(numbers) as (keyof typeof numbers)[]) {
  const [least, word] = name === 'from' || name === 'seed' ? [0, 'from 0 on'] : [1, 'from 1 on'];
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < least || values[name] === '')
    refuse(`--${name} takes a whole number ${word}, not ${JSON.stringify(values[name])}.`);
}
const isKind = (word: string): word is FaultKind => (faultKinds as readonly string[]).includes(word);
if (values.break !== undefined && values.break !== 'async') refuse('--break takes async alone.');
if (values.only !== undefined && !isKind(values.only))
  refuse(`--only takes one of ${faultKinds.join(', ')}.`);
const only = values.only !== undefined && isKind(values.only) ? values.only : null;

/** In seconds, with their count. */
function tellBack({ backMs }: FailoverResult): void {
  for (const kind of faultKinds) {
    const ms = backMs.filter((each) => each.kind === kind).map((each) => each.ms);
    if (ms.length === 0) continue;
    const [p50, p95, max] = [0.5, 0.95, 1].map((of) => (percentile(ms, of) / 1000).toFixed(1));
    say(`${kind.padEnd(10)} ${ms.length}x  writes back p50 ${p50} s, p95 ${p95} s, max ${max} s`);
  }
}

function tell(result: FailoverResult): void {
  for (const finding of result.findings.slice(0, 40)) say(`WRONG  ${finding}`);
  if (result.findings.length > 40) say(`WRONG  and ${result.findings.length - 40} more`);
  const answers = [...result.answers].sort(([one], [other]) => one - other);
  say(`answers: ${answers.map(([status, count]) => `${status || 'none'} ${count}x`).join(', ')}`);
  say(
    `slowest answer ${(result.slowestMs / 1000).toFixed(1)} s, letters sent twice after a fault ${result.repeated}`,
  );
  const { watched, local } = result;
  say(
    `asked by themselves, nodes acknowledged ${watched.acknowledged} writes, lost ${watched.lost}, took back ${watched.takenBack}; ` +
      `with synchronous_commit = local ${local.acknowledged}, lost ${local.lost}, ${local.late} of them while there was a newer primary`,
  );
  tellBack(result);
}

async function drill(): Promise<number> {
  const options = {
    dir: process.env[folder] ?? '',
    times: Number(values.times),
    seed: Number(values.seed),
    from: Number(values.from),
    minutes: Number(values.minutes),
    clients: Number(values.clients),
    only,
    breaks: values.break === 'async' ? ('async' as const) : null,
  };
  await mkdir(options.dir, { recursive: true });
  // PostgreSQL runs as another user, who has to pass.
  await chmod(options.dir, 0o755);
  let isStopped = false;
  // Told twice it does not wait; whatever is left ends with the first process in here.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (isStopped) process.exit(1);
      isStopped = true;
    });
  }
  say(
    `seed ${options.seed}, ${options.times} failovers from number ${options.from}, ${options.clients} investors at once`,
  );
  const began = performance.now();
  const result = await failoverDrill(options, say, () => isStopped);
  tell(result);
  say(`${((performance.now() - began) / 60_000).toFixed(1)} minutes`);
  if (result.failovers < options.times) {
    say(
      `ended after ${result.failovers}; go on with --seed ${options.seed} --from ${options.from + result.failovers}`,
    );
  }
  const back = result.backMs.map(({ ms }) => ms);
  const [p50, p95] = [0.5, 0.95].map((of) => (percentile(back, of) / 1000).toFixed(1));
  say(
    `failovers ${result.failovers}, acknowledged ${result.acknowledged}, lost ${result.lost}, doubled ${result.doubled}, ` +
      `writes back p50 ${p50} s, p95 ${p95} s`,
  );
  if (result.lost > 0 || result.doubled > 0 || result.findings.length > 0) return 1;
  return result.failovers < options.times ? 2 : 0;
}

/** Before anybody has asked anything there is nothing to look for. */
async function drillOrSayWhyNot(): Promise<number> {
  try {
    return await drill();
  } catch (error) {
    say(`the drill could not begin: ${(error as Error).message}`);
    return 1;
  }
}

if (isApart()) process.exit(await drillOrSayWhyNot());
const missing = missingPackages();
if (missing.length > 0) refuse(howToInstall(missing));
const why = whyNotApart();
if (why) refuse(`npm run drill:failover cannot run here: ${why}.`);
const dir = mkdtempSync(join(tmpdir(), 'ts-failover-'));
const code = await goApart(process.argv.slice(1), { [folder]: dir });
rmSync(dir, { recursive: true, force: true });
process.exit(code);
