import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Inbox, startInbox } from './inbox.ts';

const logger = pino({ level: 'silent' });
let root: string;
let dir: string;
let inbox: Inbox;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'inbox-'));
  dir = join(root, 'mail');
  inbox = await startInbox({ dir, logger });
});

afterEach(async () => {
  await inbox.close();
  await rm(root, { recursive: true });
});

async function send(message: SendMailOptions): Promise<void> {
  const transport = nodemailer.createTransport(inbox.smtpUrl);
  await transport.sendMail({
    from: 'Tallystick <no-reply@example.com>',
    to: 'amara@example.com',
    text: 'Hello',
    ...message,
  });
  transport.close();
}

describe('the development inbox', () => {
  it('keeps what was sent to it, newest first', async () => {
    for (const subject of ['first', 'second', 'third']) await send({ subject });
    const messages = await inbox.list();
    expect(messages.map((message) => message.subject)).toEqual(['third', 'second', 'first']);
  });

  it('reads one message with its people, its headers and both parts', async () => {
    await send({ to: 'Zoë <zoe@example.com>', subject: 'Größe', text: 'plain ✓', html: '<p>rich ✓</p>' });
    const [{ id } = { id: '' }] = await inbox.list();
    const message = await inbox.read(id);
    expect(message).toMatchObject({
      id,
      from: 'Tallystick <no-reply@example.com>',
      to: 'Zoë <zoe@example.com>',
      subject: 'Größe',
    });
    expect(message?.text.trim()).toBe('plain ✓');
    expect(message?.html?.trim()).toBe('<p>rich ✓</p>');
    expect(message?.headers.map(({ name }) => name)).toContain('Message-ID');
    expect(Math.abs(Date.now() - Number(message?.receivedAt))).toBeLessThan(60_000);
  });

  it('still has its mail after a restart', async () => {
    await send({ subject: 'kept' });
    await inbox.close();
    inbox = await startInbox({ dir, logger });
    expect((await inbox.list()).map((message) => message.subject)).toEqual(['kept']);
  });

  it('keeps its files from other users of the machine', async () => {
    await send({ subject: 'private' });
    const [file = ''] = await readdir(dir);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dir, file))).mode & 0o777).toBe(0o600);
  });

  it('listens on the loopback address only', () => {
    expect(new URL(inbox.smtpUrl).hostname).toBe('127.0.0.1');
  });

  it('keeps the newest 500', async () => {
    const old = Array.from(
      { length: 501 },
      (_, at) => `20200101T000000${String(at).padStart(3, '0')}Z-00000000.eml`,
    );
    await Promise.all(old.map((name) => writeFile(join(dir, name), 'Subject: old\r\n\r\nold')));
    await send({ subject: 'new' });
    const messages = await inbox.list();
    expect(messages).toHaveLength(500);
    expect(messages[0]?.subject).toBe('new');
    expect(await readdir(dir)).not.toContain(old[0]);
  });

  it('refuses a message above its size limit and keeps nothing of it', async () => {
    await expect(send({ text: 'x'.repeat(2 * 1024 * 1024) })).rejects.toThrow();
    expect(await readdir(dir)).toEqual([]);
  });

  it('refuses a large message from a sender that did not announce its size', async () => {
    const answer = await dictate(
      ['HELO x', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA'],
      'x'.repeat(1_100_000),
    );
    expect(answer).toMatch(/^552 /m);
    expect(await readdir(dir)).toEqual([]);
  });

  it('opens nothing but a message of its own', async () => {
    await writeFile(join(root, 'secret.eml'), 'Subject: secret\r\n\r\nsecret');
    await writeFile(join(dir, 'stray.eml'), 'Subject: stray\r\n\r\nstray');
    const wrong = [
      '',
      '.',
      '..',
      '../secret',
      '..%2fsecret',
      'stray',
      `${dir}/stray`,
      '20260101T000000000Z-00000000',
    ];
    for (const id of [...wrong, '20260101T000000000Z-00000000\n', '../20260101T000000000Z-00000000', 'x\0']) {
      expect(await inbox.read(id), JSON.stringify(id)).toBeUndefined();
    }
    expect(await inbox.list()).toEqual([]);
  });

  it('ends at once, even while a sender holds its connection open', async () => {
    const transport = nodemailer.createTransport({ url: inbox.smtpUrl, pool: true });
    await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', text: 'x' });
    const begun = Date.now();
    await inbox.close();
    expect(Date.now() - begun).toBeLessThan(10_000);
    transport.close();
    inbox = await startInbox({ dir, logger });
  });
});

/** Speaks SMTP line by line, as a sender that does not know the SIZE extension. */
function dictate(commands: string[], body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(inbox.smtpUrl).port), '127.0.0.1');
    const waiting = [...commands, `${body.replace(/.{70}/g, '$&\r\n')}\r\n.`, 'QUIT'];
    let answers = '';
    socket.on('data', (chunk) => {
      answers += chunk;
      const next = waiting.shift();
      if (next !== undefined) socket.write(`${next}\r\n`);
    });
    socket.on('close', () => resolve(answers));
    socket.on('error', reject);
  });
}
