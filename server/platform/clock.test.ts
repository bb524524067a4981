import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoText } from './clock.ts';

it('a moment is spelt as ever, the first time and again', () => {
  const moments = fc.array(fc.date({ noInvalidDate: true }), { minLength: 1, maxLength: 1000 });
  fc.assert(
    fc.property(moments, (dates) => {
      for (const each of [...dates, ...dates.toReversed()]) expect(isoText(each)).toBe(each.toISOString());
    }),
    { numRuns: 20 },
  );
});

it('what is no moment is not spelt', () => {
  for (let tries = 0; tries < 2; tries += 1) expect(() => isoText(new Date(Number.NaN))).toThrow(RangeError);
});
