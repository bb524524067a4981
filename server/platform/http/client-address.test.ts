import { signin } from '@tallystick/contract/users';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryCall } from '../../testing/call.ts';
import { createTestClock } from '../../testing/clock.ts';
import { newAddress } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';
import { findClientAddress, parseAddress, readTrustedProxies } from './client-address.ts';

/** Who asks, according to the connection and its headers, and what was logged about it. */
async function found(trusted: string, peer: string, headers: Record<string, string>) {
  const logged: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line).msg) });
  const clock = createTestClock();
  const hook = findClientAddress({ trusted: readTrustedProxies(trusted), clock, logger });
  const request = { socket: { remoteAddress: peer }, headers } as unknown as FastifyRequest;
  const again = () => new Promise<void>((resolve) => hook(request, {} as FastifyReply, () => resolve()));
  await again();
  return { address: request.clientAddress, logged, clock, again };
}

describe('an address has one spelling', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['192.0.2.1%eth0', null],
    ['192.0.2.1:80', null],
    ['192.0.2', null],
    ['192.0.2.01', null],
    ['unknown', null],
    ['', null],
    ['evil.example', null],
  ])('%s is %s', (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });
});

describe('behind a proxy that is believed', () => {
  it.each([
    ['an address', '203.0.113.7', '203.0.113.7'],
    ['an address with a port', '203.0.113.7:51234', '203.0.113.7'],
    ['an IPv6 address', '2001:db8::7', '2001:db8::7'],
    ['an IPv6 address with a port', '[2001:db8::7]:51234', '2001:db8::7'],
    ['an IPv6 address in brackets', '[2001:DB8::7]', '2001:db8::7'],
    ['what the client itself claimed first', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['another proxy that is believed', '203.0.113.7, 10.0.0.9:443', '203.0.113.7'],
    ['no address at all', 'unknown', '10.0.0.5'],
    ['nonsense', '203.0.113.7:x', '10.0.0.5'],
    ['nothing', '', '10.0.0.5'],
  ])('%s forwarded is a bare IP address', async (_case, forwardedFor, address) => {
    const headers = { 'x-forwarded-for': forwardedFor };
    expect(await found('10.0.0.0/24', '::ffff:10.0.0.5', headers)).toMatchObject({ address, logged: [] });
  });
});

describe('a peer that is not believed', () => {
  it('is itself who asks, and the log says once a minute how that is mended', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const { address, logged, clock, again } = await found('none', '10.0.0.5', headers);
    expect([address, logged]).toEqual(['10.0.0.5', [expect.stringContaining('TRUST_PROXY=10.0.0.5')]]);
    for (let n = 0; n < 50; n += 1) await again();
    expect(logged).toHaveLength(1);
    clock.advance(60_000);
    await again();
    expect(logged).toHaveLength(2);
  });

  it('is told of the header that is read when it sends the other', async () => {
    const { address, logged } = await found('10.0.0.5', '10.0.0.5', { forwarded: 'for=203.0.113.7' });
    expect([address, logged]).toEqual(['10.0.0.5', [expect.stringContaining('X-Forwarded-For')]]);
  });
});

describe('TRUST_PROXY', () => {
  it.each(['none', '10.0.0.5', '10.0.0.0/24, 2001:db8::/32', '::1'])('may be %s', (list) => {
    expect(() => readTrustedProxies(list)).not.toThrow();
  });

  it.each(['true', '0.0.0.0/0', '::/0', '10.0.0.5,0.0.0.0/0'])('%s would believe every client', (list) => {
    expect(() => readTrustedProxies(list)).toThrow(/every client/);
  });

  it.each([
    'false',
    'loopback',
    '1',
    'proxy.example',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/255.0.0.0',
    '10.0.0.5,',
    ' ',
  ])('%j is nonsense and refused', (list) => {
    expect(() => readTrustedProxies(list)).toThrow(/no address or network/);
  });
});

describe('guesses through a proxy', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ TRUST_PROXY: '10.0.0.5' });
  });
  afterAll(() => test.close());

  const guess = (forwardedFor: string, n: number) =>
    tryCall(test, signin, {
      body: { email: `nobody-${n}@example.com`, password: 'wrong guess' },
      from: '10.0.0.5',
      headers: { 'x-forwarded-for': forwardedFor },
    });

  it('are slowed down although each comes from another port', async () => {
    const client = newAddress();
    const statuses: number[] = [];
    for (let n = 0; n < 15; n += 1) statuses.push((await guess(`${client}:${40_000 + n}`, n)).status);
    expect(statuses.filter((status) => status === 429).length).toBe(10);
  });

  it('of one stranger do not lock the others out', async () => {
    expect((await guess(`${newAddress()}:40000`, 99)).status).toBe(401);
  });
});
