import { AppError } from '../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../platform/audit/audit.ts';
import { testTime } from '../../platform/clock.ts';
import type { Identity } from '../../platform/http/identity.ts';
import { forget, giveBack, waitBeforeTry } from '../../platform/http/throttle.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import type { AccountsNeeds } from './accounts.ts';
import * as codeStore from './code-store.ts';
import { refuseCode, useLink } from './codes.ts';
import { type Client, newToken } from './credentials.ts';
import { deleteDevicesOf } from './device-store.ts';
import { meetDevice } from './devices.ts';
import { codeRules, emailKey, newAddressesWaitMs, passwordRefusal, sha256, signInRules } from './rules.ts';
import * as sessionStore from './sessions/session-store.ts';
import * as store from './store.ts';

const resetNotBegun = () =>
  new AppError(
    'reset_not_begun',
    'This browser has no password reset under way. Start again with your e-mail address.',
  );

const emailUnknown = () => new AppError('email_unknown', 'There is no account with this e-mail address.');

const oldPasswordWrong = () => new AppError('old_password_wrong', 'The old password is wrong.');

/** How a new password came about. */
interface Replacing {
  action: 'password.reset' | 'password.changed';
  client: Client;
  /** The browser that did it: the only one that stays known. */
  deviceId: string | null;
  newAddressesAfter?: Date;
}

function refuseWeak(password: string): void {
  const refusal = passwordRefusal(password);
  if (refusal) throw new AppError('new_password_refused', refusal);
}

