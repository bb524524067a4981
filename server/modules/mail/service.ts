import { setTimeout as delay } from 'node:timers/promises';
import type { MessagesShown } from '@tallystick/contract/operator/messages';
import { z } from 'zod';
import { AppError, errorOf } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import { type Clock, hourMs } from '../../platform/clock.ts';
import { takeFromQuota, throttledAddress } from '../../platform/http/throttle.ts';
import type { Logger } from '../../platform/logger.ts';
import { isMailServerAway, type MailTransport } from '../../platform/mail/smtp.ts';
import { type Db, inTransaction, type ReadDb, type Tx } from '../../platform/postgres/db.ts';
import type { Sealer } from '../../platform/sealing.ts';
import { nameOf, refuseLate } from '../../platform/second-operator.ts';
import { addJobs, type Job } from '../../platform/work/jobs.ts';
import type { Site } from './letters/letter.ts';
import {
  headerSafe,
  headOf,
  type Letter,
  messageIdOf,
  QueuedMail,
  type Recipient,
  readSender,
  renderLetter,
} from './rules.ts';
import {
  countMessages,
  deleteOldMessages,
  deleteOldSent,
  findMessage,
  insertContactMessage,
  markHandled,
  markSent,
  pageOfMessages,
  wasSent,
} from './store.ts';

export type { Letter, Recipient } from './rules.ts';

export const sendMailTask = 'send-mail';

const SendMailPayload = z.object({ sealed: z.string() });

interface MailNeeds {
  db: Db;
  clock: Clock;
  sealer: Sealer;
  transport: Pick<MailTransport, 'send' | 'answers'>;
  site: Site;
  /** As in MAIL_FROM: an address, with or without a name. */
  from: string;
  logger: Logger;
}

interface Order {
  to: Recipient;
  letter: Letter;
  replyTo?: Recipient;
  notAfter?: Date;
}

export interface Mail {
  /** Leaves together with the caller's transaction, or not at all. */
  queue(order: Order & { tx: Db | Tx }): Promise<void>;
  queueAll(input: { tx: Db | Tx; orders: Order[] }): Promise<void>;
  /** What a letter says before it is opened. */
  headOf(letter: Letter): { title: string; line: string };
  /** Runs as a job; what it throws makes the queue try again later. */
  deliver(job: { payload: unknown; jobId: string; attempt?: number }): Promise<void>;
  /** For whoever delivers: when to stop trying, and when to begin again. */
  server: { isAway(error: Error): boolean; isBack(): Promise<boolean> };
  /** Once an hour: letters that no job can bring up again need not be remembered. */
  forgetSent(): Promise<void>;
}

const markTriesMax = 60;
const markRetryMs = 500;

/** Someone sits before the screen and waits for a code; a thousand letters about maturities must not come before it. */
const waitedFor: Letter['kind'][] = ['activation-code', 'reset-code', 'step-up-link'];
const priorityOf = ({ kind }: Letter) => (waitedFor.includes(kind) ? -10 : 0);

