import { AppError } from '../../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Identity } from '../../../platform/http/identity.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import { createBatch } from '../../../platform/work/batch.ts';
import type { AccountsNeeds } from '../accounts.ts';
import { type Client, type Credentials, createPasswordCheck, wrongCredentials } from '../credentials.ts';
import { deleteDevice, deleteDevicesOf } from '../device-store.ts';
import type { Begin, BegunSession } from '../factors/beginning.ts';
import type { AskedFactor } from '../factors/second-step.ts';
import { seenEveryMs, sessionIsAlive, sha256Hex } from '../rules.ts';
import * as store from '../store.ts';
import * as sessionStore from './session-store.ts';

interface SessionsNeeds extends AccountsNeeds {
  /** E-mail keys that are treated as if nobody had them. */
  refused: ReadonlySet<string>;
  idleMs: number;
  begin: Begin;
  /** Null where no factor is on. */
  askForFactor(tx: Tx, user: store.User): Promise<AskedFactor | null>;
}

/**
 * Requests that arrive together are looked up with one statement. A read serves only those that were there before it
 * began: whoever asks after a sign-out was answered is answered by a read that knows of it.
 */
function createSessionReads(db: Db, clock: Clock) {
  // No hash can break the statement for the others: when it fails, the database is away, for all of them.
  const afterFailure = () => 'give up' as const;
  const findBy = (carrier: 'bearer' | 'cookie') =>
    createBatch({
      afterFailure,
      execute: (hashes: string[]) => sessionStore.findSessions(db, carrier, hashes),
    });
  const touch = createBatch({
    afterFailure,
    async execute(sessionIds: string[]) {
      await sessionStore.touchSessions(db, sessionIds, clock.now());
      return sessionIds;
    },
  });
  return { find: { bearer: findBy('bearer'), cookie: findBy('cookie') }, touch };
}

/** Signing in, being signed in, signing out. */
export function createSessions(needs: SessionsNeeds) {
  const { db, clock, codes, idleMs, begin, askForFactor } = needs;
  const { withPassword } = createPasswordCheck({ ...needs, kind: 'investor', find: store.findUserByEmail });
  const { find, touch } = createSessionReads(db, clock);

  /** A right password on an account whose e-mail is not proven yet: a code is on its way, or still good. */
  async function refuseUnverified(user: store.User, client: Client): Promise<never> {
    await inTransaction(db, async (tx) => {
      // What was never proven may have been forgotten a moment ago.
      if (!(await store.lockUser(tx, user.id))) throw wrongCredentials();
      if ((await codes.waitOf(tx, user.id, 'verify')) > 0) return;
      await codes.countIssue(tx, client.address);
      await codes.issue({ tx, user, purpose: 'verify', flowId: null });
    }).catch((error) => {
      // The person is sent to the code page either way; there the older code or a later Resend Code helps.
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error;
    });
    throw new AppError('email_unverified', 'Activate your account with the code in our e-mail.', {
      userid: user.id,
    });
  }

  return {
    /** A session, or what a browser needs to show the second factor that is on. */
    async signIn(credentials: Credentials): Promise<BegunSession | AskedFactor> {
      const { person: seen, counted } = await withPassword(credentials);
      await counted.wasRight();
      if (!seen.verifiedAt) return refuseUnverified(seen, credentials.client);
      return inTransaction(db, async (tx) => {
        // Checked outside the transaction: it must still be the password when the session begins.
        const user = await store.lockUser(tx, seen.id);
        if (user?.passwordHash !== seen.passwordHash) throw wrongCredentials();
        return (await askForFactor(tx, user)) ?? begin(tx, user, credentials, null);
      });
    },

    /** Who a request comes from. `background` reads do not keep a session alive. */
    async authenticate(request: {
      bearer: string | null;
      cookie: string | null;
      background: boolean;
    }): Promise<Identity> {
      const { bearer, cookie, background } = request;
      const now = clock.now();
      const session = bearer
        ? await find.bearer(sha256Hex(bearer))
        : cookie
          ? await find.cookie(sha256Hex(cookie))
          : null;
      if (!session || !sessionIsAlive(session, idleMs, now)) {
        throw new AppError('unauthenticated', 'Log in to go on.');
      }
      if (!background && now.getTime() - session.seenAt.getTime() >= seenEveryMs) {
        await touch(session.id);
      }
      return { userId: session.userId, sessionId: session.id };
    },

    async signOut({ userId, sessionId, clientAddress }: Identity & { clientAddress: string }) {
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        if (!(await sessionStore.endOwnSession(tx, userId, sessionId, now))) return;
        await writeAudit(tx, ownAct('investor', userId, 'session.ended', clientAddress), now);
      });
    },

    /** Where the account is signed in at this moment; the session that asks is none when an operator does. */
    async devices({ userId, sessionId }: { userId: string; sessionId: string | null }) {
      const now = clock.now();
      return sessionStore.openDevicesOf(db, {
        userId,
        sessionId,
        seenAfter: new Date(now.getTime() - idleMs),
        now,
      });
    },

    /** A device that is signed out from elsewhere is forgotten: its owner did not recognise it, or has lost it. */
    async signOutDevice(input: { userId: string; deviceId: string; clientAddress: string }) {
      const { userId, deviceId, clientAddress } = input;
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        if (!(await sessionStore.endSessionsOfDevice(tx, userId, deviceId, now)))
          throw new AppError('not_found', 'This device is signed out already.');
        await deleteDevice(tx, { userId }, deviceId);
        await writeAudit(tx, ownAct('investor', userId, 'session.ended-elsewhere', clientAddress), now);
      });
    },

    async signOutOthers({ userId, sessionId, clientAddress }: Identity & { clientAddress: string }) {
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        await sessionStore.endSessionsOf(tx, userId, now, sessionId);
        await deleteDevicesOf(tx, { userId }, await sessionStore.deviceOfSession(tx, sessionId));
        await writeAudit(tx, ownAct('investor', userId, 'session.others-ended', clientAddress), now);
      });
    },
  };
}
