import v8 from 'node:v8';
import vm from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeEntries } from '../../testing/account/entries.ts';
import { type SignedIn, signedIn } from '../../testing/people.ts';
import { proofRuns } from '../../testing/proof-size.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

/** In its short form it shows that a list is whole; only the full one is longer than what may be held of it. */
const entryCount = proofRuns(100_000, 20_000);
/** One entry at the very least, in JSON and as a line of CSV. */
const [entryBytesMin, lineBytesMin] = [200, 96];
const path = '/api/funding/fetchbalance';
/** Below what is sent, and above what a server with its jobs and timers gains and loses beside it. */
const heapGrowthBytesMax = 8_000_000;

let test: TestApp;
let busy: SignedIn;
let address: string;
beforeAll(async () => {
  test = await startTestApp();
  address = await test.app.listen({ host: '127.0.0.1', port: 0 });
  busy = await signedIn(test);
  await writeEntries(test.database.adminUrl, busy.userid, entryCount);
});
afterAll(() => test.close());

v8.setFlagsFromString('--expose-gc');
const collectGarbage: () => void = vm.runInNewContext('gc');
function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Reads an answer piece by piece and keeps none of it; tells how long it was and how much memory was in use at most. */
async function readAway(url: string): Promise<{ bytes: number; rows: number; heapGrowthBytes: number }> {
  const before = heapBytes();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${busy.token}` } });
  expect(answer.status).toBe(200);
  if (!answer.body) throw new Error('no body');
  let [bytes, rows, measuredAt, most] = [0, 0, 0, 0];
  for await (const piece of answer.body) {
    bytes += piece.length;
    for (const byte of piece) if (byte === 0x7d || byte === 0x0a) rows += 1;
    if (bytes - measuredAt < entryCount * 50) continue;
    measuredAt = bytes;
    most = Math.max(most, heapBytes() - before);
  }
  return { bytes, rows, heapGrowthBytes: most };
}

describe(`a list of ${entryCount} entries`, () => {
  it('is sent whole without ever being held whole', async () => {
    const read = await readAway(`${address}${path}`);
    // One closing brace for each entry and one for the answer.
    expect(read.rows).toBe(entryCount + 1);
    expect(read.bytes).toBeGreaterThan(entryCount * entryBytesMin);
    expect(read.heapGrowthBytes).toBeLessThan(heapGrowthBytesMax);
  });

  it('is exported whole without ever being held whole', async () => {
    const read = await readAway(`${address}${path}/export.csv`);
    expect(read.rows).toBe(entryCount + 1);
    expect(read.bytes).toBeGreaterThan(entryCount * lineBytesMin);
    expect(read.heapGrowthBytes).toBeLessThan(heapGrowthBytesMax);
  });
});
