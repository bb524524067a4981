import { flowMinutes, type PasskeyRequest } from '@tallystick/contract/factors';
import { AppError } from '../../../platform/app-error.ts';
import { type Clock, minuteMs } from '../../../platform/clock.ts';
import { takeFromQuota, throttledAddress } from '../../../platform/http/throttle.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import { type Client, newToken } from '../credentials.ts';
import { knownDevice } from '../devices.ts';
import { emailKey, sameBytes, sha256 } from '../rules.ts';
import { findUser, lockUser, type User } from '../store.ts';
import { createTries } from '../tries.ts';
import type { Begin, BegunSession, BroughtBy } from './beginning.ts';
import { standingOf } from './factor-store.ts';
import * as flows from './flow-store.ts';
import { findPasskey, passkeysOf } from './passkey-store.ts';
import type { PasskeyChecks } from './passkeys.ts';
import { type Factor, factorRules, passwordMark, waysOf } from './rules.ts';
import { factorWrong, flowOver, type Showing, type Shown } from './showing.ts';

interface SecondStepNeeds {
  db: Db;
  clock: Clock;
  begin: Begin;
  showing: Showing;
  checks: PasskeyChecks;
  /** E-mail keys that are treated as if nobody had them. */
  refused: ReadonlySet<string>;
}

/** The password was right, and a factor is on. */
export interface AskedFactor {
  ways: Factor[];
  /** For a cookie: only this browser goes on. */
  flowSecret: string;
}

const begunWithPassword = () => flowOver('Enter your e-mail address and your password once more.');

/** What comes after the password where a factor is on, and a passkey that stands for both. */
export function createSecondStep({ db, clock, begin, showing, checks, refused }: SecondStepNeeds) {
  const countTry = createTries({ db, clock, scope: 'factor' });
  const life = () => {
    const now = clock.now();
    return { now, expiresAt: new Date(now.getTime() + flowMinutes * minuteMs) };
  };

  async function countQuestion({ address }: Client): Promise<void> {
    const byAddress = { scope: 'passkey-question', subject: throttledAddress(address) };
    const quota = await takeFromQuota(db, byAddress, factorRules.questionsPerAddress, clock.now());
    if (quota.allowed) return;
    const retryAfterSeconds = Math.ceil(quota.retryAfterMs / 1000);
    const message = `Too many passkeys were asked for from your network. Try again in ${Math.ceil(retryAfterSeconds / 60)} min.`;
    throw new AppError('too_many_requests', message, { retryAfterSeconds });
  }

  async function flowOf(secret: string | null) {
    const key = secret === null ? null : { secretHash: sha256(secret) };
    const flow = key && (await flows.findFlow(db, 'sign-in', key, clock.now()));
    const user = flow?.userId ? await findUser(db, flow.userId) : null;
    if (!flow || !user || !isItsPassword(flow, user)) throw begunWithPassword();
    return { flow, user };
  }

  const isItsPassword = ({ passwordMark: mark }: flows.Flow, user: User) =>
    mark !== null && sameBytes(mark, passwordMark(user.passwordHash));

  /** One try, counted before it is looked at. Null when it was wrong. */
  async function finish(
    tx: Tx,
    { flowId, userId, shown, by }: { flowId: string; userId: string; shown: Shown; by: BroughtBy },
  ): Promise<BegunSession | null> {
    const user = await lockUser(tx, userId);
    const now = clock.now();
    const trying = { byPasskey: shown.passkey !== undefined, triesMax: factorRules.triesPerFlow, now };
    const flow = user && (await flows.takeTry(tx, flowId, trying));
    if (!flow || !isItsPassword(flow, user)) throw begunWithPassword();
    const { challenge } = flow;
    const factor = await showing.show({ tx, user, shown, challenge, client: by.client, use: 'sign-in' });
    if (!factor) return null;
    await flows.endFlow(tx, flow.id, now);
    return begin(tx, user, by, factor);
  }

  return {
    /** Asked by every sign-in, behind the lock on the account: null where no factor is on. */
    async askForFactor(tx: Tx, user: User): Promise<AskedFactor | null> {
      const ways = waysOf(await standingOf(tx, { userId: user.id, sessionId: null }));
      if (ways.length === 0) return null;
      const flowSecret = newToken();
      await flows.insertFlow(tx, {
        purpose: 'sign-in',
        secretHash: sha256(flowSecret),
        userId: user.id,
        passwordMark: passwordMark(user.passwordHash),
        ...life(),
      });
      return { ways, flowSecret };
    },

    async finishSignIn(
      input: { flowSecret: string | null; shown: Shown } & BroughtBy,
    ): Promise<BegunSession> {
      const { flowSecret, shown, ...by } = input;
      const { flow, user } = await flowOf(flowSecret);
      const deviceId = await knownDevice(db, 'investor', emailKey(user.email), by.deviceSecret);
      const counted = await countTry({
        accountKey: user.id,
        clientAddress: by.client.address,
        deviceId,
      });
      const trying = { flowId: flow.id, userId: user.id, shown, by };
      const begun = await inTransaction(db, (tx) => finish(tx, trying)).catch(async (error) => {
        await counted.didNotHappen();
        throw error;
      });
      if (!begun) return showing.refuse(user.id, by.client, 'sign-in');
      await counted.wasRight();
      return begun;
    },

    async secondFactorOptions({ flowSecret }: { flowSecret: string | null }): Promise<PasskeyRequest> {
      const { flow, user } = await flowOf(flowSecret);
      const options = await checks.request(await passkeysOf(db, { userId: user.id }));
      await inTransaction(db, (tx) => flows.setChallenge(tx, flow.id, options.challenge));
      return options;
    },

    /** For whoever comes: which passkey they have, and so who they are, is known when it is shown. */
    async passkeySignInOptions({ client }: Pick<BroughtBy, 'client'>): Promise<{
      options: PasskeyRequest;
      flowSecret: string;
    }> {
      await countQuestion(client);
      const options = await checks.request();
      const flowSecret = newToken();
      const { challenge } = options;
      await flows.insertFlow(db, {
        purpose: 'passkey',
        secretHash: sha256(flowSecret),
        challenge,
        ...life(),
      });
      return { options, flowSecret };
    },

    /** A passkey is something one has, opened by what one knows or is: it stands for password and factor. */
    async signInByPasskey(
      input: { flowSecret: string | null; passkey: NonNullable<Shown['passkey']> } & BroughtBy,
    ): Promise<BegunSession> {
      const { flowSecret, passkey, ...by } = input;
      const begun = await inTransaction(db, async (tx) => {
        const key = flowSecret === null ? null : { secretHash: sha256(flowSecret) };
        const flow = key && (await flows.consumeFlow(tx, 'passkey', key, clock.now()));
        if (!flow) throw flowOver();
        const found = await findPasskey(tx, passkey.id);
        const user = found?.userId ? await lockUser(tx, found.userId) : null;
        // Where nobody typed who they are, the passkey has to say whose it is.
        if (!user || !passkey.response.userHandle || refused.has(emailKey(user.email))) return null;
        const { challenge } = flow;
        const { client } = by;
        const shown = { passkey };
        const factor = await showing.show({ tx, user, shown, challenge, client, use: 'sign-in' });
        return factor ? begin(tx, user, by, factor) : { refusedOf: user.id };
      });
      if (!begun) throw factorWrong('This passkey is not known here. Log in with your password.');
      return 'refusedOf' in begun ? showing.refuse(begun.refusedOf, by.client, 'sign-in') : begun;
    },
  };
}
