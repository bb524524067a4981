import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Letter } from '../modules/mail/rules.ts';
import { lettersRoutes } from './letters-routes.ts';
import { letterSite } from './sample-letters.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  await app.register(lettersRoutes(letterSite));
});
afterAll(() => app.close());

describe('the page of all letters', () => {
  it.each(Letter.options.map(({ shape }) => shape.kind.value))('shows %s', async (kind) => {
    expect((await app.inject('/dev/letters')).body).toContain(`href="/dev/letters/${kind}"`);
    const page = await app.inject(`/dev/letters/${kind}`);
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('<pre')]);
    const letter = await app.inject(`/dev/letters/${kind}/html`);
    expect([letter.statusCode, letter.body]).toEqual([200, expect.stringContaining('<base target="_top">')]);
    expect(letter.headers['content-security-policy']).toContain('sandbox');
  });

  it('knows no others', async () => {
    expect((await app.inject('/dev/letters/none')).statusCode).toBe(404);
    expect((await app.inject('/dev/letters/none/html')).statusCode).toBe(404);
  });
});
