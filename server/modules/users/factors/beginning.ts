import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/postgres/db.ts';
import type { Post } from '../../notices/service.ts';
import { type Client, type Credentials, keptUserAgent, newToken } from '../credentials.ts';
import { meetDevice } from '../devices.ts';
import { sha256 } from '../rules.ts';
import { endSessionOfCookie, insertSession } from '../sessions/session-store.ts';
import { markSignedIn, type User } from '../store.ts';
import { type Factor, stepsUpAtSignIn } from './rules.ts';

export interface BegunSession {
  user: { id: string; fullname: string; email: string };
  /** For the Authorization header. */
  bearer: string;
  /** For the cookie; a different value, so that neither leaks through the other. */
  cookie: string;
  /** What the browser is known by from now on, for a cookie that stays. */
  deviceSecret: string;
}

/** What the browser of a sign-in brings along. */
export type BroughtBy = Pick<Credentials, 'client' | 'deviceSecret' | 'sessionCookie'>;

/** The one place where an investor's session begins, whatever was shown for it. */
export function createBeginning({
  clock,
  mail,
  absoluteMs,
}: {
  clock: Clock;
  mail: Post;
  absoluteMs: number;
}) {
  async function tellOfNewDevice(tx: Tx, user: User, client: Client, byPasskey: boolean): Promise<void> {
    await mail.queue({
      tx,
      userId: user.id,
      to: { name: user.fullname, address: user.email },
      letter: {
        kind: 'new-device',
        fullname: user.fullname,
        at: clock.now().toISOString(),
        clientAddress: client.address,
        userAgent: client.userAgent,
        ...(byPasskey && { byPasskey }),
      },
    });
  }

  /** The caller holds the account's row, and has seen that the password, or whatever stands for it, is right now. */
  return async function begin(
    tx: Tx,
    user: User,
    by: BroughtBy,
    factor: Factor | null,
  ): Promise<BegunSession> {
    const { client, deviceSecret } = by;
    const now = clock.now();
    if (by.sessionCookie) await endSessionOfCookie(tx, sha256(by.sessionCookie), now);
    const device = await meetDevice(tx, { userId: user.id }, deviceSecret, now);
    const bearer = newToken();
    const cookie = newToken();
    const userAgent = keptUserAgent(client);
    // The very first sign-in is no news to whoever has just signed up.
    if (device.isNew && user.signedInBefore)
      await tellOfNewDevice(tx, user, { ...client, userAgent }, factor === 'passkey');
    if (!user.signedInBefore) await markSignedIn(tx, user.id);
    await insertSession(tx, {
      userId: user.id,
      deviceId: device.id,
      bearerHash: sha256(bearer),
      cookieHash: sha256(cookie),
      clientAddress: client.address,
      userAgent,
      factor,
      steppedUpAt: factor && stepsUpAtSignIn(factor) ? now : null,
      now,
      expiresAt: new Date(now.getTime() + absoluteMs),
    });
    const act = ownAct('investor', user.id, 'session.begun', client.address);
    await writeAudit(tx, factor ? { ...act, details: { factor } } : act, now);
    const { id, fullname, email } = user;
    return { user: { id, fullname, email }, bearer, cookie, deviceSecret: device.secret };
  };
}

export type Begin = ReturnType<typeof createBeginning>;
