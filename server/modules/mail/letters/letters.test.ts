import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letters, letterSite as site } from '../../../demo/sample-letters.ts';
import { renderLetter } from '../rules.ts';

const all = Object.values(letters);
const { 'activation-code': _greetsNobody, ...greeting } = letters;
const coded = [letters['activation-code'], letters['reset-code']];
const hostileName = `<script>alert('x')</script>" onload="y" & <b>`;

/** The pieces of text a person sees, in their order. */
function seenPieces(markup: string): string[] {
  const card = markup.slice(markup.indexOf('<h1')).replace(/<!--.*?-->/gs, '');
  const pieces = card.split(/<[^>]*>/).map((piece) => piece.replace(/\s+/g, ' ').trim());
  return pieces.filter((piece) => piece !== '');
}

const seen = (markup: string) => seenPieces(markup).join(' ');

describe.each(all)('the letter $kind', (letter) => {
  const { subject, html, text } = renderLetter(letter, site);

  it('promises nothing and says that money can be lost', () => {
    expect(`${subject} ${html} ${text}`).not.toMatch(/guarantee/i);
    for (const twin of [html, text]) expect(twin).toContain('you can lose money, including all of it.');
  });

  it('says in plain text all that its HTML shows', () => {
    const plain = text.replace(/\s+/g, ' ');
    for (const piece of seenPieces(html)) expect(plain).toContain(piece);
  });

  it('keeps its plain text within 72 characters, links apart', () => {
    const long = text.split('\n').filter((line) => line.length > 72);
    expect(long.filter((line) => !/^https:\/\/\S+$/.test(line))).toEqual([]);
  });

  it('marks sample contacts as sample, and real ones not', () => {
    expect(text).toContain('London (sample address)');
    expect(html).toContain('(sample)');
    const real = renderLetter(letter, { ...site, sample: false });
    expect(real.html + real.text).not.toMatch(/\(sample/);
  });

  it('is drawn in light colours only and fetches nothing', () => {
    expect(html).toContain('<meta name="color-scheme" content="light">');
    expect(html).not.toMatch(/<(img|link|script|style)\b|url\(|@import/);
    expect(html).toContain('max-width:560px');
  });
});

describe.each(Object.values(greeting))('the name in $kind', (letter) => {
  const { html, text } = renderLetter(letter, site);

  it('escapes a hostile name and keeps it out of every tag', () => {
    const rendered = renderLetter({ ...letter, fullname: hostileName }, site);
    expect(rendered.html).not.toContain('<script');
    expect(rendered.html).not.toContain('" onload="');
    expect(rendered.html).toContain('&lt;script&gt;');
    expect(rendered.subject).not.toContain('script');
  });

  it('lets no name of any kind open a tag or break a line', () => {
    const tags = html.match(/</g)?.length;
    const lines = text.split('\n\n').length;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (anyName) => {
        const rendered = renderLetter({ ...letter, fullname: anyName }, site);
        expect(rendered.html.match(/</g)?.length).toBe(tags);
        expect(rendered.text.split('\n\n').length).toBe(lines);
        expect(rendered.text.split(/[\r\u2028\u2029]/)).toHaveLength(1);
      }),
    );
  });

  it('does not repeat a name that mail programs would turn into a link', () => {
    for (const advertisement of [
      'Win at https://evil.test',
      'go evil.test now',
      'www.evil',
      'write x@evil.test',
    ]) {
      const rendered = renderLetter({ ...letter, fullname: advertisement }, site);
      expect(rendered.html + rendered.text).not.toContain('evil');
      expect(rendered.text).toContain('Hello, ');
    }
    expect(renderLetter({ ...letter, fullname: 'J. R. R. Tolkien' }, site).text).toContain(
      'Hello J. R. R. Tolkien, ',
    );
  });
});

describe('a letter to an address that nobody has proven', () => {
  it('holds no word that a stranger chose', () => {
    const stranger = { fullname: 'URGENT account frozen', name: 'URGENT account frozen' };
    const activation = renderLetter({ ...letters['activation-code'], ...stranger }, site);
    const reset = renderLetter({ ...letters['reset-code'], fullname: '' }, site);
    for (const { subject, html, text } of [activation, reset]) {
      expect(`${subject} ${html} ${text}`).not.toMatch(/URGENT/);
      for (const twin of [seen(html), text]) expect(twin).toContain('Hello, enter this code');
    }
  });
});

