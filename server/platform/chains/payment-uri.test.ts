import { expect, it } from 'vitest';
import { type PaymentRequest, paymentUri } from './payment-uri.ts';

const uriOf = (request: Partial<PaymentRequest> & Pick<PaymentRequest, 'network' | 'address'>) =>
  paymentUri({ units: null, tag: null, chainId: null, ...request });

it('Bitcoin is asked for in coins, by BIP21', () => {
  const address = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
  expect(uriOf({ network: 'bitcoin', address, units: 2_030_000_000n })).toBe(
    `bitcoin:${address}?amount=20.3`,
  );
  expect(uriOf({ network: 'bitcoin', address, units: 1n })).toBe(`bitcoin:${address}?amount=0.00000001`);
  expect(uriOf({ network: 'bitcoin', address })).toBe(`bitcoin:${address}`);
});

it('Ethereum and BNB are asked for in wei and with their chain, by EIP-681', () => {
  const address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
  const units = 2_014_000_000_000_000_001n;
  expect(uriOf({ network: 'ethereum', address, chainId: 1, units })).toBe(
    `ethereum:${address}@1?value=2014000000000000001`,
  );
  expect(uriOf({ network: 'bnb', address, chainId: 56 })).toBe(`ethereum:${address}@56`);
  expect(() => uriOf({ network: 'bnb', address })).toThrow('names its chain');
});

it('XRP is asked for with its tag, a tag of nought too', () => {
  const address = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
  expect(uriOf({ network: 'xrp', address, units: 25_500_000n, tag: 123 })).toBe(
    `xrp:${address}?amount=25.5&dt=123`,
  );
  expect(uriOf({ network: 'xrp', address, tag: 0 })).toBe(`xrp:${address}?dt=0`);
});
