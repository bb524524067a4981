import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letters, letterSite as site } from '../../../demo/sample-letters.ts';
import { Letter, renderLetter } from '../rules.ts';

const plain = (letter: Letter) => renderLetter(letter, site).text.replace(/\s+/g, ' ');
const fact = (letter: Letter, label: string) => {
  const lines = renderLetter(letter, site).text.split('\n');
  return lines.find((line) => line.startsWith(`${label}: `))?.slice(label.length + 2);
};
const samples: Letter[] = Object.values(letters);
/** Fields whose words come from people: investors, operators, browsers. */
const written = [
  'planname',
  'paymentname',
  'paymentaddress',
  'methodname',
  'address',
  'chainTxid',
  'transactionid',
  'reason',
  'clientAddress',
  'userAgent',
];
const writtenFields = samples.flatMap((letter) =>
  written.filter((field) => field in letter).map((field) => ({ kind: letter.kind, field, letter })),
);
const manyCents = fc.bigInt({ min: 1n, max: 10n ** 17n });
const grouped = (cents: bigint) =>
  `$${(cents / 100n).toLocaleString('en-US')}.${String(cents % 100n).padStart(2, '0')}`;

describe.each(writtenFields)('the $field in the letter $kind', ({ field, letter }) => {
  it('cannot open a tag, break a line or begin a header, whatever it is', () => {
    const usual = renderLetter(letter, site);
    const tags = usual.html.match(/</g)?.length;
    const blocks = usual.text.split('\n\n').length;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (words) => {
        const rendered = renderLetter({ ...letter, [field]: words } as Letter, site);
        expect(rendered.html.match(/</g)?.length).toBe(tags);
        expect(rendered.text.split('\n\n').length).toBe(blocks);
        expect(rendered.subject).not.toMatch(/[\r\n]/);
      }),
      { numRuns: 40 },
    );
  });

  it('is escaped', () => {
    const hostile = `"><script>alert('x')</script>`;
    const { html } = renderLetter({ ...letter, [field]: hostile } as Letter, site);
    expect(html).not.toContain('<script');
    expect(html).not.toContain("alert('x')");
  });
});

describe('the amounts in letters', () => {
  it('are to the cent, however large', () => {
    const kinds = [
      'deposit-requested',
      'deposit-rejected',
      'withdrawal-requested',
      'withdrawal-paid',
    ] as const;
    fc.assert(
      fc.property(manyCents, fc.constantFrom(...kinds), (cents, kind) => {
        const letter: Letter = { ...letters[kind], amountCents: String(cents) };
        expect(fact(letter, 'Amount')).toBe(grouped(cents));
        expect(renderLetter(letter, site).subject).toContain(grouped(cents));
      }),
    );
  });

  it('are refused in the queue when they are not whole cents', () => {
    for (const amountCents of ['12.5', '-5', '', '1e3', ' 5']) {
      expect(Letter.safeParse({ ...letters['withdrawal-paid'], amountCents }).success).toBe(false);
    }
    expect(Letter.safeParse({ ...letters['correction-posted'], amountCents: '-5' }).success).toBe(true);
  });
});

describe('the letters about a deposit', () => {
  it('say where to send it, on which network, and that nothing is credited before it is confirmed', () => {
    const letter = letters['deposit-requested'];
    expect(fact(letter, 'Address')).toBe(letter.paymentaddress);
    expect(fact(letter, 'Network')).toBe(letter.network);
    expect(plain(letter)).toContain('Nothing is credited before the payment is confirmed.');
  });

  it('name what was asked only when something else arrived', () => {
    const same = letters['deposit-confirmed'];
    expect(fact(same, 'Received')).toBe('$250.50');
    expect(plain(same)).not.toContain('asked');
    const less: Letter = { ...same, receivedCents: '25049' };
    expect(fact(less, 'Received')).toBe('$250.49');
    expect(fact(less, 'You asked for')).toBe('$250.50');
    expect(renderLetter(less, site).subject).toBe('Your deposit arrived: $250.49 is in your wallet');
  });

  it('give the reason when it was not confirmed, and say that nothing was added', () => {
    const letter = letters['deposit-rejected'];
    expect(fact(letter, 'Reason')).toBe(letter.reason);
    expect(plain(letter)).toContain('Nothing was added to your wallet.');
  });
});

describe('the letters about a withdrawal', () => {
  it('name amount and address at every step', () => {
    for (const kind of ['requested', 'approved', 'paid', 'rejected', 'cancelled'] as const) {
      const letter = letters[`withdrawal-${kind}`];
      expect(fact(letter, 'Amount')).toBe('$1,234.56');
      expect(fact(letter, 'To')).toBe(letter.address);
      expect(plain(letter)).toContain('No one needs a fee');
    }
  });

  it('carry the id on the network once it is paid', () => {
    const letter = letters['withdrawal-paid'];
    expect(plain(letter)).toContain(`On the network: ${letter.chainTxid}`);
  });

  it('say that all of it is back when it was turned down or cancelled', () => {
    expect(fact(letters['withdrawal-rejected'], 'Reason')).toBe(letters['withdrawal-rejected'].reason);
    for (const kind of ['withdrawal-rejected', 'withdrawal-cancelled'] as const) {
      expect(plain(letters[kind])).toMatch(/all of it is back in your wallet\./i);
      expect(renderLetter(letters[kind], site).subject).toContain('$1,234.56 is back in your wallet');
    }
  });
});

describe('the other letters about money', () => {
  it('tell at the purchase what is paid, what is received and when, in UTC', () => {
    const letter = letters['investment-opened'];
    expect(fact(letter, 'You pay')).toBe('$1,500.00');
    expect(fact(letter, 'You receive')).toBe('$1,512.00, of which $12.00 profit');
    expect(fact(letter, 'On')).toBe('5 Dec 2026, 14:32 UTC');
  });

  it('tell a correction with its sign and its reason', () => {
    const taken = letters['correction-posted'];
    expect(fact(taken, 'Amount')).toBe('\u2212$19.99');
    expect(fact(taken, 'Reason')).toBe(taken.reason);
    expect(plain(taken)).toContain('$19.99 was taken from it');
    const given: Letter = { ...taken, amountCents: '1999' };
    expect(fact(given, 'Amount')).toBe('+$19.99');
    expect(plain(given)).toContain('$19.99 was added to it');
  });
});

describe('the letter about a new device', () => {
  it('says what device, when and from where, and what to do if it was not you', () => {
    const letter = letters['new-device'];
    expect(fact(letter, 'Device')).toBe('Firefox on Linux');
    expect(fact(letter, 'When')).toBe('5 Nov 2026, 14:32 UTC');
    expect(fact(letter, 'From')).toBe('203.0.113.7');
    expect(plain(letter)).toContain('If it was not you, set a new password now');
    expect(renderLetter(letter, site).text.split('\n')).toContain('https://tally.example/forgotpass');
  });
});
