import { expect, test } from 'vitest';
import { stylesFor } from './page-styles.ts';

const page =
  '<p class="on-ink tablet:flex w-1/2 aria-[current=page]:flex [&amp;_svg]:p-1">x</p><script>add(`hidden`)</script>';

test.each([
  ['.on-ink{color:red}', true],
  ['.elsewhere{color:red}', false],
  ['.on-ink .elsewhere{color:red}', false],
  ['.elsewhere,.on-ink{color:red}', true],
  ['.on-ink:not(.elsewhere){color:red}', true],
  ['.hidden{display:none}', true],
  [String.raw`.w-1\/2{width:50%}`, true],
  [String.raw`.w-1\/3{width:33%}`, false],
  [String.raw`.aria-\[current\=page\]\:flex[aria-current=page]{display:flex}`, true],
  [String.raw`.\[\&_svg\]\:p-1 svg{padding:1px}`, true],
  [String.raw`@media (width>=761px){.tablet\:flex{display:flex}}`, true],
  [String.raw`@media (width>=761px){.tablet\:grid{display:grid}}`, false],
  ['p{margin:0}', true],
  [':is(.on-ink,.elsewhere) p{margin:0}', true],
  [':is(.elsewhere,.nowhere) p{margin:0}', false],
  [':where(.elsewhere>:not(:last-child)){margin:0}', false],
  [':where(.on-ink>:not(:last-child)){margin:0}', true],
  [':is(:where(.on-ink):has([open],.elsewhere)~.hidden){margin:0}', true],
  [':is(:where(.on-ink):has(.elsewhere)~.hidden){margin:0}', false],
  ['.on-ink:is(p:nth-child(2),.elsewhere:nth-child(2)){margin:0}', true],
  ['.elsewhere:nth-child(2),.nowhere{margin:0}', false],
  [':not(.elsewhere,:is(.nowhere)) p{margin:0}', true],
  ['p:nth-child(2 of .on-ink,.elsewhere){margin:0}', true],
  [':-webkit-any(.on-ink,.elsewhere){margin:0}', true],
  [':IS(.elsewhere){margin:0}', false],
  ['[title=")"],.elsewhere{margin:0}', true],
  ['.elsewhere[title="("],.on-ink{margin:0}', true],
  ['[src$=".png"]{margin:0}', true],
  [String.raw`:is(.\[\&_svg\]\:p-1>*){margin:0}`, true],
  [String.raw`:is(.grid-\[minmax\(1px\,auto\)\]>*){margin:0}`, false],
  ['@layer base,utilities;', true],
  ['@font-face{font-family:"A;{b}";src:url(a.woff2)}', true],
  ['@keyframes sweep{0%{left:0}to{left:1px}}', true],
  ['@property --x{syntax:"*";inherits:false}', true],
])('of %s a page brings what it can need', (css, isKept) => {
  expect(stylesFor(page, css)).toBe(isKept ? css : '');
});

test('rules keep their order and their groups', () => {
  const css =
    '/*! by *//**/@layer a{p{margin:0}.no{margin:1px}@media print{.no{margin:2px}}}.on-ink{margin:3px}';
  expect(stylesFor(page, css)).toBe('@layer a{p{margin:0}}.on-ink{margin:3px}');
});
