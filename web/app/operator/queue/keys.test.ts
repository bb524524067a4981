import { describe, expect, it } from 'vitest';
import { commandOf, rowAfter } from './keys.ts';

const press = { hasModifier: false, isTyping: false, isDialogOpen: false, isOnControl: false };

describe('a key in the queue', () => {
  it.each([
    ['j', 'next'],
    ['k', 'previous'],
    ['Enter', 'open'],
    ['c', 'confirm'],
    ['r', 'reject'],
    ['?', 'help'],
  ])('%s means %s', (key, command) => {
    expect(commandOf({ ...press, key })).toBe(command);
  });

  it.each(['j', 'k', 'Enter', 'c', 'r', '?'])('%s is text while someone types', (key) => {
    expect(commandOf({ ...press, key, isTyping: true })).toBeNull();
  });

  it('belongs to the browser together with Ctrl, and to an open drawer', () => {
    expect(commandOf({ ...press, key: 'c', hasModifier: true })).toBeNull();
    expect(commandOf({ ...press, key: 'r', isDialogOpen: true })).toBeNull();
  });

  it('Enter presses the button it is on', () => {
    expect(commandOf({ ...press, key: 'Enter', isOnControl: true })).toBeNull();
    expect(commandOf({ ...press, key: 'j', isOnControl: true })).toBe('next');
  });

  it('that means nothing is left alone', () => {
    expect(commandOf({ ...press, key: 'x' })).toBeNull();
    expect(commandOf({ ...press, key: 'constructor' })).toBeNull();
  });
});

describe('the row a key leads to', () => {
  it('begins at the first', () => {
    expect(rowAfter('next', 4, null, 0)).toBe(0);
    expect(rowAfter('previous', 4, null, 0)).toBe(0);
  });

  it('stops at both ends', () => {
    expect(rowAfter('next', 4, 1, 1)).toBe(2);
    expect(rowAfter('next', 4, 3, 3)).toBe(3);
    expect(rowAfter('previous', 4, 2, 2)).toBe(1);
    expect(rowAfter('previous', 4, 0, 0)).toBe(0);
  });

  it('goes on where a decided request stood', () => {
    expect(rowAfter('next', 3, null, 2)).toBe(2);
    expect(rowAfter('next', 2, null, 2)).toBe(1);
  });
});