describe.each(coded)('the code in $kind', (letter) => {
  const { subject, html, text } = renderLetter(letter, site);

  it('stands alone on its line of the plain text', () => {
    expect(text.split('\n').filter((line) => line.includes('0072'))).toEqual(['0072']);
  });

  it('is one word in the HTML, so that it copies as four digits', () => {
    expect(html).toMatch(/letter-spacing:14px[^>]*>0072<\/td>/);
  });

  it('is named with what it is for in the subject', () => {
    expect(subject).toContain('0072');
    expect(subject).toMatch(letter.kind === 'activation-code' ? /activation code$/ : /password reset code$/);
  });

  it('comes with its ten minutes and with the one day of the link', () => {
    for (const twin of [seen(html), text.replace(/\s+/g, ' ')]) {
      expect(twin).toContain('ten minutes, and once');
      expect(twin).toContain('one day');
    }
  });

  it('comes with the long link, alone on its line and behind the button', () => {
    const path = letter.kind === 'activation-code' ? '/verifyemail' : '/verifyforgotcode';
    const url = `https://tally.example${path}#link=${letter.linkToken}`;
    expect(text.split('\n')).toContain(url);
    expect(html).toContain(`<a href="${url}"`);
  });

  it('comes with what to do if it was not you', () => {
    for (const twin of [seen(html), text.replace(/\s+/g, ' ')]) {
      expect(twin).toContain('We never ask for this code');
      expect(twin).toMatch(/If you did not (sign up|ask for it), ignore this message/);
    }
  });
});

describe('the letter about a changed password', () => {
  it('says when in UTC, from where and with what', () => {
    const { html, text } = renderLetter(letters['password-changed'], site);
    expect(text).toContain('When: 5 Nov 2026, 14:32 UTC\nFrom: 203.0.113.7\nDevice: Firefox on Linux');
    for (const fact of ['5 Nov 2026, 14:32 UTC', '203.0.113.7', 'Firefox on Linux'])
      expect(html).toContain(fact);
  });

  it('leaves out what is not known', () => {
    const { text } = renderLetter(
      { kind: 'password-changed', fullname: 'Amara', at: '2026-11-15T00:00:00Z' },
      site,
    );
    expect(text).toContain('When: 15 Nov 2026, 00:00 UTC\n\n');
    expect(text).not.toMatch(/From|Device/);
  });

  it('says until when new addresses wait when it was a reset', () => {
    const letter = { ...letters['password-changed'], newAddressesAfter: '2026-11-06T14:32:10.000Z' };
    const { html, text } = renderLetter(letter, site);
    const sentence =
      'until 6 Nov 2026, 14:32 UTC withdrawals go only to addresses that you were paid to before';
    expect(text.replace(/\s+/g, ' ')).toContain(sentence);
    expect(seen(html)).toContain(sentence);
    expect(renderLetter(letters['password-changed'], site).text).not.toContain('withdrawals');
  });

  it('leads to a reset if it was not you', () => {
    const { html, text } = renderLetter(letters['password-changed'], site);
    expect(text.split('\n')).toContain('https://tally.example/forgotpass');
    expect(html).toContain('<a href="https://tally.example/forgotpass"');
    expect(seen(html)).toContain('If it was not you, set a new password now');
  });

  it('names a browser in common words and repeats none of its own', () => {
    const device = (userAgent: string) => {
      const { html, text } = renderLetter({ ...letters['password-changed'], userAgent }, site);
      const [, named = ''] = /^Device: (.*)$/m.exec(text) ?? [];
      expect(html).toContain(`>${named}</td>`);
      return named;
    };
    const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
    expect(
      device(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0 Safari/537.36 Edg/141.0`),
    ).toBe('Edge on Windows');
    expect(device(`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/141.0 Mobile Safari/537.36`)).toBe(
      'Chrome on Android',
    );
    expect(device('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1')).toBe(
      'Safari on iPhone',
    );
    expect(device('<img src=x> call 555 0100 or see evil.test')).toBe('Not recognised');
  });
});
