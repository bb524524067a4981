import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeFullBlock } from '../../../testing/outside/full-block.ts';
import { outpointKey } from '../chain.ts';
import { BadBlock, readBlock } from './block.ts';
import { bitcoinParams } from './params.ts';

const nobody = { destinations: new Set<string>(), coins: new Set<string>() };
/** The script of a made-up address. */
const script = (number: number) => `0014${hash('sha256', `address ${number}`).slice(0, 40)}`;

const firstBlock = Buffer.from(
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3' +
    '888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c01010000000100000000000000000000000000000000000000000000000000' +
    '00000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e' +
    '206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe' +
    '5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b' +
    '6bf11d5fac00000000',
  'hex',
);
const firstHash = bitcoinParams.mainnet.genesis[0] ?? '';
const firstScript = firstBlock.subarray(-71, -4).toString('hex');

it('the first block of Bitcoin is read as everybody knows it', () => {
  const watched = { ...nobody, destinations: new Set([firstScript]) };
  expect(readBlock(firstBlock, { hash: firstHash, height: 0 }, watched)).toEqual({
    height: 0,
    hash: firstHash,
    parentHash: '0'.repeat(64),
    time: new Date('2009-01-03T18:15:05Z'),
    payments: [
      {
        txid: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
        output: 0,
        destination: firstScript,
        tag: null,
        units: 5_000_000_000n,
        failed: false,
      },
    ],
    spends: [],
  });
});

describe('a full block, against 100,000 addresses', () => {
  const watchedScripts = Array.from({ length: 100_000 }, (_, number) => script(number));
  const scripts = Array.from({ length: 3 * 3500 }, (_, at) => script(at % 1000 === 0 ? at : 200_000 + at));
  const { raw, hash: blockHash } = makeFullBlock(scripts);
  const asked = { hash: blockHash, height: 800_000 };

  it('gives the payments to them and no other', () => {
    const { payments, spends } = readBlock(raw, asked, { ...nobody, destinations: new Set(watchedScripts) });
    expect(payments.map(({ units }) => units)).toEqual(
      Array.from({ length: 11 }, (_, thousands) => BigInt(thousands * 1000 + 1)),
    );
    expect(payments.map(({ destination }) => destination)).toEqual(
      Array.from({ length: 11 }, (_, thousands) => script(thousands * 1000)),
    );
    expect(spends).toEqual([]);
  });

  it('gives the coins that left, with all that their transaction pays', () => {
    const spent = hash('sha256', hash('sha256', Buffer.alloc(4), 'buffer'), 'buffer');
    const key = outpointKey(Buffer.from(spent).reverse().toString('hex'), 0);
    const { spends } = readBlock(raw, asked, { ...nobody, coins: new Set([key]) });
    expect(spends).toMatchObject([{ from: [key], pays: [{ output: 0 }, { output: 1 }, { output: 2 }] }]);
    expect(spends[0]?.pays.map(({ destination }) => destination)).toEqual(scripts.slice(0, 3));
  });
});

it('whatever bytes a node gives, they say the same as the block that was asked for or are refused', () => {
  const scripts = [1, 2, 3, 4, 5, 6].map(script);
  const { raw, hash: blockHash } = makeFullBlock(scripts);
  const outcome = (bytes: Buffer) => {
    try {
      return readBlock(bytes, { hash: blockHash, height: 1 }, { ...nobody, destinations: new Set(scripts) });
    } catch (error) {
      return error instanceof BadBlock ? 'bad' : error;
    }
  };
  const read = outcome(raw);
  expect(read).toMatchObject({ payments: { length: 6 } });
  // Signatures are not part of a transaction's id, so other ones are all that can differ.
  fc.assert(
    fc.property(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), fc.nat(40), (at, flip, cut) => {
      const bytes = Buffer.from(raw.subarray(0, raw.length - (flip % 2) * cut));
      if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ flip;
      const told = outcome(bytes);
      if (told !== 'bad') expect(told).toEqual(read);
    }),
    { numRuns: 500 },
  );
});
