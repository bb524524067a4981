import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendSecurityHeaders } from '../platform/http/security-headers.ts';
import { type Inbox, startInbox } from './inbox.ts';
import { inboxRoutes } from './inbox-routes.ts';

const siteUrl = 'http://127.0.0.1:3000';
let dir: string;
let inbox: Inbox;
let app: FastifyInstance;
let routes: RouteOptions[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'inbox-'));
  inbox = await startInbox({ dir, logger: pino({ level: 'silent' }) });
  routes = [];
  app = Fastify();
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onRequest', sendSecurityHeaders(siteUrl));
  await app.register(inboxRoutes(inbox, siteUrl));
});

afterEach(async () => {
  await app.close();
  await inbox.close();
  await rm(dir, { recursive: true });
});

async function send(message: SendMailOptions): Promise<string> {
  const transport = nodemailer.createTransport(inbox.smtpUrl);
  await transport.sendMail({ from: 'no-reply@example.com', to: 'amara@example.com', ...message });
  transport.close();
  return (await inbox.list())[0]?.id ?? '';
}

const get = (url: string) => app.inject({ method: 'GET', url });

describe('the pages of the development inbox', () => {
  it('are all classified as public', () => {
    expect(routes.length).toBeGreaterThanOrEqual(5);
    for (const route of routes) expect(route.config, String(route.url)).toMatchObject({ scope: 'public' });
  });

  it('say what to do while there is no mail', async () => {
    const answer = await get('/dev/inbox');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('No mail yet');
    expect(answer.body).toContain('href="/signup"');
  });

  it('lead to the site by the name that is in use', async () => {
    const id = await send({ html: `<a href="${siteUrl}/security#stepup=x">Confirm</a>` });
    const url = `/dev/inbox/${id}/html`;
    const { body } = await app.inject({ method: 'GET', url, headers: { host: 'localhost:3000' } });
    expect(body).toContain('href="http://localhost:3000/security#stepup=x"');
  });

  it('list the newest message first and look again every five seconds', async () => {
    await send({ subject: 'first' });
    const id = await send({ subject: 'second' });
    const { body } = await get('/dev/inbox');
    expect(body.indexOf('<b>second</b>')).toBeLessThan(body.indexOf('<b>first</b>'));
    expect(body).toContain(`href="/dev/inbox/${id}"`);
    expect(body).toContain('<meta http-equiv="refresh" content="5">');
  });

  it('show one message with its letter framed and its text below', async () => {
    const id = await send({ subject: 'Hi', text: 'the plain words', html: '<p>the rich words</p>' });
    const { body } = await get(`/dev/inbox/${id}`);
    expect(body).toContain(`src="/dev/inbox/${id}/html"`);
    expect(body).toMatch(/<iframe[^>]* sandbox="(?![^"]*(allow-scripts|allow-same-origin))/);
    expect(body).toContain('the plain words');
    expect(body).not.toContain('the rich words');
    expect(body).not.toContain('http-equiv="refresh"');
  });

  it('show a message without HTML as text alone', async () => {
    const id = await send({ subject: 'Hi', text: 'only words' });
    expect((await get(`/dev/inbox/${id}`)).body).not.toContain('<iframe');
    expect((await get(`/dev/inbox/${id}/html`)).statusCode).toBe(404);
  });

  it('let the links of a letter lead out of its frame', async () => {
    const id = await send({
      html: '<html><head><title>x</title></head><body><a href="/y">go</a></body></html>',
    });
    expect((await get(`/dev/inbox/${id}/html`)).body).toContain('<head><base target="_top"><title>');
  });

  it('give tests the list with its texts', async () => {
    const id = await send({
      to: 'Amara <amara@example.com>',
      subject: 'Hi',
      text: 'code\n4072\n',
      html: '<b>no</b>',
    });
    const { messages } = (await get('/dev/inbox.json')).json();
    expect(messages).toMatchObject([
      { id, to: 'Amara <amara@example.com>', subject: 'Hi', from: 'no-reply@example.com' },
    ]);
    expect(messages[0].text.split('\n')).toContain('4072');
    expect(messages[0]).not.toHaveProperty('html');
  });

  it('answer 404 to an id that is unknown or not an id', async () => {
    const wrong = ['20260101T000000000Z-00000000', 'x', '..%2f..%2fetc%2fpasswd', '%00', `${'1'.repeat(90)}`];
    for (const id of wrong) {
      expect((await get(`/dev/inbox/${id}`)).statusCode, id).toBe(404);
      expect((await get(`/dev/inbox/${id}/html`)).statusCode, id).toBe(404);
    }
  });

  it('escape everything a message says', async () => {
    const attack = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    const id = await send({
      subject: attack,
      text: attack,
      to: { name: attack, address: 'amara@example.com' },
    });
    for (const url of ['/dev/inbox', `/dev/inbox/${id}`]) {
      const { body } = await get(url);
      expect(body).not.toMatch(/<script|<img/);
      expect(body).toContain('&lt;script&gt;');
    }
  });

  it('are never stored and run no script, whatever the policy of the rest of the site', async () => {
    const id = await send({ subject: 'Hi', text: 'x', html: '<p>x</p>' });
    for (const url of [
      '/dev/inbox',
      '/dev/inbox.css',
      '/dev/inbox.json',
      `/dev/inbox/${id}`,
      '/dev/inbox/x',
    ]) {
      const { headers } = await get(url);
      expect(headers['cache-control'], url).toBe('no-store');
      const policy = String(headers['content-security-policy']);
      expect(policy, url).toMatch(/^default-src 'none'; style-src 'self';/);
      expect(policy, url).not.toMatch(/unsafe|script-src/);
    }
  });

  it('give a letter its inline styles and nothing else', async () => {
    const id = await send({ html: '<p style="color:red">x</p><script>alert(1)</script>' });
    const { headers } = await get(`/dev/inbox/${id}/html`);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        'img-src data:',
        "frame-ancestors 'self'",
      ]),
    );
    expect(policy.join()).not.toMatch(/script|allow-same-origin/);
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(headers['cache-control']).toBe('no-store');
  });
});
