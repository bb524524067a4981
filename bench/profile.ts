import { mkdir, writeFile } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { Bank } from './bank.ts';
import type { Cluster } from './postgres/cluster.ts';
import type { Way, WayName } from './ways.ts';

const dir = fileURLToPath(new URL('profile/', import.meta.url));
const root = new URL('../', import.meta.url).href;
const linesMax = 30;
/** Waiting, and the profiler itself. */
const unasked = /^\(idle\)| node:inspector/;

/** Functions by the time that they themselves took, in parts of all that the server was busy. */
function topFunctions({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): string[] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url.replace(root, '');
      return [id, `${functionName || '(anonymous)'}  ${place}${place && `:${lineNumber + 1}`}`];
    }),
  );
  const micros = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    if (unasked.test(name)) continue;
    micros.set(name, (micros.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const all = micros.values().reduce((sum, each) => sum + each, 0);
  return [...micros]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, linesMax)
    .map(([name, took]) => `${((100 * took) / all).toFixed(1).padStart(5)} %  ${name}`);
}

export async function topStatements({ admin }: Cluster): Promise<string[]> {
  const { rows } = await admin.query<{ line: string }>(
    `select format('%s ms  %s calls  %s rows  %s WAL bytes  %s', lpad(round(total_exec_time)::text, 7),
       lpad(calls::text, 7), lpad(rows::text, 8), lpad(wal_bytes::text, 10),
       left(regexp_replace(query, '\\s+', ' ', 'g'), 160)) as line
     from pg_stat_statements order by total_exec_time desc limit ${linesMax}`,
  );
  return rows.map(({ line }) => line);
}

/** What the server and the database do while a way is gone, written beside the results. */
export async function writeProfile(
  { cluster, bank: { server } }: { cluster: Cluster; bank: Bank },
  name: WayName,
  way: () => ReturnType<Way>,
): Promise<void> {
  await cluster.admin.query('select pg_stat_statements_reset()');
  await server.ask('startProfile');
  const { done, seconds } = await way();
  const profile = await server.ask('stopProfile');
  const statements = await topStatements(cluster);
  const text = [
    `${name}: ${done} times in ${seconds.toFixed(1)} s`,
    '\nThe server, by the time of each function itself:\n',
    ...topFunctions(profile),
    '\nPostgreSQL, by the time of each statement:\n',
    ...statements,
  ];
  await mkdir(dir, { recursive: true });
  await writeFile(`${dir}${name}.cpuprofile`, JSON.stringify(profile));
  await writeFile(`${dir}${name}.txt`, `${text.join('\n')}\n`);
}
