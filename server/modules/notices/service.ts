import {
  type LetterChoice,
  noticesAtOnce,
  type SwitchableTopic,
  switchableTopics,
  topics,
  unreadMax,
} from '@tallystick/contract/notices';
import { AppError } from '../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type ReadDb, type Tx } from '../../platform/postgres/db.ts';
import type { Letter, Mail, Recipient } from '../mail/service.ts';
import { createIds } from './rules.ts';
import * as store from './store.ts';
import { isSwitchable, numberIn, topicOf } from './topics.ts';

interface NoticesNeeds {
  db: Db;
  clock: Clock;
  mail: Mail;
}

interface ToInvestor {
  userId: string;
  to: Recipient;
  letter: Letter;
  notAfter?: Date;
}

/** How investors are written to. Whoever has this and no other way to the mail cannot leave the notice out. */
export interface Post {
  queue(order: ToInvestor & { tx: Tx }): Promise<void>;
  queueAll(input: { tx: Tx; orders: ToInvestor[] }): Promise<void>;
}

const gone = () => new AppError('not_found', 'This notice is not there any more.');

/** What an investor was told, to be read on the site; and which of it they want by letter, too. */
export function createNotices({ db, clock, mail }: NoticesNeeds) {
  const newId = createIds();

  /** Everything is noted; what the reader does without is not mailed. All of it is in the caller's transaction. */
  async function queueAll({ tx, orders }: { tx: Tx; orders: ToInvestor[] }): Promise<void> {
    const now = clock.now();
    const rows = orders.flatMap(({ userId, letter }) => {
      if (topicOf[letter.kind] === null) return [];
      const about = { kind: letter.kind, transactionid: numberIn(letter), at: now };
      return [{ id: newId(now), userId, ...about, ...mail.headOf(letter) }];
    });
    await store.insertNotices(tx, rows);
    const off = await unwanted(tx, orders);
    const mailed = orders.filter(({ userId, letter }) => !off.has(`${userId} ${topicOf[letter.kind]}`));
    await mail.queueAll({ tx, orders: mailed.map(({ userId: _, ...order }) => order) });
  }

  /** Of letters that nobody can do without it is not even asked. */
  async function unwanted(tx: Tx, orders: ToInvestor[]): Promise<Set<string>> {
    const asked = orders.flatMap(({ userId, letter }) =>
      isSwitchable(topicOf[letter.kind]) ? [userId] : [],
    );
    if (asked.length === 0) return new Set();
    const off = await store.lettersOff(tx, [...new Set(asked)]);
    return new Set(off.map(({ userId, topic }) => `${userId} ${topic}`));
  }

  const post: Post = { queueAll, queue: ({ tx, ...order }) => queueAll({ tx, orders: [order] }) };

  async function refuseOthers(on: ReadDb, userId: string, id: string | undefined): Promise<void> {
    if (id !== undefined && !(await store.hasNotice(on, userId, id))) throw gone();
  }

  const unreadOf = (on: ReadDb, userId: string) => store.countUnread(on, userId, unreadMax);

  /** A newer server may know of more topics. */
  const offOf = async (on: ReadDb, userId: string) =>
    (await store.lettersOff(on, [userId])).flatMap(({ topic, since }) =>
      switchableTopics.filter((one) => one === topic).map((known) => ({ topic: known, since })),
    );

  async function choicesOf(on: ReadDb, userId: string) {
    const off = new Set((await offOf(on, userId)).map(({ topic }) => topic));
    return topics.map((topic): LetterChoice => {
      if (!isSwitchable(topic)) return { topic, letters: 'always' };
      return { topic, letters: off.has(topic) ? 'off' : 'on' };
    });
  }

  return {
    post,

    async list({ userId, before, on = db }: { userId: string; before?: string | undefined; on?: ReadDb }) {
      await refuseOthers(on, userId, before);
      const rows = await store.noticesBefore(on, userId, before ?? null, noticesAtOnce + 1);
      return { notices: rows.slice(0, noticesAtOnce), more: rows.length > noticesAtOnce };
    },

    unread: ({ userId, on = db }: { userId: string; on?: ReadDb }) => unreadOf(on, userId),

    /**
     * Those that were on the screen, by name, and what stood below them. What has come meanwhile is neither, though its id
     * may be older than some: a transaction may end after one that began later.
     */
    async markRead(input: { userId: string; ids: string[]; olderThan?: string | undefined }) {
      const { userId, ids, olderThan } = input;
      await refuseOthers(db, userId, olderThan);
      await store.markRead(db, { userId, ids, olderThan: olderThan ?? null, now: clock.now() });
      return unreadOf(db, userId);
    },

    /** For operators: since when they want none of which. */
    lettersOff: ({ userId }: { userId: string }) => offOf(db, userId),

    letterChoices: ({ userId, on = db }: { userId: string; on?: ReadDb }) => choicesOf(on, userId),

    async chooseLetters(input: {
      userId: string;
      topic: SwitchableTopic;
      on: boolean;
      clientAddress: string;
    }) {
      const { userId, topic, on, clientAddress } = input;
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const isNews = on
          ? await store.switchOn(tx, userId, topic)
          : await store.switchOff(tx, userId, topic, now);
        const act = ownAct(
          'investor',
          userId,
          on ? 'letters.switched-on' : 'letters.switched-off',
          clientAddress,
        );
        if (isNews) await writeAudit(tx, { ...act, details: { topic } }, now);
        return choicesOf(tx, userId);
      });
    },

    /** For whoever closes an account, and has marked it closed: notices and choices are gone for good. */
    forgetAllOf: ({ tx, userId }: { tx: Tx; userId: string }) => store.deleteAllOf(tx, userId),

    /** Once an hour. */
    forgetOld: () => store.deleteOldNotices(db),
  };
}

export type Notices = ReturnType<typeof createNotices>;
