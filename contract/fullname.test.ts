import { describe, expect, it } from 'vitest';
import { Fullname } from './fullname.ts';

const wrong = (name: string) => Fullname.safeParse(name).error?.issues[0]?.message ?? null;

describe('a name', () => {
  it.each([
    'Amara Okonkwo',
    'Juan Carlos III',
    "O'Brien",
    'Sinéad O’Connor',
    'María-José Carreño Quiñones',
    'Sammy Davis, Jr.',
    'J. R. R. Tolkien',
    'J.R.R. Tolkien',
    'Gerard ’t Hooft',
    'Gal·la Placídia',
    'Ífẹ́ O\u2019Brien-Ōta',
    'Nguyễn Thị Minh Khai',
    'Nguye\u0302\u0303n',
    'محمد بن سلمان',
    'علی‌رضا',
    'ศิริวรรณ จันทร์',
    'श्री राम कुमार',
    'क्\u200dष',
    'അനില്\u200d',
    'தமிழ்ச்செல்வன்',
    'ג׳ורג׳ כהן',
    '山田太郎',
    'ジャン・ポール',
    '김민준',
    'བསྟན་འཛིན',
    'Ljubiša Đorđević',
    'ʻIolani',
    'X',
  ])('may be %s', (name) => {
    expect(wrong(name)).toBeNull();
  });

  it.each([
    ['a phone number', 'URGENT account frozen, call +44 20 7946 0958'],
    ['digits', 'Agent 47'],
    ['digits of another script', 'محمد ٤٧'],
    ['an address', 'Win at https://evil.example'],
    ['a host', 'go to evil.example now'],
    ['a short host', 'x.co'],
    ['an e-mail address', 'write x@evil.example'],
    ['markup', '<b>Amara</b>'],
    ['a line break', 'Amara\nOkonkwo'],
    ['right-to-left override', 'Amara \u202eowknokO'],
    ['an isolate', '\u2067Amara'],
    ['a direction mark', 'Amara\u200f'],
    ['a zero-width space', 'Ama\u200bra'],
    ['a joiner between letters that do not join', 'Ama\u200dra'],
    ['two joiners', 'علی\u200c\u200cرضا'],
    ['a joiner before everything', '\u200cعلی'],
    ['a soft hyphen', 'Ama\u00adra'],
    ['a byte order mark', '\ufeffAma\ufeffra'],
    ['a Hangul filler', '\u3164\u3164'],
    ['an invisible mark', 'Ama\u034fra'],
    ['a variation selector', 'Ama\ufe0fra'],
    ['a blank of Braille', '\u2800'],
    ['a tag', 'Ama\u{e0041}ra'],
    ['a pile of marks', `A${'\u0301'.repeat(6)}`],
    ['signs alone', '-.,'],
    ['a mark alone', '\u0301'],
    ['a picture', 'Amara 💰'],
    ['the character NUL', 'Ama\0ra'],
  ])('does not hold %s', (_case, name) => {
    expect(wrong(name)).toMatch(/\.$/);
  });

  it('is kept with one space between its words, and not longer than 100', () => {
    expect(Fullname.parse(' 山田\u3000\u00a0太郎 ')).toBe('山田 太郎');
    expect(wrong(' \u3000 ')).toBe('Enter your full name.');
    expect(wrong('x'.repeat(101))).toBe('Use at most 100 characters.');
  });

  it('that is no name is refused as quickly as it is read', () => {
    const begun = performance.now();
    for (const piece of ['ع', 'क', 'a', '.', ' ', '\u0301']) wrong(`${piece.repeat(99)}\u202e`);
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
