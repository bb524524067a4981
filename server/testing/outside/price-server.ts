import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type PriceMood = 'good' | 'slow' | 'wrong-shape' | 'not-json' | 'limited' | 'failing' | 'endless';

export interface PriceServer {
  base: string;
  /** The addresses that were asked for, in order. */
  calls: string[];
  mood: PriceMood;
  close(): Promise<void>;
}

const good = {
  '/api/v3/simple/price': {
    bitcoin: { usd: 70_000.5 },
    ethereum: { usd: 3500 },
    binancecoin: { usd: 600 },
    ripple: { usd: 0.5 },
  },
  '/api/v3/coins/bitcoin/market_chart': {
    prices: [
      [1_794_700_000_000, 69_000],
      [1_794_786_400_000, 70_000.5],
    ],
    market_caps: [],
    total_volumes: [],
  },
};

/** Speaks the price service's two calls, on loopback, in whatever mood a test wants it. */
export async function startPriceServer(): Promise<PriceServer> {
  const server = createServer((request, response) => {
    self.calls.push(request.url ?? '');
    const path = new URL(request.url ?? '', self.base).pathname as keyof typeof good;
    const send = (status: number, body: string, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    };
    if (self.mood === 'slow') return;
    if (self.mood === 'limited') return send(429, '{}', { 'retry-after': '300' });
    if (self.mood === 'failing') return send(500, 'no');
    if (self.mood === 'not-json') return send(200, '<html>');
    if (self.mood === 'wrong-shape') return send(200, '{"bitcoin":{"usd":"a lot"},"prices":"none"}');
    if (self.mood === 'endless') return send(200, JSON.stringify({ prices: 'x'.repeat(2 * 1024 * 1024) }));
    return good[path] ? send(200, JSON.stringify(good[path])) : send(404, '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: PriceServer = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
    calls: [],
    mood: 'good',
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return self;
}
