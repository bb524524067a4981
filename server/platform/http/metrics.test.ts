import { describe, expect, it } from 'vitest';
import { productionEnv } from '../../testing/production.ts';
import { startTestApp } from '../../testing/start-app.ts';

describe('figures about traffic', () => {
  const token = 'a-token-for-the-collector';
  /** What a server answers to one request after the other, each with its headers. */
  const metrics = async (env: Record<string, string>, ...requests: Record<string, string>[]) => {
    const server = await startTestApp(env);
    const answers: (number | boolean)[] = [];
    for (const headers of requests) {
      const { statusCode, body } = await server.app.inject({ url: '/metrics', headers });
      answers.push(statusCode === 200 ? body.includes('http_request_duration_seconds') : statusCode);
    }
    await server.close();
    return answers;
  };

  it('are not open behind a proxy on the same machine that forwards no address', async () => {
    expect(await metrics(productionEnv, {}, { authorization: `Bearer ${token}` })).toEqual([404, 404]);
  });

  it('are for whoever brings the token', async () => {
    const env = { ...productionEnv, METRICS_TOKEN: token };
    const tries = [{}, { authorization: `Bearer ${token}x` }, { authorization: `Bearer ${token}` }];
    expect(await metrics(env, ...tries)).toEqual([404, 404, true]);
  });

  it('of a demo are for its own machine', async () => {
    expect(await metrics({}, {})).toEqual([true]);
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    expect(await metrics({ TRUST_PROXY: '127.0.0.1' }, forwarded)).toEqual([404]);
  });
});
