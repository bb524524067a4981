import { expect, test } from 'vitest';
import { hasOutputs, isSameOutput, outputRefusal, spelledTxid, txidForm } from './chain.ts';
import { networkIds } from './networks.ts';

test('whoever types something else is told how a transaction id looks', () => {
  expect(networkIds.map(txidForm)).toEqual([
    'The id of a Bitcoin transaction is 64 characters, 0 to 9 and a to f.',
    'The id of an Ethereum transaction is 0x and 64 characters, 0 to 9 and a to f.',
    'The id of a BNB Smart Chain transaction is 0x and 64 characters, 0 to 9 and a to f.',
    'The id of an XRP Ledger transaction is 64 characters, 0 to 9 and A to F.',
  ]);
  expect(networkIds.filter(hasOutputs)).toEqual(['bitcoin']);
  expect(outputRefusal).toBe('Only a Bitcoin transaction has numbered outputs.');
});

test('a transaction id has one spelling on each network, and no other shape', () => {
  const digits = 'aB'.repeat(32);
  expect(networkIds.map((id) => spelledTxid(id, ` ${digits} `))).toEqual([
    digits.toLowerCase(),
    null,
    null,
    digits.toUpperCase(),
  ]);
  expect(networkIds.map((id) => spelledTxid(id, `0x${digits}`))).toEqual([
    null,
    `0x${digits.toLowerCase()}`,
    `0x${digits.toLowerCase()}`,
    null,
  ]);
});

test('what only contains a transaction id is none', () => {
  const digits = 'ab'.repeat(32);
  for (const text of [
    digits.slice(1),
    `${digits}0`,
    `g${digits}`,
    `${digits.slice(1)}g`,
    `${digits}\n${digits}`,
    '',
  ]) {
    expect(networkIds.map((id) => spelledTxid(id, text))).toEqual([null, null, null, null]);
    expect(networkIds.map((id) => spelledTxid(id, `0x${text}`))).toEqual([null, null, null, null]);
  }
  expect(spelledTxid('ethereum', `x0x${digits}`)).toBeNull();
});

test('where no output is named the whole transaction is meant', () => {
  expect(isSameOutput(0, 1)).toBe(false);
  expect(isSameOutput(1, 1) && isSameOutput(null, 1) && isSameOutput(1, null)).toBe(true);
});
