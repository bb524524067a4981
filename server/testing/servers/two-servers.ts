import type { AddressInfo } from 'node:net';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { createApp } from '../../app.ts';
import type { Config } from '../../config/config.ts';
import { startSecondServer } from '../ledger/second-server.ts';
import { newAddress } from '../people.ts';
import { startTestApp, type TestApp } from '../start-app.ts';

/** A cookie as it was set, without what the browser is told about it. */
function cookieOf(line: string): { name: string; value: string } {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  return { name, value: decodeURIComponent(value) };
}

/** Sends what a test would inject through a real connection, as the proxy in front of several servers does. */
function overHttp(url: string) {
  return async ({ method, url: path, payload, cookies, headers, remoteAddress }: InjectOptions) => {
    const jar = Object.entries(cookies ?? {}).map(
      ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
    );
    const response = await fetch(url + String(path), {
      method: method ?? 'GET',
      redirect: 'manual',
      headers: {
        'x-forwarded-for': remoteAddress ?? newAddress(),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(jar.length > 0 && { cookie: jar.join('; ') }),
        ...(headers as Record<string, string>),
      },
      ...(payload !== undefined && { body: JSON.stringify(payload) }),
    });
    const body = await response.text();
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      cookies: response.headers.getSetCookie().map(cookieOf),
      body,
      json: () => JSON.parse(body),
    };
  };
}

async function listening(test: TestApp, app: FastifyInstance): Promise<TestApp> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const inject = overHttp(`http://127.0.0.1:${port}`) as unknown as FastifyInstance['inject'];
  return { ...test, app: { ...app, inject } as FastifyInstance };
}

export interface TwoServers {
  /** Does the work, too. */
  one: TestApp;
  /** Answers and does nothing else. */
  other: TestApp;
  close(): Promise<void>;
}

/** Two servers on one database, each asked through its own port. */
export async function startTwoServers(more: Partial<Config> = {}): Promise<TwoServers> {
  const test = await startTestApp({ TRUST_PROXY: '127.0.0.1' });
  Object.assign(test.context.config, more);
  const context = await startSecondServer(test);
  const [app, second] = [await createApp(test.context), await createApp(context)];
  return {
    one: await listening(test, app),
    other: await listening(test, second),
    async close() {
      await Promise.all([app.close(), second.close()]);
      await context.close();
      await test.close();
    },
  };
}
