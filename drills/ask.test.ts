import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { summary } from '@tallystick/contract/ledger';
import { expect, it } from 'vitest';
import { createAsker, tooLate, uncleanness } from './ask.ts';

const answer = (status: number, text: string, head = '') => ({
  status,
  head: `HTTP/1.1 ${status}\r\n${head}`,
  text,
  body: text.startsWith('{') ? JSON.parse(text) : null,
  ms: 1,
});
const busy = '{"code":"busy","message":"Try again."}';

it.each([
  ['done', answer(200, '{"message":"Done."}')],
  ['a refusal of ours', answer(402, '{"code":"insufficient_funds","message":"Not enough."}')],
  ['busy, with a time to come back', answer(503, busy, 'retry-after: 5')],
  ['nothing at all, because the line broke', { status: 0 as const, why: 'the server hung up', ms: 1 }],
])('%s is a clean answer', (_, outcome) => {
  expect(uncleanness(outcome)).toBeNull();
});

it.each([
  ['busy, without one', answer(503, busy), 'without Retry-After'],
  ['a failure of ours', answer(500, '{"code":"internal","message":"Sorry."}'), '500 internal'],
  ['another shape', answer(404, '{"error":"Not Found","statusCode":404}'), 'not in our shape'],
  ['a status that is not the code’s', answer(400, busy), 'not in our shape'],
  ['a page', answer(200, '<html>'), 'without JSON'],
  ['its file', answer(500, 'Error: boom\n    at app.ts:1'), 'innards'],
  ['silence', { status: 0 as const, why: tooLate, ms: 1 }, tooLate],
])('%s is none', (_, outcome, why) => {
  expect(uncleanness(outcome)).toContain(why);
});

it('whoever is told that the connection ends takes another, and misses no answer', async () => {
  const goodbye = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}';
  const proxy = createServer((socket) => void socket.once('data', () => socket.end(goodbye)));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const asker = createAsker(() => (proxy.address() as AddressInfo).port, '192.0.2.1');
  const statuses: number[] = [];
  for (let time = 0; time < 3; time += 1) statuses.push((await asker.ask(summary, {})).status);
  asker.close();
  proxy.close();
  expect(statuses).toEqual([503, 503, 503]);
});
