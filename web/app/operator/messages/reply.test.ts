import { expect, test } from 'vitest';
import { replyAddress } from './reply.ts';

const message = {
  _id: '1',
  name: 'Ana & Sons',
  email: 'ana+news@example.com',
  message: 'When is it due?\nI see 50% & more.',
  receivedat: '2026-11-15T09:12:00Z',
  handled: null,
};

test('a reply quotes the message line by line', () => {
  const url = new URL(replyAddress(message, 'Tallystick'));
  expect(url.protocol).toBe('mailto:');
  expect(decodeURIComponent(url.pathname)).toBe('ana+news@example.com');
  expect(url.searchParams.get('subject')).toBe('Your message to Tallystick');
  expect(url.searchParams.get('body')).toContain('> When is it due?\r\n> I see 50% & more.');
});

test('an address cannot bring fields of its own into the letter', () => {
  const url = new URL(
    replyAddress({ ...message, email: 'a@example.com?cc=b@example.com&bcc=c' }, 'Tallystick'),
  );
  expect([...url.searchParams.keys()]).toEqual(['subject', 'body']);
});

test('a long message is quoted in part and says so', () => {
  const body = new URL(replyAddress({ ...message, message: 'x'.repeat(5000) }, 'T')).searchParams.get('body');
  expect(body?.length).toBeLessThan(1100);
  expect(body).toMatch(/x…$/);
});
