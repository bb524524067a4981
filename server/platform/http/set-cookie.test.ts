import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { secretCookie } from './identity.ts';

async function written(siteUrl: string, ageSecondsMax?: number): Promise<string[]> {
  const app = Fastify();
  await app.register(cookie);
  const kept = ageSecondsMax === undefined ? {} : { ageSecondsMax };
  app.get('/', async (_request, reply) => {
    secretCookie('session', siteUrl, kept).write(reply, 'value');
    return '';
  });
  return String((await app.inject('/')).headers['set-cookie'])
    .split('; ')
    .sort();
}

const always = ['HttpOnly', 'Path=/', 'SameSite=Strict'];

it('over https a cookie is the one host’s, goes over TLS alone, to no script and with no request of another site', async () => {
  const expected = ['__Host-session=value', ...always, 'Secure'].sort();
  expect(await written('https://tallystick.example')).toEqual(expected);
  expect(await written('https://tallystick.example', 60)).toEqual([...expected, 'Max-Age=60'].sort());
});

it('a demo’s over plain http has all of it that browsers accept there', async () => {
  expect(await written('http://127.0.0.1:3000')).toEqual(['session=value', ...always].sort());
});
