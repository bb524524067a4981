import { AppError, errorOf } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { takeFromQuota, throttledAddress } from '../../platform/http/throttle.ts';
import { type Db, inTransaction } from '../../platform/postgres/db.ts';
import { refuseLate } from '../../platform/second-operator.ts';
import type { Mail } from './service.ts';
import { countMessages, findMessage, insertContactMessage, markHandled, pageOfMessages } from './store.ts';

interface ContactNeeds {
  db: Db;
  clock: Clock;
  mail: Mail;
  support: { name: string; address: string };
}

const messagesPerAddress = { limit: 5, windowMs: 60 * 60 * 1000 };

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

    async pageOfMessages(input: { show: 'open' | 'all'; page: number; pageSize: number }) {
      const { show, page, pageSize: limit } = input;
      const range = { offset: (page - 1) * limit, limit };
      const [total, open, messages] = await Promise.all([
        countMessages(db, show),
        countMessages(db, 'open'),
        pageOfMessages(db, show, range),
      ]);
      return { total, open, messages };
    },

    async handleMessage({ messageId, actor }: { messageId: string; actor: Actor }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const message = await findMessage(tx, messageId);
        if (!message) throw new AppError('not_found', 'There is no such message.');
        if (message.handledBy) throw errorOf(refuseLate('This message was answered', message.handledBy));
        const now = clock.now();
        await markHandled(tx, messageId, actor.id ?? actor.kind, now);
        await writeAudit(tx, { actor, action: 'message.handled', subjectId: messageId }, now);
      });
    },
  };
}

export type Contact = ReturnType<typeof createContact>;
