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
import { minutesSince, percentile, say, sayTheEnd, sayWhatWasHeard } from '../ending.ts';
import { oneOf, readFlags } from '../flags.ts';
import { newSeed } from '../seed.ts';
import { goApart, isApart, refuseWhereNotApart } from './apart.ts';
import { type FailoverResult, failoverDrill } from './drill.ts';
import { faultKinds } from './faults.ts';

const folder = 'TALLYSTICK_DRILL_DIR';
const flags = readFlags(
  {
    times: { usual: 20, from: 1 },
    seed: { usual: newSeed(), from: 0 },
    from: { usual: 0, from: 0 },
    minutes: { usual: 60, from: 1 },
    clients: { usual: 6, from: 1 },
  },
  ['only', 'break'],
);
const only = oneOf('only', flags.only, faultKinds);
const breaks = oneOf('break', flags.break, ['async']);

const inSeconds = (ms: readonly number[], of: number) => (percentile(ms, of) / 1000).toFixed(1);

/** In seconds, with their count. */
function tellBack({ backMs }: FailoverResult): void {
  for (const kind of faultKinds) {
    const ms = backMs.filter((each) => each.kind === kind).map((each) => each.ms);
    if (ms.length === 0) continue;
    const [p50, p95, max] = [0.5, 0.95, 1].map((of) => inSeconds(ms, of));
    say(`${kind.padEnd(10)} ${ms.length}x  writes back p50 ${p50} s, p95 ${p95} s, max ${max} s`);
  }
}

function tell(result: FailoverResult): void {
  sayWhatWasHeard(result, 'fault');
  const { watched, local } = result;
  say(
    `asked by themselves, nodes acknowledged ${watched.acknowledged} writes, lost ${watched.lost}, took back ${watched.takenBack}; ` +
      `with synchronous_commit = local ${local.acknowledged}, lost ${local.lost}, ${local.late} of them while there was a newer primary`,
  );
  tellBack(result);
}

async function drill(): Promise<number> {
  const { times, seed, from, clients } = flags;
  const dir = process.env[folder] ?? '';
  await mkdir(dir, { recursive: true });
  // PostgreSQL runs as another user, who has to pass.
  await chmod(dir, 0o755);
  let isStopped = false;
  // Told twice it does not wait; whatever is left ends with the first process in here.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (isStopped) process.exit(1);
      isStopped = true;
    });
  }
  say(`seed ${seed}, ${times} failovers from number ${from}, ${clients} investors at once`);
  const began = performance.now();
  const result = await failoverDrill({ ...flags, dir, only, breaks }, say, () => isStopped);
  tell(result);
  say(minutesSince(began));
  const back = result.backMs.map(({ ms }) => ms);
  return sayTheEnd(result, {
    what: 'failovers',
    asked: times,
    done: result.failovers,
    seed,
    from,
    besides: `, writes back p50 ${inSeconds(back, 0.5)} s, p95 ${inSeconds(back, 0.95)} s`,
  });
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
refuseWhereNotApart('npm run drill:failover');
const dir = mkdtempSync(join(tmpdir(), 'ts-failover-'));
const code = await goApart(process.argv.slice(1), { [folder]: dir });
rmSync(dir, { recursive: true, force: true });
process.exit(code);
