import { describe, expect, it } from 'vitest';
import { parseBooks } from './books.ts';

const first = `books/v1
number 1
time 2026-01-31T00:00:00Z
unit USD-cents
depth 2
root b6f8def295aed4da66b9b25de024290499d81676c832fc332494994311e7ce01
owed 10050 250000 1234 7000
`;
const hash = 'a'.repeat(64);
const whole = `${first}due 2026-02-02 200000 1600
due 2026-02-16 40000 320
due later 10000 80
held bitcoin 1234567890123 84213367 68213.37 2026-01-30T23:58:00Z 934112 2026-01-30T23:59:30Z
held xrp 0 - - - 100 2026-01-30T23:59:30Z
cold bitcoin 1000 bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4
shared xrp 0 rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh
derived bitcoin 12 900 ${hash}
key bitcoin ${hash}
typed 5000 2026-01-30T12:00:00Z Bank transfer
coverage 3139149
`;

describe('a statement of the books', () => {
  it('is read whole', () => {
    expect(parseBooks(whole)).toMatchObject({
      number: 1,
      time: '2026-01-31T00:00:00Z',
      depth: 2,
      owed: [10_050n, 250_000n, 1_234n, 7_000n],
      due: [
        { week: '2026-02-02', principal: 200_000n, profit: 1_600n },
        { week: '2026-02-16', principal: 40_000n, profit: 320n },
        { week: null, principal: 10_000n, profit: 80n },
      ],
      held: [
        { network: 'bitcoin', units: 1_234_567_890_123n, price: '68213.37' },
        { network: 'xrp', cents: null },
      ],
      typed: [{ cents: 5_000n, method: 'Bank transfer' }],
      coverage: 3139149n,
    });
    const little = first.replace('250000', '0');
    expect(parseBooks(`${little}coverage unknown\n`)).toMatchObject({ due: [], coverage: null });
  });

  it.each([
    ['number 1', 'number 01'],
    ['number 1', 'number 0'],
    ['number 1', 'number  1'],
    ['number 1', 'number -1'],
    ['31T00:00:00Z\nunit', '31T00:00:00.000Z\nunit'],
    ['2026-01-31T00:00:00Z\nunit', '2026-02-30T00:00:00Z\nunit'],
    ['USD-cents', 'USD'],
    ['depth 2', 'depth 0'],
    ['depth 2', 'depth 41'],
    ['root b6', 'root B6'],
    ['owed 10050', 'owed +10050'],
    ['owed 10050', 'owed -10050'],
    ['owed 10050', 'owed 9223372036854775808'],
    ['owed 10050', 'owed 1e4'],
    ['1234 7000', '1234 7000 0'],
    ['1234 7000', '1234'],
    ['due 2026-02-02', 'due 2026-02-03'],
    ['due 2026-02-16', 'due 2026-02-02'],
    ['due later 10000', 'due later 10001'],
    ['due later', 'due never'],
    ['held xrp 0 -', 'held xrp 0 - -'],
    ['held xrp', 'held XRP'],
    ['cold bitcoin 1000 ', 'cold bitcoin 1000  '],
    ['key bitcoin a', 'key bitcoin g'],
    ['typed 5000', 'typed 5000 '],
    ['coverage 3139149', 'coverage 31391.50'],
    ['coverage 3139149', 'coverage 3139150'],
    ['typed 5000', 'typed 9000'],
    ['coverage 3139149\n', 'coverage 3139149\ncoverage 3139149\n'],
    ['coverage 3139149\n', ''],
    ['coverage 3139149', 'coverage unknown'],
    ['due 2026-02-02 200000 1600\ndue 2026-02-16 40000 320\ndue later 10000 80\n', ''],
    ['coverage 3139149\n', 'coverage 3139149\nmore 1\n'],
    ['coverage 3139149\n', 'coverage 3139149'],
    ['coverage 3139149\n', 'coverage 3139149\n\n'],
    ['books/v1', 'books/v2'],
    ['Bank', 'Ba\u006e\u0303k'],
  ])('has one spelling: %j is not %j', (right, other) => {
    expect(whole).toContain(right);
    expect(parseBooks(whole.replace(right, other))).toEqual({ wrong: expect.any(String) });
  });

  it('has its lines in one order', () => {
    const lines = whole.split('\n');
    const swapped = [...lines.slice(0, 10), lines[12], lines[11], lines[10], ...lines.slice(13)].join('\n');
    expect(parseBooks(swapped)).toEqual({ wrong: expect.stringContaining('out of its place') });
  });
});
