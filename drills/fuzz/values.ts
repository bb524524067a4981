import type { Chance } from '../seed.ts';
import type { Schema } from './document.ts';

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** What has broken other people's servers. */
export const hostile = [
  '',
  ' ',
  '\u0000',
  "' or 1=1 --",
  '$$; drop table users; --',
  '%s%n%x',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '#{7*7}',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '\ud800',
  '\u202ereversed',
  'e\u0301'.repeat(80),
  '👩‍👩‍👧‍👦'.repeat(40),
  'ﷺ'.repeat(60),
  'İıſKÅ',
  'a'.repeat(20_000),
  'x@example.com\r\nBcc: y@example.com',
  '=HYPERLINK("http://example.com")',
  '9'.repeat(400),
  '1e309',
  '-0',
  '0x10',
  'NaN',
  'Infinity',
  '１２',
  '١٢',
  '1970-01-01',
  '9999-12-31',
  '0000-00-00',
  '00000000-0000-0000-0000-000000000000',
  '__proto__',
  'constructor',
  0,
  -0,
  -1,
  0.1,
  0.005,
  1e15,
  2 ** 53,
  -(2 ** 63),
  1e308,
  true,
  false,
  null,
  [],
  {},
  [[]],
  { toString: 1 },
  { length: -1 },
  JSON.parse(deep(500)),
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
] as [unknown, ...unknown[]];

const letters = 'abcdefghijklmnopqrstuvwxyz ABCDEFGHIJ 0123456789-_.,';

function word(chance: Chance, length: number): string {
  return Array.from({ length }, () => letters[chance.below(letters.length)]).join('');
}

const digits = (chance: Chance, length: number) => Array.from({ length }, () => chance.below(10)).join('');

/** Texts of the forms that the site asks for anywhere; one of them fits a pattern. */
function formed(chance: Chance): string[] {
  const day = `20${String(20 + chance.below(10))}-0${1 + chance.below(9)}-1${chance.below(10)}`;
  return [
    digits(chance, 4),
    digits(chance, 6),
    String(chance.below(500)),
    day,
    `00000000-0000-4000-8000-${digits(chance, 12)}`,
    `${word(chance, 8).replace(/[^a-z]/g, 'x')}@example.com`,
    digits(chance, 22),
    `${digits(chance, 64)}:${chance.below(4)}`,
  ];
}

function textFor(schema: Schema, chance: Chance): string {
  const { minLength = 0, maxLength = 40, pattern } = schema;
  const length = Math.max(minLength, Math.min(maxLength, 1 + chance.below(30)));
  const plain = chance.below(2) ? word(chance, length) : digits(chance, Math.min(length, 4));
  if (pattern === undefined) return plain;
  const fits = [plain, ...formed(chance)].filter((text) => new RegExp(pattern, 'u').test(text));
  return fits[chance.below(fits.length)] ?? plain;
}

function numberFor({ minimum = -10, maximum = 100_000, type }: Schema, chance: Chance): number {
  const [from, to] = [Math.max(minimum, -1e9), Math.min(maximum, 1e9)];
  const some = from + chance.next() * (to - from);
  const isWhole = type === 'integer' || chance.below(2) === 0;
  const edge = chance.pick([from, to, some, some, some]);
  return isWhole ? Math.trunc(edge) : Math.round(edge * 100) / 100;
}

/** Texts and ids that earlier answers held, by the name that they had there: only with them does a request reach far. */
export interface Seen {
  note(answer: unknown): void;
  textFor(name: string, chance: Chance): string | undefined;
}

const seenMax = 40;

export function createSeen(): Seen {
  const byName = new Map<string, string[]>();
  const keep = (name: string, text: string) => {
    const kept = byName.get(name) ?? [];
    if (text.length > 200 || kept.includes(text)) return;
    byName.set(name, [text, ...kept].slice(0, seenMax));
  };
  const seen: Seen = {
    note(answer) {
      for (const [name, value] of Object.entries(Object(answer) as object)) {
        if (typeof value === 'string') {
          keep(name, value);
          if (/^[0-9a-f-]{36}$/.test(value)) keep('any id', value);
        } else if (typeof value === 'object') seen.note(value);
      }
    },
    textFor(name, chance) {
      const isId = /id$/i.test(name) && chance.below(3) > 0;
      const kept = byName.get(isId ? 'any id' : name);
      return kept?.[chance.below(kept.length)];
    },
  };
  return seen;
}

/** A value that the schema allows, often one that the site has shown under this name. */
export function allowed(schema: Schema, name: string, chance: Chance, seen: Seen): unknown {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return allowed(choices[chance.below(choices.length)] ?? {}, name, chance, seen);
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[chance.below(schema.enum.length)];
  const type = Array.isArray(schema.type) ? schema.type[chance.below(schema.type.length)] : schema.type;
  switch (type) {
    case 'object':
      return objectFor(schema, chance, seen);
    case 'array': {
      const { minItems = 0, maxItems = 5, items = {} } = schema;
      const length = Math.min(maxItems, Math.max(minItems, chance.below(4)));
      return Array.from({ length }, () => allowed(items, name, chance, seen));
    }
    case 'integer':
    case 'number':
      return numberFor({ ...schema, type }, chance);
    case 'boolean':
      return chance.below(2) === 0;
    case 'null':
      return null;
    default:
      return (chance.below(2) && seen.textFor(name, chance)) || textFor(schema, chance);
  }
}

export function objectFor({ properties = {}, required = [] }: Schema, chance: Chance, seen: Seen): object {
  const given = Object.entries(properties).filter(([name]) => required.includes(name) || chance.below(2));
  return Object.fromEntries(given.map(([name, schema]) => [name, allowed(schema, name, chance, seen)]));
}
