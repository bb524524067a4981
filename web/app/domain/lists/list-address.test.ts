import { expect, test } from 'vitest';
import { changed, pageOf } from './list-address.ts';

test.each([
  ['3', 3],
  ['0', 1],
  ['-2', 1],
  ['1.5', 1],
  ['abc', 1],
  ['', 1],
  [null, 1],
  ['9999999', 1_000_000],
  ['99999999999', 1],
])('the page %j of an address is page %i', (text, page) => {
  expect(pageOf(text)).toBe(page);
});

test('a new search keeps the other wishes and goes back to the first page', () => {
  const before = new URLSearchParams('search=wit&fundingtype=Withdrawal&page=3');
  expect(String(changed(before, { search: 'with', page: '' }))).toBe('search=with&fundingtype=Withdrawal');
});

test('a list without wishes has a clean address', () => {
  expect(String(changed(new URLSearchParams('search=x&page=2'), { search: '', page: '' }))).toBe('');
});
