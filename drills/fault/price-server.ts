import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { coins } from '@tallystick/contract/networks';

const good = (usd: number | string | null) =>
  JSON.stringify(Object.fromEntries(coins.map(({ id }) => [id, { usd }])));

/** What a price service may say that means no good. */
export const priceMoods = {
  good: { status: 200, body: good(70_000) },
  huge: { status: 200, body: 'x'.repeat(64 * 1024 * 1024) },
  'wrong JSON': { status: 200, body: '{"bitcoin":' },
  'wrong shape': { status: 200, body: '[[["bitcoin"]]]' },
  NaN: { status: 200, body: good('x').replaceAll('"x"', 'NaN') },
  'a word': { status: 200, body: good('NaN') },
  nothing: { status: 200, body: good(null) },
  zero: { status: 200, body: good(0) },
  negative: { status: 200, body: good(-70_000) },
  'beyond all numbers': { status: 200, body: good('x').replaceAll('"x"', '1e999') },
  redirect: { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/elsewhere' } },
  failing: { status: 500, body: '<html>' },
  'never again': { status: 429, body: '', headers: { 'retry-after': '999999999' } },
  slow: null,
} as const;
export type PriceMood = keyof typeof priceMoods;

interface PriceServer {
  url: string;
  mood: PriceMood;
  calls: number;
  close(): Promise<void>;
}

/** The price service of a drill, on loopback, in any mood. */
export async function startPriceServer(): Promise<PriceServer> {
  const server = createServer((_request, response) => {
    self.calls += 1;
    const said = priceMoods[self.mood];
    // The slow one sends a letter a second, so that it is never quite silent.
    if (!said) {
      const drip = setInterval(() => response.write(' '), 1_000);
      response.on('close', () => clearInterval(drip));
      return;
    }
    const headers = 'headers' in said ? said.headers : {};
    response.on('error', () => {});
    response.writeHead(said.status, { 'content-type': 'application/json', ...headers }).end(said.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: PriceServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood: 'good',
    calls: 0,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return self;
}
