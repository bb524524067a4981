import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { createConfig } from './config.ts';
import { readEnv, variableNames } from './env.ts';

const root = join(import.meta.dirname, '../..');
const runbook = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const [, text = ''] = /^## Configuration$(.*?)^## /ms.exec(runbook) ?? [];
const example = parseEnv(readFileSync(join(root, '.env.example'), 'utf8'));

interface Row {
  name: string;
  byDefault: string;
  examples: string[];
  refused: string[];
}

const quotedIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, value = '']) => value);
const rows: Row[] = text.split('\n').flatMap((line) => {
  const [, name = '', rest = ''] = /^\| `([A-Z_]+)`(?: \(\\\*\))? \|(.*)\|$/.exec(line) ?? [];
  if (!name) return [];
  const [, byDefault = '', examples, refused] = rest.split('|');
  return [{ name, byDefault: byDefault.trim(), examples: quotedIn(examples), refused: quotedIn(refused) }];
});

const dir = mkdtempSync(join(tmpdir(), 'tallystick-documented-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** What else has to be said for a variable to be looked at. */
const beside: Record<string, NodeJS.ProcessEnv> = {
  DATABASE_APP_URL: { DATABASE_URL: 'postgres://owner:pass@127.0.0.1/house' },
  DATABASE_READ_URL: { DATABASE_URL: 'postgres://owner:pass@127.0.0.1/house' },
  SESSION_ABSOLUTE_MINUTES: { SESSION_IDLE_MINUTES: '60' },
};
/** Words of the table that are about something else than the value of this variable. */
const isOther = (value: string) => variableNames.includes(value) || value === 'http://';
const read = (name: string, value: string) =>
  createConfig(readEnv({ DATA_DIR: dir, ...beside[name], [name]: value }));

function messageOf(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('docs/operations.md, Configuration:', () => {
  it('has every variable that is read, as .env.example has, and no other', () => {
    const documented = rows.map(({ name }) => name).toSorted();
    expect(documented).toEqual([...variableNames].toSorted());
    expect(Object.keys(example).toSorted()).toEqual(documented);
  });

  it('has the defaults of the server, and .env.example has none that are others', () => {
    const byDefault = readEnv({}) as Record<string, unknown>;
    const wrong = rows.filter(({ name, byDefault: told }) => {
      const real = byDefault[name];
      return real !== undefined && `\`${real}\`` !== told;
    });
    expect(wrong).toEqual([]);
    expect(readEnv(example)).toMatchObject(byDefault);
  });

  it('marks what a production needs', () => {
    const marked = [...text.matchAll(/^\| `([A-Z_]+)` \(\\\*\)/gm)].map(([, name]) => name);
    const needed = messageOf(() => createConfig(readEnv({ MODE: 'production', DATA_DIR: dir })));
    expect(marked.toSorted()).toEqual((needed.match(/\b[A-Z]+(_[A-Z]+)+\b/g) ?? []).toSorted());
  });

  it.each(rows.filter(({ name, examples }) => name !== 'MODE' && examples.length > 0))(
    '$name is taken as the example has it',
    ({ name, examples }) => {
      for (const value of examples) expect(() => read(name, value)).not.toThrow();
    },
  );

  const refusals = rows.flatMap(({ name, refused }) =>
    refused.filter((value) => !isOther(value)).map((value) => ({ name, value })),
  );
  it.each(refusals)('$name=$value is refused by its name, in one line', ({ name, value }) => {
    expect(() => read(name, value)).toThrow(new RegExp(`^[^\\n]*${name}[^\\n]*$`));
  });
});