/** Forgetting, resetting and changing a password. A reset belongs to the browser that holds its flow secret. */
export function createPasswords({ db, clock, codes, hashing, mail }: AccountsNeeds) {
  async function beginFlow(tx: Tx, userId: string, verifiedAt: Date | null) {
    const now = clock.now();
    const secret = newToken();
    const expiresAt = new Date(now.getTime() + codeRules.flowLifeMs);
    const flow = { userId, secretHash: sha256(secret), now, expiresAt, verifiedAt };
    return { flowId: await codeStore.insertFlow(tx, flow), secret };
  }

  async function flowOf(tx: Db | Tx, flowSecret: string | null) {
    const flow = flowSecret ? await codeStore.findFlow(tx, sha256(flowSecret), clock.now()) : null;
    if (!flow) throw resetNotBegun();
    return flow;
  }

  /**
   * The last step of every way to a new password: store it, close every way to yet another that was open, forget the
   * browsers that the old one was used in, tell the owner, leave a trace.
   */
  async function replacePassword(tx: Tx, user: store.User, passwordHash: string, how: Replacing) {
    const { action, client, deviceId, newAddressesAfter } = how;
    const now = clock.now();
    await store.setPasswordHash(tx, user.id, passwordHash);
    await codeStore.closeFlowsOf(tx, user.id, now);
    await codeStore.closeCodesOf(tx, user.id, 'reset', now);
    await deleteDevicesOf(tx, { userId: user.id }, deviceId);
    await mail.queue({
      tx,
      userId: user.id,
      to: { name: user.fullname, address: user.email },
      letter: {
        kind: 'password-changed',
        fullname: user.fullname,
        at: now.toISOString(),
        clientAddress: client.address,
        userAgent: client.userAgent,
        ...(newAddressesAfter && { newAddressesAfter: newAddressesAfter.toISOString() }),
      },
    });
    await writeAudit(tx, ownAct('investor', user.id, action, client.address), now);
  }

  /**
   * The code came by mail, so the address is proven by it just as well as by activating. Whoever signed up had not
   * proven it and may have been anyone: nothing of theirs stays, and the owner is asked for a name.
   */
  async function takeOver(tx: Tx, user: store.User, client: Client): Promise<store.User> {
    const now = clock.now();
    await store.markVerified(tx, user.id, now);
    await codeStore.closeCodesOf(tx, user.id, 'verify', now);
    await store.setFullname(tx, user.id, '');
    const act = ownAct('investor', user.id, 'user.verified', client.address);
    await writeAudit(tx, { ...act, details: { how: 'reset' } }, now);
    return { ...user, fullname: '' };
  }

  return {
    async forgotPassword({ email, client }: { email: string; client: Client }) {
      await codes.countIssue(db, client.address);
      const found = await store.findUserByEmail(db, emailKey(email));
      if (!found) throw emailUnknown();
      return inTransaction(db, async (tx) => {
        const user = await store.lockUser(tx, found.id);
        // One that was never proven may have been forgotten a moment ago.
        if (!user) throw emailUnknown();
        const { flowId, secret } = await beginFlow(tx, user.id, null);
        await codes.issue({ tx, user, purpose: 'reset', flowId });
        const by = { actor: { kind: 'nobody' }, clientAddress: client.address } as const;
        await writeAudit(tx, { ...by, action: 'password.reset-begun', subjectId: user.id }, clock.now());
        return { userId: user.id, flowSecret: secret };
      });
    },

    async resendResetCode(input: { userId: string; flowSecret: string | null; clientAddress: string }) {
      const { userId, flowSecret, clientAddress } = input;
      await codes.countIssue(db, clientAddress);
      await inTransaction(db, async (tx) => {
        const flow = await flowOf(tx, flowSecret);
        const user = await store.lockUser(tx, flow.userId);
        if (!user || user.id !== userId) throw resetNotBegun();
        await codes.issue({ tx, user, purpose: 'reset', flowId: flow.id });
      });
    },

    async verifyResetCode(input: { code: string; flowSecret: string | null; clientAddress: string }) {
      const { code, flowSecret, clientAddress } = input;
      const outcome = await inTransaction(db, async (tx) => {
        const flow = await flowOf(tx, flowSecret);
        const what = { userId: flow.userId, purpose: 'reset', flowId: flow.id } as const;
        if (!(await codes.canBeTried(tx, what))) return 'wrong';
        await store.lockUser(tx, flow.userId);
        const tried = await codes.tryCode({ tx, ...what, code, clientAddress });
        if (tried === 'right') await codeStore.markFlowVerified(tx, flow.id, clock.now());
        return tried;
      });
      if (outcome !== 'right') refuseCode(outcome);
    },

    /** Whoever opens the mailed link has the mailbox: the browser that opens it gets a verified flow of its own. */
    async openResetLink({ token }: { token: string }) {
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const userId = await useLink(tx, token, 'reset', now);
        const { secret } = await beginFlow(tx, userId, now);
        return { userId, flowSecret: secret };
      });
    },

    async updatePassword(input: {
      userId: string;
      password: string;
      confirmation: string;
      flowSecret: string | null;
      client: Client;
      deviceSecret: string | null;
    }): Promise<{ deviceSecret: string }> {
      const { userId, password, confirmation, flowSecret, client } = input;
      const flow = await flowOf(db, flowSecret);
      if (flow.userId !== userId)
        throw new AppError('not_found', 'This reset belongs to another account. Start again.');
      if (!flow.verifiedAt) throw new AppError('reset_not_begun', 'Enter the code from the e-mail first.');
      if (password !== confirmation)
        throw new AppError('passwords_differ', 'The two passwords are not the same.');
      refuseWeak(password);
      const passwordHash = await hashing.hash(password);
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const found = await store.lockUser(tx, userId);
        if (!found || !(await codeStore.consumeFlow(tx, flow.id, now))) throw resetNotBegun();
        const user = found.verifiedAt ? found : await takeOver(tx, found, client);
        await sessionStore.endSessionsOf(tx, userId, now, null);
        const device = await meetDevice(tx, { userId }, input.deviceSecret, now);
        await forget(tx, { scope: 'sign-in-account', subject: emailKey(user.email) });
        const wait = { waitMs: newAddressesWaitMs, testNow: testTime(clock) };
        const newAddressesAfter = await store.holdNewAddresses(tx, userId, wait);
        const how = { action: 'password.reset', client, deviceId: device.id, newAddressesAfter } as const;
        await replacePassword(tx, user, passwordHash, how);
        return { deviceSecret: device.secret };
      });
    },

    async changePassword(input: {
      identity: Identity;
      password: string;
      passwordNew: string;
      client: Client;
    }) {
      const { identity, password, passwordNew, client } = input;
      const counter = { scope: 'old-password', subject: identity.userId };
      const waitMs = await waitBeforeTry(db, counter, signInRules.perPair, clock.now());
      if (waitMs > 0) {
        const retryAfterSeconds = Math.ceil(waitMs / 1000);
        const message = `Too many failed tries. Try again in ${retryAfterSeconds} s.`;
        throw new AppError('too_many_requests', message, { retryAfterSeconds });
      }
      const user = await store.findUser(db, identity.userId);
      const right = await hashing.matches(user?.passwordHash ?? null, password).catch(async (error) => {
        await giveBack(db, counter);
        throw error;
      });
      if (!user || !right) throw oldPasswordWrong();
      await forget(db, counter);
      refuseWeak(passwordNew);
      const passwordHash = await hashing.hash(passwordNew);
      await inTransaction(db, async (tx) => {
        // Checked outside the transaction: a reset that came in between must not be undone.
        const current = await store.lockUser(tx, user.id);
        if (current?.passwordHash !== user.passwordHash) throw oldPasswordWrong();
        await sessionStore.endSessionsOf(tx, user.id, clock.now(), identity.sessionId);
        const deviceId = await sessionStore.deviceOfSession(tx, identity.sessionId);
        await replacePassword(tx, user, passwordHash, { action: 'password.changed', client, deviceId });
      });
    },
  };
}
