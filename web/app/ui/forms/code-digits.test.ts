import { expect, test } from 'vitest';
import { enterDigits, eraseDigit } from './code-digits.ts';

const empty = ['', '', '', ''];

test('a typed digit fills its box and moves on to the next', () => {
  expect(enterDigits(empty, 0, '7')).toEqual({ digits: ['7', '', '', ''], focus: 1 });
});

test('the last digit stays in the last box', () => {
  expect(enterDigits(['1', '2', '3', ''], 3, '4')).toEqual({ digits: ['1', '2', '3', '4'], focus: 3 });
});

test('a new digit replaces the one in its box', () => {
  expect(enterDigits(['1', '2', '3', '4'], 1, '9')).toEqual({ digits: ['1', '9', '3', '4'], focus: 2 });
});

test('a whole code pasted into any box fills all four', () => {
  for (const at of [0, 1, 2, 3]) {
    expect(enterDigits(['9', '', '', ''], at, '0412')).toEqual({ digits: ['0', '4', '1', '2'], focus: 3 });
  }
});

test('spaces, dashes and words around a pasted code do not matter', () => {
  expect(enterDigits(empty, 0, ' Code: 04-12 ').digits).toEqual(['0', '4', '1', '2']);
});

test('more digits than boxes fill the boxes and no more', () => {
  expect(enterDigits(empty, 2, '123456').digits).toEqual(['1', '2', '3', '4']);
});

test('part of a code goes on from the box it was pasted into', () => {
  expect(enterDigits(['1', '', '', ''], 1, '23')).toEqual({ digits: ['1', '2', '3', ''], focus: 3 });
});

test('letters change nothing', () => {
  expect(enterDigits(['1', '', '', ''], 1, 'a')).toEqual({ digits: ['1', '', '', ''], focus: 1 });
});

test('Backspace empties a filled box and stays there', () => {
  expect(eraseDigit(['1', '2', '', ''], 1)).toEqual({ digits: ['1', '', '', ''], focus: 1 });
});

test('Backspace in an empty box steps back', () => {
  expect(eraseDigit(['1', '2', '', ''], 2)).toEqual({ digits: ['1', '', '', ''], focus: 1 });
  expect(eraseDigit(empty, 0)).toEqual({ digits: empty, focus: 0 });
});
