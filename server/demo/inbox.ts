import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime, { type Address } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import type { Logger } from '../platform/logger.ts';

export interface InboxMessage {
  id: string;
  receivedAt: Date;
  from: string;
  to: string;
  subject: string;
  headers: { name: string; value: string }[];
  html: string | undefined;
  text: string;
}

/** Takes the mail of demo mode over real SMTP and keeps it on this machine, where a page shows it. */
export interface Inbox {
  smtpUrl: string;
  /** Newest first. */
  list(): Promise<InboxMessage[]>;
  /** Undefined when there is no such message. */
  read(id: string): Promise<InboxMessage | undefined>;
  close(): Promise<void>;
}

interface InboxOptions {
  dir: string;
  logger: Logger;
  port?: number;
}

const keptMax = 500;
const sizeBytesMax = 1024 * 1024;
const host = '127.0.0.1';
/** The whole name of a file and nothing but it: an id from a URL can never lead out of the folder. */
const idShape = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-[0-9a-f]{8}$/;

export async function startInbox({ dir, logger, port = 0 }: InboxOptions): Promise<Inbox> {
  await mkdir(dir, { recursive: true });
  await chmod(dir, 0o700);
  const store = createStore(dir, logger);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: sizeBytesMax,
    maxClients: 20,
    // Senders keep idle connections open; they must not hold up the end of the process.
    closeTimeout: 100,
    logger: false,
    onData(stream, _session, callback) {
      receive(stream)
        .then((message) => store.keep(message))
        .then(() => callback(), callback);
    },
  });
  server.on('error', (error) => logger.warn({ err: error }, 'development inbox: connection failed'));
  const smtpUrl = await listen(server, port);
  return {
    smtpUrl,
    list: store.list,
    read: store.read,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function listen(server: SMTPServer, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => {
      server.server.off('error', reject);
      resolve(`smtp://${host}:${(server.server.address() as AddressInfo).port}`);
    });
  });
}

async function receive(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    // What is too much is still read to its end, because only then does the sender listen to the refusal.
    if (sizeBytes <= sizeBytesMax) chunks.push(chunk);
  }
  if (sizeBytes > sizeBytesMax) {
    throw Object.assign(new Error('The message is too large.'), { responseCode: 552 });
  }
  return Buffer.concat(chunks);
}

function createStore(dir: string, logger: Logger) {
  // Stored messages never change, so each is parsed once however often the page refreshes.
  const parsed = new Map<string, Promise<InboxMessage>>();
  const nextId = createIds();
  const fileOf = (id: string) => join(dir, `${id}.eml`);

  async function ids(): Promise<string[]> {
    const names = await readdir(dir);
    const found = names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -'.eml'.length));
    return found
      .filter((id) => idShape.test(id))
      .sort()
      .reverse();
  }

  async function read(id: string): Promise<InboxMessage | undefined> {
    if (!idShape.test(id)) return undefined;
    const message = parsed.get(id) ?? readFile(fileOf(id)).then((raw) => parse(id, raw));
    parsed.set(id, message);
    try {
      return await message;
    } catch (error) {
      parsed.delete(id);
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        logger.warn({ err: error, id }, 'development inbox: message cannot be read');
      }
      return undefined;
    }
  }

  async function list(): Promise<InboxMessage[]> {
    const there = await ids();
    // Another process may have taken old ones away.
    for (const id of parsed.keys()) if (!there.includes(id)) parsed.delete(id);
    const messages = await Promise.all(there.map(read));
    return messages.filter((message) => message !== undefined);
  }

  async function keep(raw: Buffer): Promise<void> {
    const id = nextId();
    // Written beside and then renamed, so that a reader never meets half a message.
    const unfinished = join(dir, `${id}.part`);
    await writeFile(unfinished, raw, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, fileOf(id));
    for (const old of (await ids()).slice(keptMax)) {
      parsed.delete(old);
      await rm(fileOf(old), { force: true });
    }
  }

  return { list, read, keep };
}

/** Two messages of the same millisecond still sort in the order in which they came. */
function createIds(): () => string {
  let lastMs = 0;
  return () => {
    lastMs = Math.max(Date.now(), lastMs + 1);
    const stamp = new Date(lastMs).toISOString().replace(/[-:.]/g, '');
    return `${stamp}-${randomBytes(4).toString('hex')}`;
  };
}

async function parse(id: string, raw: Buffer): Promise<InboxMessage> {
  const mail = await PostalMime.parse(raw);
  return {
    id,
    receivedAt: new Date(id.replace(idShape, '$1-$2-$3T$4:$5:$6.$7Z')),
    from: mail.from ? addressText(mail.from) : '',
    to: (mail.to ?? []).map(addressText).join(', '),
    subject: mail.subject ?? '',
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    html: mail.html,
    text: mail.text ?? '',
  };
}

function addressText({ name, address }: Address): string {
  if (!address) return name;
  return name ? `${name} <${address}>` : address;
}
