import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTransport, type MailTransport } from '../../platform/mail/smtp.ts';
import type { Db } from '../../platform/postgres/db.ts';
import { createSealer } from '../../platform/sealing.ts';
import type { Site } from './letters/letter.ts';
import type { Letter } from './rules.ts';
import { createMail, type Mail } from './service.ts';

const site: Site = {
  name: 'Tallystick',
  address: 'Sample House, London',
  supportEmail: 'support@example.com',
  sample: true,
  siteUrl: 'https://tally.example',
};
const now = new Date('2026-11-15T12:00:00Z');
const sealer = createSealer(randomBytes(32));
const to = { name: 'Amara Okonkwo', address: 'amara@example.com' };
const letter: Letter = {
  kind: 'reset-code',
  fullname: to.name,
  code: '4072',
  linkToken: 'abcdefghijklmnopqrstuv',
};

interface Received {
  raw: Buffer;
  recipients: string[];
}

let server: SMTPServer;
let received: Received[];
let refuse: ((recipient: string) => Error) | undefined;
let transport: MailTransport;
let mail: Mail;
let logged: string[];
let queries: { sql: string; parameters: readonly unknown[] }[];
let db: Db;

function startServer(): Promise<string> {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 50,
    logger: false,
    onRcptTo({ address }, _session, callback) {
      callback(refuse?.(address));
    },
    onData(stream, session, callback) {
      stream.toArray().then((chunks) => {
        received.push({
          raw: Buffer.concat(chunks),
          recipients: session.envelope.rcptTo.map((one) => one.address),
        });
        callback();
      }, callback);
    },
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`),
    );
  });
}

/** Compiles what would be sent to PostgreSQL and keeps it; nothing is executed. */
function recordingDb(): Db {
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      queries.push(query);
    },
  });
}

beforeEach(async () => {
  received = [];
  logged = [];
  queries = [];
  refuse = undefined;
  db = recordingDb();
  transport = createTransport(await startServer());
  const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
  mail = createMail({
    db,
    clock: { now: () => now },
    sealer,
    transport,
    site,
    from: 'no-reply@tally.example',
    logger,
  });
});

afterEach(async () => {
  transport.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

/** Queues it and hands back the payload that the job queue would keep. */
async function queued(order: Partial<Parameters<Mail['queue']>[0]> = {}): Promise<{ sealed: string }> {
  await mail.queue({ tx: db, to, letter, ...order });
  return JSON.parse(String(queries.at(-1)?.parameters[1]));
}

async function delivered(): Promise<{
  mail: Awaited<ReturnType<typeof PostalMime.parse>>;
  recipients: string[];
}> {
  expect(received).toHaveLength(1);
  const [first] = received;
  if (!first) throw new Error('nothing was received');
  return { mail: await PostalMime.parse(first.raw), recipients: first.recipients };
}

describe('queueing a letter', () => {
  it('adds one job through the transaction it was given', async () => {
    await mail.queue({ tx: db, to, letter });
    expect(queries).toHaveLength(1);
    expect(queries[0]?.parameters[0]).toEqual(['send-mail']);
  });

  it('leaves neither code, token, name nor address readable in the database', async () => {
    await mail.queue({ tx: db, to, letter });
    expect(JSON.stringify(queries[0]?.parameters)).not.toMatch(/4072|abcdefghijkl|Amara|example/);
  });

  it('refuses an address that would begin another header', async () => {
    const address = 'amara@example.com\r\nBcc: everyone@example.com';
    await expect(mail.queue({ tx: db, to: { ...to, address }, letter })).rejects.toThrow(
      /cannot be a mail address/,
    );
    expect(queries).toEqual([]);
  });
});

describe('delivering a letter', () => {
  it('hands it to the mail server with its headers and both parts', async () => {
    await mail.deliver({ payload: await queued(), jobId: '17' });
    const { mail: sent, recipients } = await delivered();
    expect(recipients).toEqual(['amara@example.com']);
    expect(sent.from).toMatchObject({ name: 'Tallystick', address: 'no-reply@tally.example' });
    expect(sent.to).toMatchObject([{ name: 'Amara Okonkwo', address: 'amara@example.com' }]);
    expect(sent.replyTo).toMatchObject([{ address: 'support@example.com' }]);
    expect(sent.subject).toBe('4072 is your Tallystick password reset code');
    expect(sent.date).toBe('2026-11-15T12:00:00.000Z');
    expect(sent.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    expect(sent.text?.split('\n')).toContain('4072');
    expect(sent.text).toContain('https://tally.example/verifyforgotcode#link=abcdefghijklmnopqrstuv');
    expect(sent.html).toContain('>4072</td>');
    expect(sent.attachments).toEqual([]);
  });

  it('writes the same Message-ID for every try of one job, and another for another job', async () => {
    const payload = await queued();
    await mail.deliver({ payload, jobId: '17' });
    await mail.deliver({ payload, jobId: '17' });
    await mail.deliver({ payload: await queued(), jobId: '17' });
    await mail.deliver({ payload, jobId: '18' });
    const ids = await Promise.all(received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId));
    expect(ids[0]).toMatch(/^<17\.[0-9a-f]{16}@tally\.example>$/);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
  });

  it('reaches people whose name and address are not ASCII', async () => {
    const person = { name: 'Zoë "Ω" Müller, 山田太郎', address: 'zoë.müller@bücher.example' };
    await mail.deliver({
      payload: await queued({ to: person, letter: { ...letter, fullname: person.name } }),
      jobId: '1',
    });
    const { mail: sent, recipients } = await delivered();
    expect(recipients[0]).toMatch(/^zoë\.müller@(bücher|xn--bcher-kva)\.example$/);
    expect(sent.to?.[0]?.name).toBe(person.name);
    expect(sent.text).toContain(`Hello ${person.name},`);
  });

  it('keeps a name with line breaks and commas to one recipient on one line', async () => {
    const name = 'A\r\nBcc: x@example.com\u2028, B <y@example.com>';
    await mail.deliver({ payload: await queued({ to: { ...to, name } }), jobId: '1' });
    const { mail: sent, recipients } = await delivered();
    expect(recipients).toEqual(['amara@example.com']);
    expect(sent.to).toHaveLength(1);
    expect(sent.bcc).toBeUndefined();
  });

  it('sends nothing once the letter is of no use, and does not ask to try again', async () => {
    await mail.deliver({ payload: await queued({ notAfter: new Date(now.getTime() - 1) }), jobId: '5' });
    expect(received).toEqual([]);
    expect(logged.join()).toContain('mail dropped');
    await mail.deliver({ payload: await queued({ notAfter: now }), jobId: '6' });
    expect(received).toHaveLength(1);
  });

  it('throws when the mail server refuses, without repeating the address', async () => {
    refuse = (recipient) => Object.assign(new Error(`<${recipient}> unknown here`), { responseCode: 550 });
    const error = await mail
      .deliver({ payload: await queued(), jobId: '5' })
      .catch((thrown: Error) => thrown);
    expect(String(error)).toContain('The mail could not be handed over: EENVELOPE 550');
    expect(JSON.stringify([String(error), (error as Error).stack])).not.toContain('amara');
  });

  it('throws when no mail server answers', async () => {
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await expect(mail.deliver({ payload: await queued(), jobId: '5' })).rejects.toThrow(
      /could not be handed over/,
    );
  });

  it('throws when the payload was altered or is not one of ours', async () => {
    const { sealed } = await queued();
    await expect(
      mail.deliver({ payload: { sealed: `${sealed.slice(0, -3)}AAA` }, jobId: '5' }),
    ).rejects.toThrow(/altered/);
    await expect(
      mail.deliver({ payload: { sealed: sealer.seal('{"to":1}') }, jobId: '5' }),
    ).rejects.toThrow();
    await expect(mail.deliver({ payload: {}, jobId: '5' })).rejects.toThrow();
    expect(received).toEqual([]);
  });

  it('logs that it was sent, but neither to whom nor what', async () => {
    await mail.deliver({ payload: await queued(), jobId: '17' });
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      jobId: '17',
      letter: 'reset-code',
      msg: 'mail sent',
    });
    expect(logged.join()).not.toMatch(/4072|amara|abcdefghijkl/i);
  });
});

describe('the sender', () => {
  const make = (from: string) => () =>
    createMail({
      db,
      clock: { now: () => now },
      sealer,
      transport,
      site,
      from,
      logger: pino({ level: 'silent' }),
    });

  it('must be exactly one mail address', () => {
    for (const wrong of ['', 'Tallystick', 'a@example.com, b@example.com', 'Team: a@example.com;']) {
      expect(make(wrong), wrong).toThrow(/MAIL_FROM/);
    }
    expect(make('Tallystick <no-reply@example.com>')).not.toThrow();
  });
});
