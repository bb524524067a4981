import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { findClientAddress, parseAddress, readTrustedProxies } from './client-address.ts';

/** Who asks, according to the connection and its headers, and what was logged about it. */
async function found(trusted: string, peer: string, headers: Record<string, string>) {
  const logged: string[] = [];
  const peers: string[] = [];
  const write = (line: string) => {
    const { msg, peer: named } = JSON.parse(line);
    logged.push(msg);
    peers.push(named);
  };
  const logger = pino({ level: 'warn' }, { write });
  const clock = createTestClock();
  const hook = findClientAddress({ trusted: readTrustedProxies(trusted), clock, logger });
  const request = { socket: { remoteAddress: peer }, headers } as unknown as FastifyRequest;
  const again = () => new Promise<void>((resolve) => hook(request, {} as FastifyReply, () => resolve()));
  await again();
  return { address: request.clientAddress, logged, peers, clock, again };
}

describe('an address has one spelling', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['::ffff:0:1', '0.0.0.1'],
    ['::ffff:ffff:fffe', '255.255.255.254'],
    ['::ffff:1:192.0.2.1', '::ffff:1:c000:201'],
    ['1::ffff:c000:201', '1::ffff:c000:201'],
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::1%eth0%1', 'fe80::1'],
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
    ['an IPv6 address in full', '2001:db8:0:0:0:0:0:7', '2001:db8::7'],
    ['an IPv6 address with a port', '[2001:db8::7]:51234', '2001:db8::7'],
    ['an IPv6 address in brackets', '[2001:DB8::7]', '2001:db8::7'],
    ['what the client itself claimed first', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['another proxy that is believed', '203.0.113.7, 10.0.0.9:443', '203.0.113.7'],
    ['no address at all', 'unknown', '10.0.0.5'],
    ['nonsense', '203.0.113.7:x', '10.0.0.5'],
    ['nothing', '', '10.0.0.5'],
    ['an address in blanks', '  203.0.113.7\t', '203.0.113.7'],
    ['an address with a port of many digits', '203.0.113.7:00080', '203.0.113.7'],
    ['an address behind nonsense', '203.0.113.7, nonsense', '10.0.0.5'],
    ['an address behind one that is not believed', '198.51.100.1, 203.0.113.7, 10.0.0.9', '203.0.113.7'],
    ['brackets around something else', 'x[2001:db8::7]', '10.0.0.5'],
    ['brackets with more behind them', '[2001:db8::7]:80x', '10.0.0.5'],
    ['a port without its address', ':80', '10.0.0.5'],
    ['two ports', '203.0.113.7:80:81', '10.0.0.5'],
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
    clock.advance(59_999);
    await again();
    expect(logged).toHaveLength(2);
    // A clock that is set back does not silence it.
    clock.advance(-600_000);
    await again();
    expect(logged).toHaveLength(3);
  });

  it('is told of once in so many words, with what to set', async () => {
    const { logged, peers } = await found('10.0.0.6', '10.0.0.5', {
      'x-forwarded-for': '203.0.113.7',
      forwarded: 'x',
    });
    expect(logged).toEqual([
      '10.0.0.5 sends on the addresses of its clients and is not believed: all of them count as one. If it is your proxy, set TRUST_PROXY=10.0.0.5',
    ]);
    expect(peers).toEqual(['10.0.0.5']);
  });

  it('is who asks, and nothing is said, when it forwards nothing', async () => {
    expect(await found('none', '2001:DB8::1', {})).toMatchObject({ address: '2001:db8::1', logged: [] });
    expect(await found('10.0.0.5', '10.0.0.5', {})).toMatchObject({ address: '10.0.0.5', logged: [] });
  });

  it('is unknown when its connection is gone already', async () => {
    const gone = undefined as unknown as string;
    expect(await found('0.0.0.0/1', gone, {})).toMatchObject({ address: 'unknown', logged: [] });
    const forwarding = await found('0.0.0.0/1, ::/1', gone, { 'x-forwarded-for': '203.0.113.7' });
    expect([forwarding.address, forwarding.logged.length]).toEqual(['unknown', 1]);
  });

  it('is told of the header that is read when it sends the other', async () => {
    const { address, logged } = await found('10.0.0.5', '10.0.0.5', { forwarded: 'for=203.0.113.7' });
    const words =
      'the proxy says whom it forwards in Forwarded, which is not read: let it send X-Forwarded-For';
    expect([address, logged]).toEqual(['10.0.0.5', [words]]);
  });
});

