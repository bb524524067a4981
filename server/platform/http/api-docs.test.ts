import Fastify, { type FastifyInstance } from 'fastify';
import { expect, it, vi } from 'vitest';
import { docsRoutes } from './api-docs.ts';

/** What the library does when there are no files left to open, and when there are again. */
const library = vi.hoisted(() => ({ isBroken: true, made: 0 }));
vi.mock('@scalar/fastify-api-reference', () => ({
  async default(app: FastifyInstance, { routePrefix }: { routePrefix: string }) {
    library.made += 1;
    app.get(`${routePrefix}/`, async () => '<head></head>');
    app.get(`${routePrefix}/js/scalar.js`, async () => {
      if (library.isBroken) throw new Error('EMFILE');
      return 'the script';
    });
  },
}));

it('the API reference is made once, and anew for whoever asks next when it could not be made', async () => {
  const app = Fastify();
  await app.register(docsRoutes);
  const ask = async (path: string) => {
    const { statusCode, body } = await app.inject(`/api/docs/${path}`);
    return statusCode === 200 ? body : statusCode;
  };
  expect([await ask('js/scalar.js'), await ask('')]).toEqual([500, 500]);
  library.isBroken = false;
  library.made = 0;
  expect(await Promise.all([ask('js/scalar.js'), ask('js/scalar.js'), ask('')])).toEqual([
    'the script',
    'the script',
    expect.stringContaining('<head><script>'),
  ]);
  expect(library.made).toBe(1);
  await app.close();
});
