import { expect, test } from 'vitest';
import { parseInline, parseMarkdown } from './markdown.ts';

test('each kind of block is read as what it is', () => {
  const text =
    '## One\n\nA line\ngoes on.\n\n- first\n- second\n\n1. a\n2. b\n\n> Mind this.\n\n```\nx < y\n```\n\n| H | |\n|---|---|\n| a | b |';
  expect(parseMarkdown(text)).toEqual([
    { kind: 'heading', level: 2, content: ['One'] },
    { kind: 'paragraph', content: ['A line goes on.'] },
    { kind: 'list', ordered: false, items: [['first'], ['second']] },
    { kind: 'list', ordered: true, items: [['a'], ['b']] },
    { kind: 'note', content: ['Mind this.'] },
    { kind: 'code', text: 'x < y' },
    { kind: 'table', head: [['H'], []], rows: [[['a'], ['b']]] },
  ]);
});

test('emphasis, code and links are read inside a line, and nest', () => {
  expect(parseInline('a **b *c* x** `d` [e](/f)')).toEqual([
    'a ',
    { kind: 'strong', content: ['b ', { kind: 'em', content: ['c'] }, ' x'] },
    ' ',
    { kind: 'code', text: 'd' },
    ' ',
    { kind: 'link', to: '/f', content: ['e'] },
  ]);
});

test('markup of other kinds stays text', () => {
  expect(parseMarkdown('<script>alert(1)</script>')).toEqual([
    { kind: 'paragraph', content: ['<script>alert(1)</script>'] },
  ]);
});

test.each([
  ['# Title', 'level 1'],
  ['#### Deep', 'level 4'],
  ['[x](https://elsewhere.example/)', 'pages of this site'],
  ['[x](//elsewhere.example/)', 'pages of this site'],
  ['[x](javascript:alert)', 'pages of this site'],
  ['```\nopen', 'not closed'],
  ['| a | b |\n| c | d |', 'dashes'],
  ['| a | b |\n|---|---|\n| c |', 'another width'],
])('%j is refused', (text, reason) => {
  expect(() => parseMarkdown(text)).toThrow(reason);
});
