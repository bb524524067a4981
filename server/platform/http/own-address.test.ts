import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { isOwnAddress, ofProxies, readScrapers, readTrustedProxies } from './client-address.ts';

const proxy = '10.0.0.5';
const client = '192.0.2.7';
const trusted = readTrustedProxies(proxy);

describe('the address of a client is its own', () => {
  it.each<[string, boolean, clientAddress: string, peer: string | undefined, headers: object]>([
    ['when it comes by itself', true, client, client, {}],
    ['when a proxy that is believed brings it', true, client, proxy, { 'x-forwarded-for': client }],
    ['also in its other spelling', true, client, `::ffff:${proxy}`, { 'x-forwarded-for': client }],
    ['not when it is that of the proxy', false, proxy, proxy, {}],
    ['nor when the proxy brings a proxy', false, proxy, proxy, { 'x-forwarded-for': proxy }],
    ['not when it brings somebody', false, client, client, { 'x-forwarded-for': '203.0.113.9' }],
    ['however it says so', false, client, client, { forwarded: 'for=203.0.113.9' }],
    ['nor when it says so of nobody', false, client, client, { 'x-forwarded-for': '' }],
    ['not when who brings it has gone', false, client, undefined, { 'x-forwarded-for': client }],
  ])('%s', (_, isOwn, clientAddress, remoteAddress, headers) => {
    const request = { clientAddress, socket: { remoteAddress }, headers } as unknown as FastifyRequest;
    expect(isOwnAddress(request, trusted)).toBe(isOwn);
  });
});

it.each([
  'x-forwarded-host',
  'x-forwarded-for',
  'forwarded',
  'via',
  'x-real-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'x-azure-client-ip',
])('%s is said by proxies only', (name) => {
  const request = { clientAddress: client, socket: { remoteAddress: client }, headers: { [name]: '' } };
  expect(isOwnAddress(request as unknown as FastifyRequest, trusted)).toBe(false);
});

it.each(['not-forwarded', 'x-via', 'forwarded-to', 'x-real-ip-like'])('%s is not', (name) => {
  const request = { clientAddress: client, socket: { remoteAddress: client }, headers: { [name]: '' } };
  expect(isOwnAddress(request as unknown as FastifyRequest, trusted)).toBe(true);
});

describe('METRICS_FROM', () => {
  it('is told which of it are proxies, behind whom may be anyone', () => {
    const list = `${client}, 10.0.0.5/32 ,::ffff:${proxy},10.0.0.6/24,nobody`;
    expect(ofProxies(list, trusted)).toEqual(['10.0.0.5/32', `::ffff:${proxy}`]);
  });

  it('names who may collect figures, or nobody', () => {
    const scrapers = readScrapers(`${client}, 10.0.0.0/8`);
    expect([client, proxy, '192.0.2.8'].map((address) => scrapers.has(address))).toEqual([true, true, false]);
    expect(readScrapers('none').has(client)).toBe(false);
  });

  it('is refused by its name where it names everyone, or nonsense', () => {
    expect(() => readScrapers('0.0.0.0/0')).toThrow(
      'METRICS_FROM=0.0.0.0/0 would show everyone the figures. Name the addresses or networks of those who collect them.',
    );
    expect(() => readScrapers('everyone')).toThrow("METRICS_FROM: 'everyone' is no address or network.");
  });
});
