import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { keepAnswers } from './kept-answers.ts';

it('an answer is made once and shared, with what is said about it and nothing about who asked first', async () => {
  const app = Fastify();
  const sent: unknown[] = [];
  let made = 0;
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-asked-by', String(request.headers.from));
    done();
  });
  keepAnswers(app);
  app.addHook('onSend', async (_request, _reply, payload) => {
    sent.push(payload);
    return payload;
  });
  app.get('/', async (_request, reply) => {
    made += 1;
    return reply.type('text/yaml').send('long: answer');
  });
  app.get('/nothing', (_request, reply) => reply.status(404).send('nothing'));
  const [one, other] = [
    await app.inject({ url: '/', headers: { from: 'one' } }),
    await app.inject({ url: '/', headers: { from: 'other' } }),
  ];
  expect([made, one.body, other.body]).toEqual([1, 'long: answer', 'long: answer']);
  expect(sent[0]).toBe(sent[1]);
  expect(other.headers).toMatchObject({ 'content-type': one.headers['content-type'], 'x-asked-by': 'other' });
  const head = await app.inject({ method: 'HEAD', url: '/' });
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '12']);
  expect((await app.inject('/nothing')).statusCode).toBe(404);
  expect((await app.inject('/')).statusCode).toBe(200);
});
