import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealer } from './sealing.ts';

const key = randomBytes(32);
const sealer = createSealer(key);

describe('a sealer', () => {
  it('gives back every text it sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(sealer.open(sealer.seal(text))).toBe(text);
      }),
    );
  });

  it('shows nothing of the text and never seals it twice the same way', () => {
    const first = sealer.seal('the code is 4072');
    const second = sealer.seal('the code is 4072');
    expect(first).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
    expect(first).not.toBe(second);
    expect(Buffer.from(first.slice(3), 'base64url').toString('latin1')).not.toContain('4072');
  });

  it('refuses a sealed text in which any one character was changed', () => {
    const sealed = sealer.seal('4072');
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      const altered = sealed.slice(0, at) + other + sealed.slice(at + 1);
      expect(() => sealer.open(altered), `changed at ${at}`).toThrow(/sealed text/);
    }
  });

  it('refuses a sealed text that was cut, lengthened or never sealed', () => {
    const sealed = sealer.seal('4072');
    for (const wrong of [
      '',
      'v1',
      'v1.',
      'v1.AAAA',
      'v2.AAAA',
      '4072',
      `${sealed}AA`,
      `${sealed}.AA`,
      sealed.slice(0, -2),
    ]) {
      expect(() => sealer.open(wrong), wrong).toThrow(/sealed text/);
    }
  });

  it('says that another key cannot open what this one sealed', () => {
    expect(() => createSealer(randomBytes(32)).open(sealer.seal('4072'))).toThrow(
      /altered, or was sealed with another key/,
    );
  });

  it('is not made with a key of the wrong length', () => {
    expect(() => createSealer(randomBytes(16))).toThrow(/32 bytes, not 16/);
  });
});
