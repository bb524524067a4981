import { contact } from '@tallystick/contract/mail';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Asking, answerOf, tryCall } from '../../testing/call.ts';
import { hourMs } from '../../testing/clock.ts';
import { newAddress } from '../../testing/people.ts';
import { startTestApp, type TestApp } from '../../testing/start-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

const form = { name: 'Amara Okonkwo', email: 'amara@example.com', message: 'When can I withdraw?' };
const write = (body: Asking<typeof contact>['body'], from = newAddress()) =>
  tryCall(test, contact, { body, from });

it('a message from the contact form reaches support, and an answer would reach its writer', async () => {
  expect(answerOf(await write(form)).message).toContain('was sent');
  const [mail] = await test.mailbox.letters('support@example.com');
  expect(mail?.text).toContain(form.message);
  expect(mail?.headers.find(({ name }) => name.toLowerCase() === 'reply-to')?.value).toContain(
    'amara@example.com',
  );
  const rows = await test.context.db.selectFrom('contact_messages').select(['name', 'message']).execute();
  expect(rows).toEqual([{ name: form.name, message: form.message }]);
});

it('a message cannot slip in mail headers or markup', async () => {
  const hostile = {
    ...form,
    name: 'Mallory, Bcc',
    message: '<script>alert(1)</script>\r\nBcc: victim@example.com',
  };
  expect((await write(hostile)).status).toBe(200);
  const [mail, ...older] = await test.mailbox.letters('support@example.com');
  expect(older).toHaveLength(1);
  expect(mail?.headers.some(({ name }) => name.toLowerCase() === 'bcc')).toBe(false);
  expect(mail?.html).not.toContain('<script>');
});

it('five messages an hour are taken from one address', async () => {
  const from = newAddress();
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) statuses.push((await write(form, from)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  test.clock.advance(hourMs);
  expect((await write(form, from)).status).toBe(200);
});

it.each([
  { ...form, name: '' },
  { ...form, email: 'nobody' },
  { ...form, message: '   ' },
  { ...form, message: 'x'.repeat(4001) },
])('an incomplete message is refused in words (%#)', async (body) => {
  expect(await write(body)).toMatchObject({ status: 400, message: expect.stringMatching(/\.$/) });
});
