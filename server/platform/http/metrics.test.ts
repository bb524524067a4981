import { describe, expect, it } from 'vitest';
import { productionEnv } from '../../testing/production.ts';
import { startTestApp } from '../../testing/start-app.ts';

describe('figures about traffic', () => {
  const token = 'a-token-for-the-collector';
  const metrics = async (env: Record<string, string>, headers: Record<string, string> = {}) => {
    const server = await startTestApp(env);
    const { statusCode, body } = await server.app.inject({ url: '/metrics', headers });
    await server.close();
    return statusCode === 200 ? body.includes('http_request_duration_seconds') : statusCode;
  };

  it('are not open behind a proxy on the same machine that forwards no address', async () => {
    expect(await metrics(productionEnv)).toBe(404);
    expect(await metrics(productionEnv, { authorization: `Bearer ${token}` })).toBe(404);
  });

  it('are for whoever brings the token', async () => {
    const env = { ...productionEnv, METRICS_TOKEN: token };
    expect(await metrics(env)).toBe(404);
    expect(await metrics(env, { authorization: `Bearer ${token}x` })).toBe(404);
    expect(await metrics(env, { authorization: `Bearer ${token}` })).toBe(true);
  });

  it('of a demo are for its own machine', async () => {
    expect(await metrics({})).toBe(true);
    expect(await metrics({ TRUST_PROXY: '127.0.0.1' }, { 'x-forwarded-for': '203.0.113.7' })).toBe(404);
  });
});
