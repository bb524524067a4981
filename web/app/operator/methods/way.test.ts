import { expect, it } from 'vitest';
import { z } from 'zod';
import { sourcesOf, wayFields, wayOf } from './way.ts';

it('a network offers the sources that it knows', () => {
  expect(sourcesOf('bitcoin')).toEqual(['fixed', 'derived']);
  expect(sourcesOf('bnb')).toEqual(['fixed', 'derived']);
  expect(sourcesOf('xrp')).toEqual(['fixed', 'tagged']);
  expect(sourcesOf(null)).toEqual(['fixed']);
});

it('only what the source asks for has to be filled in, and only that is sent', () => {
  const typed = { paymentaddress: '', key: ' xpub6D ' };
  expect(z.object(wayFields('tagged')).safeParse(typed).error?.issues).toMatchObject([
    { path: ['paymentaddress'], message: 'Enter the address to send to.' },
  ]);
  const read = z.object(wayFields('derived')).parse(typed);
  expect(wayOf('derived', read)).toEqual({ source: 'derived', key: 'xpub6D' });
  expect(wayOf('fixed', { ...read, paymentaddress: 'r' })).toEqual({ source: 'fixed', paymentaddress: 'r' });
});
