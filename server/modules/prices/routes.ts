import { priceRefreshSeconds, priceSourceHeader } from '@tallystick/contract/networks';
import { bitcoinChart, simplePrice } from '@tallystick/contract/prices';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Prices, Quoted } from './service.ts';

/** Everyone sees the same prices, so what lies between us and them may keep them as long as they are fresh. */
function quoted<T>(reply: FastifyReply, { value, ageMs, source }: Quoted<T>): T {
  const age = Math.floor(ageMs / 1000);
  const freshFor = Math.max(1, priceRefreshSeconds - age);
  reply
    .header('age', age)
    .header(priceSourceHeader, source)
    .header('cache-control', `public, max-age=${age + freshFor}`);
  return value;
}

export function pricesRoutes(prices: Prices) {
  return async (app: FastifyInstance) => {
    serve(app, 'public', simplePrice, async ({ reply }) => quoted(reply, await prices.simplePrice()));
    serve(app, 'public', bitcoinChart, async ({ reply }) => quoted(reply, await prices.bitcoinChart()));
  };
}
