import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import type { Call } from './call.ts';

const files = globSync('{,operator/}*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] });
const modules: object[] = await Promise.all(
  files.map((file) => import(/* @vite-ignore */ join(import.meta.dirname, file))),
);
const isCall = (value: unknown): value is Call => 'path' in Object(value) && 'answer' in Object(value);
/** Those that wait for a second operator come in pairs. */
const calls = modules
  .flatMap((each) => Object.values(each))
  .flatMap((value) => (isCall(value) ? [value] : Object.values(Object(value)).filter(isCall)));

const fieldsOf = (schema: z.ZodObject | undefined): [string, z.ZodType][] =>
  Object.entries(schema?.shape ?? {}).map(([name, type]) => [name, type as z.ZodType]);

/** Everything in an address is an id; in a query or a body what is called so, except the payments of a network. */
const ids = calls.flatMap(({ path, params, query, body }) => [
  ...fieldsOf(params).map(([name, type]) => ({ where: `${path} ${name}`, type })),
  ...[...fieldsOf(query), ...fieldsOf(body)]
    .filter(([name]) => /ids?$/.test(name) && name !== 'chaintransactionid')
    .map(([name, type]) => ({ where: `${path} ${name}`, type })),
]);

it('an id in capitals is the same id, whichever call it comes with', () => {
  const id = '0f0a1b2c-3d4e-4f5a-8b6c-7d8e9fabcdef';
  const asRead = ids.map(({ where, type }) => {
    const wanted = where.endsWith('ids') ? [id.toUpperCase()] : id.toUpperCase();
    return [where, type.safeParse(wanted).data?.toString()];
  });
  expect(asRead).toEqual(ids.map(({ where }) => [where, id]));
  expect(ids.length).toBeGreaterThan(30);
});
