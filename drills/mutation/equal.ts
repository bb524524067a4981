import type { Mutant } from './stryker.ts';

type Equal = Pick<Mutant, 'original' | 'replacement'> & { why: string };

/** Changes after which everything is as before, so that no test can notice them, and why that is so. */
const equal: Record<string, Equal[]> = {
  'server/modules/ledger/rules.ts': [
    {
      original: 'random.used === random.bytes.length',
      replacement: 'true',
      why: 'bytes are drawn more often, and are as random',
    },
    {
      original: 'random.used === random.bytes.length',
      replacement: 'random.used !== random.bytes.length',
      why: 'bytes are drawn more often, and are as random',
    },
    { original: 'sum + amountCents', replacement: 'sum - amountCents', why: 'the negative of zero is zero' },
    { original: 'latest === wanted', replacement: 'false', why: 'a copy of the movement, with its own date' },
    {
      original: 'postings[n]?.amountCents',
      replacement: 'postings[n].amountCents',
      why: 'there are as many postings as accounts',
    },
  ],
  'contract/money.ts': [
    { original: "'0'", replacement: '""', why: 'what matched has dollars' },
    { original: 'cents < 0n', replacement: 'cents <= 0n', why: 'the negative of zero is zero' },
    { original: 'passed >= whole', replacement: 'passed > whole', why: 'the whole of a profit is all of it' },
    { original: 'passed <= 0', replacement: 'passed < 0', why: 'a profit times nothing is nothing' },
    {
      original: 'numerator % denominator < 0n',
      replacement: 'numerator % denominator <= 0n',
      why: 'what is one too low leaves a whole denominator as its rest, and is rounded up again',
    },
    {
      original: 'numerator % denominator',
      replacement: 'numerator * denominator',
      why: 'the denominator is positive: both have the sign of the numerator, or it is as above',
    },
  ],
  'server/modules/investment/rules.ts': [
    { original: 'exitFromDay !== null', replacement: 'true', why: 'no term ends on the day it begins' },
  ],
  'contract/bounds.ts': [
    {
      original: 'askedCents !== undefined',
      replacement: 'true',
      why: 'no amount is more than one that is not there',
    },
  ],
  'server/modules/users/rules.ts': [
    {
      original: "'Choose another password.'",
      replacement: '""',
      why: 'whatever a schema refuses, it names a reason',
    },
    {
      original: 'shape.error.issues[0]?.message',
      replacement: 'shape.error.issues[0].message',
      why: 'whatever a schema refuses, it names a reason',
    },
  ],
  'server/modules/users/factors/authenticator.ts': [
    { original: '{ size: secretBytes }', replacement: '{}', why: 'the library’s own size is the same today' },
  ],
  'server/platform/address.ts': [
    { original: '-1', replacement: '+1', why: '21 bytes have a first' },
    {
      original: '{\n    return false;\n  }',
      replacement: '{}',
      why: 'nothing is no more true than false is',
    },
    { original: "''", replacement: '"Stryker was here!"', why: 'the hash is longer than an address' },
    {
      original: "bitcoinNetwork !== 'mainnet'",
      replacement: 'true',
      why: 'the main network begins its addresses as Bitcoin does',
    },
    {
      original: "bitcoinNetwork !== 'mainnet' && facts.isReadable",
      replacement: 'true',
      why: 'the main network begins its addresses as Bitcoin does',
    },
    {
      original: "bitcoinNetwork !== 'mainnet' && facts.isReadable",
      replacement: "bitcoinNetwork !== 'mainnet' || facts.isReadable",
      why: 'the main network begins its addresses as Bitcoin does',
    },
    {
      original: "'mainnet'",
      replacement: '""',
      why: 'the main network begins its addresses as Bitcoin does',
    },
  ],
  'server/platform/http/client-address.ts': [
    {
      original: '/%.*$/',
      replacement: '/%.*/',
      why: 'only a line break ends it earlier: no address has one',
    },
    { original: '[]', replacement: '["Stryker was here"]', why: 'the first part is the whole, and not read' },
    {
      original: 'high === undefined || low === undefined',
      replacement: 'high === undefined && low === undefined',
      why: 'both are there, or neither is',
    },
    { original: 'high === undefined', replacement: 'false', why: 'both are there, or neither is' },
    { original: 'low === undefined', replacement: 'false', why: 'both are there, or neither is' },
    { original: "''", replacement: '"Stryker was here!"', why: 'neither is an address' },
    {
      original: 'isIP(address) !== 0',
      replacement: 'true',
      why: 'Node’s list says of what is no address that it does not have it',
    },
  ],
  'server/platform/http/identity.ts': [
    { original: "''", replacement: '"Stryker was here!"', why: 'neither has a token' },
    {
      original: 'ageSecondsMax === undefined',
      replacement: 'false',
      why: 'a cookie whose age is undefined has none',
    },
  ],
  'server/platform/http/origin.ts': [
    {
      original: "/^(\\[[^\\]]*\\]|[^:]*)(:\\d+)?$/.exec(headers.host ?? '')?.[1]?.toLowerCase",
      replacement: "/^(\\[[^\\]]*\\]|[^:]*)(:\\d+)?$/.exec(headers.host ?? '')?.[1].toLowerCase",
      why: 'what matched has a name, if an empty one',
    },
    { original: "''", replacement: '"Stryker was here!"', why: 'neither is a name of this machine' },
    { original: 'name !== undefined', replacement: 'true', why: 'nothing is no name of this machine' },
    {
      original: 'at < rawHeaders.length',
      replacement: 'at <= rawHeaders.length',
      why: 'behind the last header there is none',
    },
    {
      original: 'rawHeaders[at]?.length === 4',
      replacement: 'true',
      why: 'it only spares making other names lower-case',
    },
    {
      original: 'rawHeaders[at]?.length',
      replacement: 'rawHeaders[at].length',
      why: 'each place below the length has a header',
    },
    {
      original: 'rawHeaders[at]?.toLowerCase',
      replacement: 'rawHeaders[at].toLowerCase',
      why: 'each place below the length has a header',
    },
  ],
  'server/platform/http/throttle.ts': [
    { original: '!row', replacement: 'false', why: 'an upsert without a condition returns its row' },
    {
      original: "'an upsert returned no row'",
      replacement: '""',
      why: 'an upsert without a condition returns its row',
    },
    {
      original: '/^::ffff:(\\d+\\.\\d+\\.\\d+\\.\\d+)$/i',
      replacement: '/^::ffff:(\\d+\\.\\d+\\.\\d+\\.\\d+)/i',
      why: 'no address goes on behind its last number',
    },
    { original: "''", replacement: '"Stryker was here!"', why: 'what is split has a first part' },
    {
      original: "tail.split(':').filter(Boolean)",
      replacement: "tail.split(':')",
      why: 'only an address that ends with :: has an empty group there, behind the four that count',
    },
  ],
  'server/modules/users/tries.ts': [
    { original: '[]', replacement: '["Stryker was here"]', why: 'a text is nobody’s counter' },
  ],
  'server/platform/second-operator.ts': [
    {
      original: "[...new Set(names)].filter((name) => typeof name === 'string')",
      replacement: '[...new Set(names)]',
      why: 'nobody’s id is null',
    },
    { original: "typeof name === 'string'", replacement: 'true', why: 'nobody’s id is null' },
    { original: 'asked.length === 0', replacement: 'false', why: 'of nobody the database finds nobody' },
  ],
  'server/modules/withdrawal/outgoing.ts': [
    { original: '[]', replacement: '["Stryker was here"]', why: 'a text is no claim of any network' },
  ],
  'server/modules/withdrawal/stepping.ts': [
    { original: "''", replacement: '"Stryker was here!"', why: 'neither is anybody’s id' },
  ],
  'server/modules/funding/rules.ts': [
    {
      original: 'usdPerCoin <= 0',
      replacement: 'usdPerCoin < 0',
      why: 'zero was found before: no price at all',
    },
  ],
  'server/modules/funding/naming.ts': [
    { original: '[]', replacement: '["Stryker was here"]', why: 'a text is no payment of any network' },
  ],
};

export function whyEqual(mutant: Mutant): string | undefined {
  return equal[mutant.file]?.find(
    ({ original, replacement }) => original === mutant.original && replacement === mutant.replacement,
  )?.why;
}
