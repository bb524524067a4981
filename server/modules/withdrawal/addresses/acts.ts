import { hash, randomBytes } from 'node:crypto';
import { AppError } from '../../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import { hourMs } from '../../../platform/clock.ts';
import { takeFromQuota } from '../../../platform/http/throttle.ts';
import type { Tx } from '../../../platform/postgres/db.ts';
import type { JsonObject } from '../../../platform/postgres/schema.ts';
import type { Ledger } from '../../ledger/service.ts';
import type { Letter } from '../../mail/service.ts';
import type { Users } from '../../users/service.ts';
import type { NetworkDestination } from './rules.ts';

/** Who asks, as far as the connection tells. */
export interface Client {
  address: string;
  userAgent: string;
}

/** What is done to an address book, while no withdrawal of its owner is being asked for. */
export interface Act {
  tx: Tx;
  userId: string;
  client: Client;
  now: Date;
}

type AddressLetter = Extract<
  Letter,
  { kind: 'address-saved' | 'protection-on' | 'protection-ending' | 'protection-off' | 'change-stopped' }
>;
type Told = AddressLetter extends infer L
  ? L extends Letter
    ? Omit<L, 'fullname' | 'at' | 'clientAddress' | 'userAgent'>
    : never
  : never;

/** Of what widens: each leaves a trace that is kept for good, and some a letter. What narrows is never counted. */
const wideningsPerHour = { limit: 60, windowMs: hourMs };

export const linkHash = (token: string): Buffer => hash('sha256', token, 'buffer');

/** What a letter's link has at its end, and what is kept of it. */
export function newLink(): { token: string; hash: Buffer } {
  const token = randomBytes(16).toString('base64url');
  return { token, hash: linkHash(token) };
}

/** Without its name: the audit log is kept for good, and what people call their addresses goes with the account. */
export const traceOf = ({ network, address, tag }: NetworkDestination): JsonObject => ({
  network,
  address,
  ...(tag !== null && { tag: String(tag) }),
});

/**
 * Everything that changes where money may go happens behind the lock on the wallet, as a withdrawal does: the one or the
 * other comes first, and whoever was told that an address is stopped sees no withdrawal to it that comes later. Closing the
 * account takes that lock, too: nothing is saved in a book that was forgotten.
 */
export function createActs({ ledger, users }: { ledger: Ledger; users: Users }) {
  return {
    behindLock<T>(
      { identity: { userId }, client }: { identity: { userId: string }; client: Client },
      work: (act: Act) => Promise<T>,
    ): Promise<T> {
      return ledger.inBook({
        async read(tx, { openBook, now }) {
          const book = await openBook([{ kind: 'wallet', ownerId: userId }]);
          const closed = await users.closedAmong({ tx, userIds: [userId] });
          if (closed.has(userId)) throw new AppError('unauthenticated', 'This account was closed.');
          return { facts: await work({ tx, userId, client, now: await now() }), book };
        },
        post: (done) => done,
      });
    },

    async countWidening({ tx, userId, now }: Act): Promise<void> {
      const counter = { scope: 'address-book', subject: userId };
      const { allowed, retryAfterMs } = await takeFromQuota(tx, counter, wideningsPerHour, now);
      if (allowed) return;
      const retryAfterSeconds = Math.ceil(retryAfterMs / 1000);
      const message = 'Your addresses were changed too often. Please try again later.';
      throw new AppError('too_many_requests', message, { retryAfterSeconds });
    },

    async trace({ tx, userId, client, now }: Act, action: string, details: JsonObject = {}): Promise<void> {
      await writeAudit(tx, { ...ownAct('investor', userId, action, client.address), details }, now);
    },

    /** By a link of a letter: whoever opened it has not said who they are. */
    async traceOfLink({ tx, userId, client, now }: Act, action: string, details: JsonObject): Promise<void> {
      const about = { action, subjectId: userId, clientAddress: client.address, details };
      await writeAudit(tx, { actor: { kind: 'nobody' }, ...about }, now);
    },

    /** The owner is told of every change, in case it was somebody else. */
    async tell({ tx, userId, client, now }: Act, told: Told): Promise<void> {
      const event = { at: now.toISOString(), clientAddress: client.address, userAgent: client.userAgent };
      const letter = (fullname: string) => ({ ...told, ...event, fullname }) as AddressLetter;
      await users.writeTo({ tx, letters: [{ userId, letter }] });
    },
  };
}