export function createMail({ db, clock, sealer, transport, site, from, logger }: MailNeeds): Mail {
  const sender = readSender(from, site.name);
  /** Taken by the mail server, and not yet written down so that another server would know. */
  const unmarked = new Set<string>();
  /** Being handed over at this moment, by the job that it belongs to. */
  const inHand = new Map<string, Promise<void>>();

  /** The database may be away just now; the letter has left all the same, and must not leave again. */
  async function rememberSent(messageId: string): Promise<void> {
    unmarked.add(messageId);
    for (let tries = 1; ; tries += 1) {
      try {
        await markSent(db, messageId);
        unmarked.delete(messageId);
        return;
      } catch (error) {
        if (tries >= markTriesMax) throw error;
        await delay(markRetryMs);
      }
    }
  }

  async function handOver(
    { to, letter, replyTo }: QueuedMail,
    { messageId, jobId, attempt }: { messageId: string; jobId: string; attempt: number | undefined },
  ): Promise<void> {
    // The first time it cannot have been sent.
    if (attempt !== 1 && (unmarked.has(messageId) || (await wasSent(db, messageId)))) {
      if (unmarked.has(messageId)) await rememberSent(messageId);
      logger.warn({ jobId, letter: letter.kind }, 'mail was sent before; it is not sent again');
      return;
    }
    const message = {
      ...renderLetter(letter, site),
      from: sender,
      to: headerSafe(to),
      replyTo: replyTo ?? { name: site.name, address: site.supportEmail },
      date: clock.now(),
      messageId,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    };
    await transport.send(message).catch((error: unknown) => {
      logger.debug({ jobId, err: error }, 'mail server refused');
      throw withoutAddress(error);
    });
    await rememberSent(messageId);
    logger.info({ jobId, letter: letter.kind }, 'mail sent');
  }

  function sealedJob({ to, letter, replyTo, notAfter }: Order): Job {
    const mail: QueuedMail = {
      to: headerSafe(to),
      letter,
      ...(replyTo && { replyTo: headerSafe(replyTo) }),
      ...(notAfter && { notAfter: notAfter.toISOString() }),
    };
    // A letter may carry a code, and a code must not stand in the database in clear.
    const sealed = sealer.seal(JSON.stringify(QueuedMail.parse(mail)));
    return { task: sendMailTask, payload: { sealed }, priority: priorityOf(letter) };
  }

  return {
    async queue({ tx, ...order }) {
      await addJobs(tx, [sealedJob(order)]);
    },

    async queueAll({ tx, orders }) {
      await addJobs(tx, orders.map(sealedJob));
    },

    headOf: (letter) => headOf(letter, site),

    async deliver({ payload, jobId, attempt }) {
      const { sealed } = SendMailPayload.parse(payload);
      const mail = QueuedMail.parse(JSON.parse(sealer.open(sealed)));
      if (mail.notAfter !== undefined && clock.now() > new Date(mail.notAfter)) {
        logger.warn({ jobId, letter: mail.letter.kind }, 'mail dropped: it came too late to be of use');
        return;
      }
      const messageId = messageIdOf({ jobId, sealed }, sender.address);
      // A job whose pool was cut off from the database is given to the next, and its letter may still be in hand.
      const underWay = inHand.get(messageId);
      if (underWay) return underWay;
      const handing = handOver(mail, { messageId, jobId, attempt }).finally(() => inHand.delete(messageId));
      inHand.set(messageId, handing);
      return handing;
    },

    server: { isAway: isMailServerAway, isBack: transport.answers },

    forgetSent: () => deleteOldSent(db),
  };
}

/** Mail servers quote the recipient in their refusals, and a job's error is logged and stored: only the codes go on. */
function withoutAddress(error: unknown): Error {
  const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number };
  const told = [code, responseCode].filter(Boolean).join(' ');
  return Object.assign(new Error(`The mail could not be handed over: ${told}`), { code, responseCode });
}

interface ContactNeeds {
  db: Db;
  clock: Clock;
  mail: Mail;
  support: { name: string; address: string };
}

const messagesPerAddress = { limit: 5, windowMs: hourMs };

/** What visitors write to support. */
export function createContact({ db, clock, mail, support }: ContactNeeds) {
  return {
    async sendContactMessage(input: { name: string; email: string; message: string; clientAddress: string }) {
      const { name, email, message, clientAddress } = input;
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        const counter = { scope: 'contact-address', subject: throttledAddress(clientAddress) };
        const quota = await takeFromQuota(tx, counter, messagesPerAddress, now);
        if (!quota.allowed) {
          throw new AppError('too_many_requests', 'That is a lot of messages. Please try again in an hour.', {
            retryAfterSeconds: Math.ceil(quota.retryAfterMs / 1000),
          });
        }
        await insertContactMessage(tx, { name, email, message, clientAddress, now });
        const letter = { kind: 'contact-message' as const, fullname: name, email, message };
        await mail.queue({ tx, to: support, letter, replyTo: { name, address: email } });
      });
    },

    async pageOfMessages(input: { show: MessagesShown; page: number; pageSize: number; on?: ReadDb }) {
      const { show, page, pageSize: limit, on = db } = input;
      const range = { offset: (page - 1) * limit, limit };
      const [total, open, messages] = await Promise.all([
        countMessages(on, show),
        countMessages(on, 'open'),
        pageOfMessages(on, show, range),
      ]);
      return { total, open, messages };
    },

    async handleMessage({ messageId, actor }: { messageId: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const message = await findMessage(tx, messageId);
        if (!message) throw new AppError('not_found', 'There is no such message.');
        if (message.handledBy) throw errorOf(refuseLate('This message was answered', message.handledBy));
        const now = clock.now();
        await markHandled(tx, messageId, nameOf(actor), now);
        await writeAudit(tx, { actor, action: 'message.handled', subjectId: messageId }, now);
      });
    },

    /** Once an hour: what was written a year ago is not kept. */
    forgetMessages: () => deleteOldMessages(db),
  };
}

export type Contact = ReturnType<typeof createContact>;
