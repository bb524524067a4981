/** Asks several servers at once over connections that are kept, and takes the time of every answer. */
import { readFileSync } from 'node:fs';
import { type Connection, createConnection, isGood } from '../load/connection.ts';
import { keyMark, separator } from '../load/load.ts';
import { again } from '../server/loop.ts';
import type { Asking, Heard } from './crowd.ts';

const { ports, file, connections, seconds, routing, first, stamp }: Asking = JSON.parse(
  process.argv[2] ?? '',
);
const requests = readFileSync(file, 'utf8').split(separator);
/** As many to one server as to the other. */
const idle = ports.map((port) => {
  const count = Math.floor(connections / ports.length);
  return Array.from({ length: count }, () => createConnection(port));
});
const all = idle.flat();
const free = [...all];
const took: number[] = [];
let failed = 0;

/** Whose turn it is at each server, where everybody has one of their own. */
const turns = ports.map((_, server) => {
  const turn = first - (first % ports.length) + server;
  return turn < requests.length ? turn : server;
});
const homes = new Map<Connection, number>(idle.flatMap((own, server) => own.map((each) => [each, server])));

function nextFor(connection: Connection, time: number): string {
  const home = homes.get(connection) ?? 0;
  if (routing === 'spread') return requests[(first + time) % requests.length] ?? '';
  const turn = turns[home] ?? 0;
  turns[home] = turn + ports.length < requests.length ? turn + ports.length : home;
  return requests[turn] ?? '';
}

/** The one that was answered last: whose turn is next at it, nobody knows beforehand. */
function takeFree(): Connection {
  const taken = free.pop();
  if (!taken) throw new Error('more ask than there are connections');
  return taken;
}

const done = await again({ atOnce: all.length, seconds }, async (time) => {
  const connection = takeFree();
  const request = nextFor(connection, time).replace(keyMark, `${stamp}${time}`);
  const begun = performance.now();
  const answer = await connection.ask(request);
  took.push(performance.now() - begun);
  if (!isGood(answer)) failed += 1;
  free.push(connection);
});
for (const connection of all) connection.close();
took.sort((one, other) => one - other);
const part = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN;
const heard: Heard = { ...done, failed, p50_ms: part(0.5), p99_ms: part(0.99) };
process.stdout.write(`${JSON.stringify(heard)}\n`);
