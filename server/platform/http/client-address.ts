import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request comes from: an IP address in its one spelling. Every counter, trace and letter uses this one. */
    clientAddress: string;
  }
}

const mappedIpv4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** One address has one spelling: `2001:DB8:0::1` is `2001:db8::1`, `::ffff:192.0.2.1` is `192.0.2.1`. Null for what is no address. */
export function parseAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  // A link-local address may name the interface it was seen on.
  const bare = text.replace(/%.*$/, '');
  if (!isIPv6(bare)) return null;
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = mappedIpv4.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  return [high, low].flatMap((half) => [parseInt(half, 16) >> 8, parseInt(half, 16) & 255]).join('.');
}

/** An entry of X-Forwarded-For. Some proxies add the port, which a client changes at will: it is not part of who asks. */
function parseForwarded(entry: string): string | null {
  const text = entry.trim();
  const [, bracketed, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(text) ?? [];
  return parseAddress(bracketed ?? withPort ?? text);
}

/** Addresses and networks that somebody named. */
export interface AddressList {
  has(address: string): boolean;
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

interface Naming {
  variable: string;
  /** What a list that has everyone in it would do. */
  everyone: string;
}

/** What is neither short nor nearly an address may be a token or a password that got into the wrong line. */
const named = (entry: string, at: number) =>
  entry.length < 16 || /^[\da-f:.]*[:.][\da-f:.]*(\/[\d.]+)?$/i.test(entry)
    ? `'${entry}'`
    : `entry ${at + 1}`;

/** Reads addresses and networks with commas between them, or the word `none`. */
function readAddresses(list: string, { variable, everyone }: Naming): AddressList {
  const members = new BlockList();
  for (const [at, entry] of (list === 'none' ? [] : list.split(',')).entries()) {
    const [, text = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? [];
    const address = parseAddress(text);
    const lengthMax = address && isIPv4(address) ? 32 : 128;
    const prefix = length === undefined ? lengthMax : Number(length);
    if (entry.trim() === 'true' || (address && prefix === 0)) {
      throw new Error(`${variable}=${list} would ${everyone}.`);
    }
    if (!address || prefix > lengthMax) {
      throw new Error(
        `${variable}: ${named(entry.trim(), at)} is no address or network. Write for example 10.0.0.5 or 10.0.0.0/24, several with commas, or none.`,
      );
    }
    members.addSubnet(address, prefix, familyOf(address));
  }
  return { has: (address) => isIP(address) !== 0 && members.check(address, familyOf(address)) };
}

/** TRUST_PROXY. */
export const readTrustedProxies = (list: string): AddressList =>
  readAddresses(list, {
    variable: 'TRUST_PROXY',
    everyone: 'believe every client. Name the address or network of your proxy',
  });

/** METRICS_FROM. */
export const readScrapers = (list: string): AddressList =>
  readAddresses(list, {
    variable: 'METRICS_FROM',
    everyone: 'show everyone the figures. Name the addresses or networks of those who collect them',
  });

/** Those of a list that begin with a proxy's address: they are never taken for who asks, for anyone may be behind it. */
export const ofProxies = (list: string, proxies: AddressList): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => proxies.has(parseAddress(entry.replace(/\/.*/, '')) ?? ''));

interface ClientAddressNeeds {
  trusted: AddressList;
  clock: Clock;
  logger: Logger;
}

const warnEveryMs = 60_000;

/** An onRequest hook that finds out who asks, before anything counts it. */
export function findClientAddress({ trusted, clock, logger }: ClientAddressNeeds) {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const warn = (peer: string, text: string) => {
    const now = clock.now().getTime();
    // Anyone can send such a header: the log must not grow with every one.
    if (Math.abs(now - warnedAt) < warnEveryMs) return;
    warnedAt = now;
    logger.warn({ peer }, text);
  };

  /** Goes back from proxy to proxy, as long as each is believed. What is no address is not who asks. */
  function behind(peer: string, forwardedFor: string): string {
    let address = peer;
    for (const entry of forwardedFor.split(',').reverse()) {
      if (!trusted.has(address)) break;
      const before = parseForwarded(entry);
      if (before === null) break;
      address = before;
    }
    return address;
  }

  function find(request: FastifyRequest): string {
    const peer = parseAddress(request.socket.remoteAddress ?? '') ?? 'unknown';
    const forwardedFor = request.headers['x-forwarded-for'];
    if (forwardedFor === undefined && request.headers.forwarded === undefined) return peer;
    if (!trusted.has(peer)) {
      warn(
        peer,
        `${peer} sends on the addresses of its clients and is not believed: all of them count as one. If it is your proxy, set TRUST_PROXY=${peer}`,
      );
    } else if (forwardedFor === undefined) {
      warn(
        peer,
        'the proxy says whom it forwards in Forwarded, which is not read: let it send X-Forwarded-For',
      );
    } else {
      return behind(peer, String(forwardedFor));
    }
    return peer;
  }

  return (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
    request.clientAddress = find(request);
    done();
  };
}

/** What only a proxy says, of whatever kind. */
const proxysWord = /^(x-forwarded-.*|forwarded|via|x-real-ip|.*-(client|connecting)-ip)$/;

/** Whether it is the client's own address. Behind a proxy that is not believed, or says nothing, may be anyone. */
export function isOwnAddress(
  { clientAddress, headers, socket }: FastifyRequest,
  trusted: AddressList,
): boolean {
  const isForwarded = Object.keys(headers).some((name) => proxysWord.test(name));
  const peer = parseAddress(socket.remoteAddress ?? '') ?? '';
  return !trusted.has(clientAddress) && (!isForwarded || trusted.has(peer));
}
