import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readJsonBodies } from './json-body.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  readJsonBodies(app);
  app.post('/', async ({ body }) => ({ body }));
});
afterAll(() => app.close());

const send = (payload: string) =>
  app.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': 'application/json' } });

/** Numbers as they may be spelt, plain ones and others, and whether they may come. */
const spelt = fc.oneof(
  fc
    .constantFrom('0', '-0', '7', '-7', '250.5', '250.50', '9999999999999', '0.01')
    .map((text) => ({ text, ok: true })),
  fc
    .constantFrom(
      '1e3',
      '1E2',
      '0e0',
      '2.500',
      '12345678901234',
      '-0.000',
      '1.2e1',
      '0.001',
      '100000000000000000000',
    )
    .map((text) => ({ text, ok: false })),
);
const other = fc
  .oneof(
    fc.constantFrom('true', 'false', 'null', '"1e3"', '"\\"1e3"', '"\\\\"', '"{1.234}"', '"a\\n-\\u00e9"'),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  )
  .map((text) => ({ text, ok: true }));
const value = fc.letrec<{ any: { text: string; ok: boolean } }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    spelt,
    other,
    fc.array(tie('any'), { maxLength: 3 }).map((each) => ({
      text: `[${each.map(({ text }) => text).join(' , ')}]`,
      ok: each.every(({ ok }) => ok),
    })),
  ),
})).any;

it('a body is refused exactly when one of its numbers is written oddly, wherever it stands', async () => {
  const bodies = fc.array(fc.tuple(fc.constantFrom('a', '1e3', '-', '\\"2.345'), value), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom('', ' ', '\n'), async (fields, space) => {
      const payload = `{${fields.map(([name, { text }], n) => `"${name}${n}"${space}:${space}${text}`).join(`,${space}`)}}`;
      const answer = await send(payload);
      const ok = fields.every(([, field]) => field.ok);
      expect([payload, answer.statusCode]).toEqual([payload, ok ? 200 : 400]);
      if (ok) expect(answer.body).toBe(JSON.stringify({ body: JSON.parse(payload) }));
    }),
    { numRuns: 500 },
  );
});
