import { expect, it } from 'vitest';
import { signaturesIn } from './signatures.ts';

const entry = (place: number, origin: string, address: string, ...more: string[]) => ({
  place,
  text: [
    'address/v1',
    'time 2026-11-15T09:00:00Z',
    `origin ${origin}`,
    'network ethereum',
    `address ${address}`,
    `message tallystick address/v1: ethereum ${address} belongs to ${origin}`,
    'scheme eip191',
    'signature 0xab',
    ...more,
    '',
  ].join('\n'),
});
const signatureOf = signaturesIn(
  [entry(6, 'here.example/log', '0xAbC', 'publickey ED12'), entry(5, 'before.example/log', '0xDeF')],
  'here.example/log',
);

it('an address is shown with what it has signed, however it is spelled', () => {
  expect(signatureOf('ethereum', '0xabc')).toMatchObject({
    address: '0xAbC',
    unsigned: null,
    signed: '15 Nov 2026, 09:00 UTC, entry 7',
    message: 'tallystick address/v1: ethereum 0xAbC belongs to here.example/log',
    signature: '0xab',
    publickey: 'ED12',
    bip137: null,
    bip322: null,
    eip191: '',
    xrp: null,
  });
});

it('what was signed for another network, or under another name of the log, does not count', () => {
  for (const [network, address] of [
    ['bnb', '0xabc'],
    ['ethereum', '0xdef'],
  ] as const) {
    expect(signatureOf(network, address)).toBeUndefined();
  }
});
