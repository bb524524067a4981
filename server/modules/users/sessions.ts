import { randomBytes } from 'node:crypto';
import { AppError } from '../../platform/app-error.ts';
import { writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import type { Identity } from '../../platform/identity.ts';
import { writeRefusal } from '../../platform/refusal-audit.ts';
import type { Mail } from '../mail/service.ts';
import type { Codes } from './codes.ts';
import type { Hashing } from './hashing.ts';
import { emailKey, seenEveryMs, sessionIsAlive, sha256 } from './rules.ts';
import {
  endOwnSession,
  endSessionsOf,
  findSession,
  findUserByEmail,
  insertSession,
  knownBrowser,
  lockUser,
  openSessionsOf,
  touchSession,
  type User,
} from './store.ts';
import { createTries } from './tries.ts';

interface SessionsNeeds {
  db: Db;
  clock: Clock;
  codes: Codes;
  hashing: Hashing;
  mail: Mail;
  /** E-mail keys that are treated as if nobody had them. */
  refused: ReadonlySet<string>;
  idleMs: number;
  absoluteMs: number;
}

/** Who asks, as far as the connection tells. */
export interface Client {
  address: string;
  userAgent: string;
}

export interface BegunSession {
  user: { id: string; fullname: string; email: string };
  /** For the Authorization header. */
  bearer: string;
  /** For the cookie; a different value, so that neither leaks through the other. */
  cookie: string;
}

const userAgentLengthMax = 300;
const newToken = () => randomBytes(32).toString('base64url');

const wrongCredentials = () =>
  new AppError('wrong_credentials', 'The e-mail address or the password is wrong.');

/** Signing in, being signed in, signing out. */
export function createSessions(needs: SessionsNeeds) {
  const { db, clock, codes, hashing, mail, refused, idleMs, absoluteMs } = needs;
  const countTry = createTries({ db, clock, scope: 'sign-in' });

  /** A right password on an account whose e-mail is not proven yet: a code is on its way, or still good. */
  async function refuseUnverified(user: User, client: Client): Promise<never> {
    await inTransaction(db, async (tx) => {
      await lockUser(tx, user.id);
      if ((await codes.waitOf(tx, user.id, 'verify')) > 0) return;
      await codes.issue({ tx, user, purpose: 'verify', flowId: null, clientAddress: client.address });
    }).catch((error) => {
      // The person is sent to the code page either way; there the older code or a later Resend Code helps.
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error;
    });
    throw new AppError('email_unverified', 'Activate your account with the code in our e-mail.', {
      userid: user.id,
    });
  }

  /** A browser that this account was never seen in, unless it is the very first: that one is expected. */
  async function tellOfNewDevice(tx: Tx, user: User, client: Client, now: Date): Promise<void> {
    if ((await knownBrowser(tx, user.id, client.userAgent)) !== 'new') return;
    await mail.queue({
      tx,
      to: { name: user.fullname, address: user.email },
      letter: {
        kind: 'new-device',
        fullname: user.fullname,
        at: now.toISOString(),
        clientAddress: client.address,
        userAgent: client.userAgent,
      },
    });
  }

  /** The password was checked outside the transaction: it must still be the password when the session begins. */
  async function begin(tx: Tx, user: User, client: Client): Promise<BegunSession> {
    const current = await lockUser(tx, user.id);
    if (current?.passwordHash !== user.passwordHash) throw wrongCredentials();
    const now = clock.now();
    const bearer = newToken();
    const cookie = newToken();
    const userAgent = client.userAgent.slice(0, userAgentLengthMax);
    await tellOfNewDevice(tx, user, { ...client, userAgent }, now);
    await insertSession(tx, {
      userId: user.id,
      bearerHash: sha256(bearer),
      cookieHash: sha256(cookie),
      clientAddress: client.address,
      userAgent,
      now,
      expiresAt: new Date(now.getTime() + absoluteMs),
    });
    await writeAudit(
      tx,
      {
        actor: { kind: 'investor', id: user.id },
        action: 'session.begun',
        subjectId: user.id,
        clientAddress: client.address,
      },
      now,
    );
    return { user: { id: user.id, fullname: user.fullname, email: user.email }, bearer, cookie };
  }

  async function end(input: Identity & { clientAddress: string; action: string }): Promise<boolean> {
    const { userId, sessionId, clientAddress, action } = input;
    return inTransaction(db, async (tx) => {
      const now = clock.now();
      if (!(await endOwnSession(tx, userId, sessionId, now))) return false;
      const actor = { kind: 'investor', id: userId } as const;
      await writeAudit(tx, { actor, action, subjectId: userId, clientAddress }, now);
      return true;
    });
  }

  return {
    async signIn({ email, password, client }: { email: string; password: string; client: Client }) {
      const key = emailKey(email);
      const counted = await countTry(key, client.address);
      const user = refused.has(key) ? null : await findUserByEmail(db, key);
      const right = await hashing.matches(user?.passwordHash ?? null, password).catch(async (error) => {
        await counted.didNotHappen();
        throw error;
      });
      if (!user || !right) {
        const actor = { kind: 'nobody' } as const;
        const about = user ? { subjectId: user.id } : {};
        const entry = { actor, action: 'session.refused', ...about, clientAddress: client.address };
        await writeRefusal(db, entry, clock.now());
        throw wrongCredentials();
      }
      await counted.wasRight();
      if (!user.verifiedAt) return refuseUnverified(user, client);
      return inTransaction(db, (tx) => begin(tx, user, client));
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
        ? await findSession(db, 'bearer_hash', sha256(bearer))
        : cookie
          ? await findSession(db, 'cookie_hash', sha256(cookie))
          : null;
      if (!session || !sessionIsAlive(session, idleMs, now)) {
        throw new AppError('unauthenticated', 'Log in to go on.');
      }
      if (!background && now.getTime() - session.seenAt.getTime() >= seenEveryMs) {
        await touchSession(db, session.id, now);
      }
      return { userId: session.userId, sessionId: session.id };
    },

    async signOut({ userId, sessionId, clientAddress }: Identity & { clientAddress: string }) {
      await end({ userId, sessionId, clientAddress, action: 'session.ended' });
    },

    /** Where the account is signed in at this moment. */
    async devices({ userId, sessionId }: Identity) {
      const now = clock.now();
      const open = await openSessionsOf(db, userId, new Date(now.getTime() - idleMs), now);
      return open.map((session) => ({ ...session, current: session.id === sessionId }));
    },

    async signOutDevice(input: { userId: string; deviceId: string; clientAddress: string }) {
      const { userId, deviceId, clientAddress } = input;
      if (await end({ userId, sessionId: deviceId, clientAddress, action: 'session.ended-elsewhere' }))
        return;
      throw new AppError('not_found', 'This device is signed out already.');
    },

    async signOutOthers({ userId, sessionId, clientAddress }: Identity & { clientAddress: string }) {
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        await endSessionsOf(tx, userId, now, sessionId);
        const actor = { kind: 'investor', id: userId } as const;
        await writeAudit(
          tx,
          { actor, action: 'session.others-ended', subjectId: userId, clientAddress },
          now,
        );
      });
    },
  };
}
