import { describe, expect, it } from 'vitest';
import { productionEnv } from '../../testing/production.ts';
import { startTestApp } from '../../testing/start-app.ts';

describe('figures about traffic', () => {
  const token = 'a-token-for-the-collector';
  const bearer = { authorization: `Bearer ${token}` };
  /** Who asks: by which headers, and from where. */
  type Asked = [headers: Record<string, string>, from?: string];
  /** What a server answers to one request after the other. */
  const metrics = async (env: Record<string, string>, ...requests: Asked[]) => {
    const server = await startTestApp(env);
    const answers: (number | boolean)[] = [];
    for (const [headers, remoteAddress = '127.0.0.1'] of requests) {
      const { statusCode, body } = await server.app.inject({ url: '/metrics', headers, remoteAddress });
      answers.push(statusCode === 200 ? body.includes('http_request_duration_seconds') : statusCode);
    }
    await server.close();
    return answers;
  };

  it('are not open behind a proxy on the same machine that forwards no address', async () => {
    expect(await metrics(productionEnv, [{}], [bearer])).toEqual([404, 404]);
  });

  it('are for whoever brings the token, or comes from where METRICS_FROM says', async () => {
    const proxy = '10.0.0.5';
    const env = {
      ...productionEnv,
      METRICS_TOKEN: token,
      METRICS_FROM: '192.0.2.7,10.0.0.0/8',
      TRUST_PROXY: proxy,
    };
    const through = (address: string): Asked => [{ 'x-forwarded-for': address, via: '1.1 proxy' }, proxy];
    const asked: [Asked, number | boolean][] = [
      [[{}], 404],
      [[{ authorization: `Bearer ${token}x` }], 404],
      [[bearer], true],
      [[{}, '192.0.2.7'], true],
      [[{}, '::ffff:10.9.9.9'], true],
      [[{}, '192.0.2.8'], 404],
      // Said by a client, and not by the proxy.
      [[{ 'x-forwarded-for': '192.0.2.7' }, '203.0.113.9'], 404],
      // Somebody else's, brought by what is a proxy and was not named.
      [[{ 'x-forwarded-for': '203.0.113.9' }, '192.0.2.7'], 404],
      [[{ forwarded: 'for=203.0.113.9' }, '192.0.2.7'], 404],
      [[{ 'x-real-ip': '203.0.113.9' }, '192.0.2.7'], 404],
      [[{ 'x-forwarded-proto': 'https' }, '192.0.2.7'], 404],
      [[{ 'cf-connecting-ip': '203.0.113.9' }, '192.0.2.7'], 404],
      [[{ via: '1.1 proxy' }, '192.0.2.7'], 404],
      [through('192.0.2.7'), true],
      [through('203.0.113.9'), 404],
      // The proxy is in the list, and whom it brings without a word may be anyone.
      [[{}, proxy], 404],
      [through('unknown'), 404],
    ];
    expect(await metrics(env, ...asked.map(([one]) => one))).toEqual(asked.map(([, answer]) => answer));
  });

  it('of a demo are for its own machine', async () => {
    const tries: Asked[] = [[{}], [{ 'x-forwarded-for': '203.0.113.7' }]];
    expect(await metrics({ TRUST_PROXY: '127.0.0.1' }, ...tries)).toEqual([true, 404]);
  });
});
