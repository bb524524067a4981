/** What wrk does with wrk.lua, where there is no wrk: in a process of its own, and heard in the same words. */
import { readFileSync } from 'node:fs';
import { again } from '../server/loop.ts';
import { createConnection, isGood } from './connection.ts';
import { type Asked, keyMark, separator } from './load.ts';

const [port, connections, seconds, file = '', first, stamp] = process.argv.slice(2);
const requests = readFileSync(file, 'utf8').split(separator);
const idle = Array.from({ length: Number(connections) }, () => createConnection(Number(port)));
let failed = 0;
const done = await again({ atOnce: idle.length, seconds: Number(seconds) }, async (time) => {
  const connection = idle.pop();
  const request = requests[(Number(first) + time) % requests.length] ?? '';
  const answer = await connection?.ask(request.replace(keyMark, `${stamp}${time}`));
  if (!isGood(answer ?? '')) failed += 1;
  if (connection) idle.push(connection);
});
for (const connection of idle) connection.close();
process.stdout.write(`${JSON.stringify({ ...done, failed } satisfies Asked)}\n`);