describe('TRUST_PROXY', () => {
  it.each(['none', '10.0.0.5', '10.0.0.0/24, 2001:db8::/32', '::1'])('may be %s', (list) => {
    expect(() => readTrustedProxies(list)).not.toThrow();
  });

  it('is believed for those addresses and networks, and no others', () => {
    const trusted = readTrustedProxies(
      ' 10.0.0.5 ,192.0.2.0/25, 2001:DB8::/32,::1,198.51.100.1/32,2001:db9::1/128',
    );
    const believed = ['10.0.0.5', '192.0.2.127', '2001:db8:ffff::1', '::1', '198.51.100.1', '2001:db9::1'];
    const others = [
      '10.0.0.6',
      '192.0.2.128',
      '2001:db7::1',
      '::2',
      '198.51.100.2',
      '2001:db9::2',
      'unknown',
      '',
    ];
    expect(believed.filter((address) => !trusted.has(address))).toEqual([]);
    expect([...others, '127.0.0.1'].filter((address) => trusted.has(address))).toEqual([]);
    expect(readTrustedProxies('none').has('10.0.0.5')).toBe(false);
  });

  it.each(['true', '0.0.0.0/0', '::/0', '10.0.0.5,0.0.0.0/0', '10.0.0.5, true'])(
    '%s would believe every client',
    (list) => {
      expect(() => readTrustedProxies(list)).toThrow(
        `TRUST_PROXY=${list} would believe every client. Name the address or network of your proxy.`,
      );
    },
  );

  it('of several names the one that is nonsense', () => {
    expect(() => readTrustedProxies('10.0.0.5, x ,10.0.0.6')).toThrow("'x' is no address or network");
    expect(() => readTrustedProxies('2001:db8:0:0::1/129')).toThrow("'2001:db8:0:0::1/129' is no address");
    expect(() => readTrustedProxies('10.0.0.5,0123456789abcdef')).toThrow('entry 2 is no address or network');
  });

  it.each(['2001:db8:0:0::1234/129', '2001:db8:0:0::12345', '192.168.100.200.1', '10.0.0.5/255.255.255.0'])(
    '%s is nearly an address, and named',
    (entry) => {
      expect(() => readTrustedProxies(`::1,${entry}`)).toThrow(`'${entry}' is no address or network`);
    },
  );

  it.each(['my-password-is:10.0.0.5', '10.0.0.5-is-my-password', '10.0.0.5/my-password'])(
    '%s may be a secret, and is not',
    (entry) => {
      expect(() => readTrustedProxies(`::1,${entry}`)).toThrow('entry 2 is no address or network');
    },
  );

  it.each([
    'false',
    'loopback',
    '1',
    'proxy.example',
    '10.0.0',
    '10.0.0.0/33',
    'x/10.0.0.0/24',
    'x/0',
    '10.0.0.0/024 x',
    'x 10.0.0.0/24',
    '10.0.0.0/0024',
    '10.0.0.0/',
    '2001:db8::/129',
    '10.0.0.0/255.0.0.0',
    '10.0.0.5,',
    ' ',
  ])('%j is nonsense and refused', (list) => {
    expect(() => readTrustedProxies(list)).toThrow(
      /^TRUST_PROXY: '[^',]*' is no address or network\. Write for example 10\.0\.0\.5 or 10\.0\.0\.0\/24, several with commas, or none\.$/,
    );
  });
});
