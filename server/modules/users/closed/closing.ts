import { AppError } from '../../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Identity } from '../../../platform/http/identity.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import { lockIfFree } from '../../../platform/postgres/locks.ts';
import { untilDone } from '../../../platform/postgres/prune.ts';
import type { Post } from '../../notices/service.ts';
import { type Client, keptUserAgent, newToken } from '../credentials.ts';
import { deleteDevicesOf } from '../device-store.ts';
import { demand } from '../factors/step-up.ts';
import type { Hashing } from '../hashing.ts';
import { emailKey } from '../rules.ts';
import { endSessionsOf } from '../sessions/session-store.ts';
import { lockUser, type User } from '../store.ts';
import { closedAmong, closeUser, deleteWaysIn, forgetEmail, lockToForget } from './closed-store.ts';

interface ClosingNeeds {
  db: Db;
  clock: Clock;
  hashing: Hashing;
  mail: Post;
}

type Told = { kind: 'data-downloaded' } | { kind: 'account-closed'; keptUntil: string; leftCents: string };

const signedOut = () => new AppError('unauthenticated', 'Log in to go on.');

/** What takes a whole account along: all of its data, or the account itself. Both ask who is there, factor or not. */
export function createClosing({ db, clock, hashing, mail }: ClosingNeeds) {
  /** Holds the account's row. */
  async function ownerWhoHasShown(tx: Tx, identity: Identity): Promise<User> {
    const user = await lockUser(tx, identity.userId);
    if (!user) throw signedOut();
    await demand(tx, identity, clock.now());
    return user;
  }

  async function tell(tx: Tx, user: User, client: Client, told: Told): Promise<void> {
    const { fullname, email } = user;
    const event = {
      fullname,
      at: clock.now().toISOString(),
      clientAddress: client.address,
      userAgent: keptUserAgent(client),
    };
    const to = { name: fullname, address: email };
    await mail.queue({ tx, userId: user.id, to, letter: { ...event, ...told } });
  }

  return {
    /** A link by mail where no factor is on: a session alone, which may be stolen, is not enough. */
    async demandShown(identity: Identity): Promise<void> {
      await demand(db, identity, clock.now());
    },

    ownerWhoHasShown,

    /** The trace and the letter of a download, in the caller's transaction. */
    async noteDownload(input: { tx: Tx; user: User; client: Client }): Promise<void> {
      const { tx, user, client } = input;
      await writeAudit(tx, ownAct('investor', user.id, 'account.downloaded', client.address), clock.now());
      await tell(tx, user, client, { kind: 'data-downloaded' });
    },

    /** Made beforehand: it takes long, and nobody should wait for it behind locks. */
    unknownPassword: () => hashing.hash(newToken()),

    isOwnEmail: (user: User, typed: string) => emailKey(typed) === emailKey(user.email),

    /** The caller holds the account and has seen that it is empty. Nothing of this can be undone. */
    async closeAccount(input: {
      tx: Tx;
      user: User;
      client: Client;
      passwordHash: string;
      leftCents: bigint;
      forgetEmailAt: Date;
    }): Promise<void> {
      const { tx, user, client, passwordHash, leftCents, forgetEmailAt } = input;
      const now = clock.now();
      await endSessionsOf(tx, user.id, now, null);
      await deleteDevicesOf(tx, { userId: user.id }, null);
      await deleteWaysIn(tx, user.id);
      await closeUser(tx, { userId: user.id, passwordHash, now, forgetEmailAt });
      const details = { leftCents: String(leftCents), emailUntil: forgetEmailAt.toISOString() };
      const act = ownAct('investor', user.id, 'account.closed', client.address);
      await writeAudit(tx, { ...act, details }, now);
      const keptUntil = forgetEmailAt.toISOString();
      await tell(tx, user, client, { kind: 'account-closed', keptUntil, leftCents: String(leftCents) });
    },

    closedAmong: ({ tx, userIds }: { tx?: Tx; userIds: string[] }) => closedAmong(tx ?? db, userIds),

    /**
     * Once an hour. The seal is the auditor's: statements of the books were made with the address. While one is being
     * made nothing is forgotten, so that it is known of each which it was made with.
     */
    async forgetClosed({
      seal,
      notDuring,
    }: {
      seal(email: string): string;
      notDuring: string;
    }): Promise<void> {
      await untilDone((rowsMax) =>
        inTransaction(db, async (tx) => {
          if (!(await lockIfFree(tx, notDuring))) return 0;
          const now = clock.now();
          const due = await lockToForget(tx, now, rowsMax);
          for (const { id, email } of due) {
            await forgetEmail(tx, { id, sealed: seal(email) });
            const actor = { kind: 'system' } as const;
            await writeAudit(tx, { actor, action: 'account.email-forgotten', subjectId: id }, now);
          }
          return due.length;
        }),
      );
    },
  };
}
