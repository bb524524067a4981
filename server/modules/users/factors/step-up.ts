import { randomBytes } from 'node:crypto';
import { flowMinutes, type PasskeyRequest } from '@tallystick/contract/factors';
import type { Cents } from '@tallystick/contract/money';
import { AppError } from '../../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import { type Clock, minuteMs } from '../../../platform/clock.ts';
import type { Identity } from '../../../platform/http/identity.ts';
import { takeFromQuota } from '../../../platform/http/throttle.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import type { Post } from '../../notices/service.ts';
import type { Codes } from '../codes.ts';
import type { Client } from '../credentials.ts';
import { sha256 } from '../rules.ts';
import { deviceOfSession } from '../sessions/session-store.ts';
import { lockUser, type User } from '../store.ts';
import { createTries } from '../tries.ts';
import { factorSince, markSteppedUp, type Standing, setStepUpAbove, standingOf } from './factor-store.ts';
import * as flows from './flow-store.ts';
import { passkeysOf } from './passkey-store.ts';
import type { PasskeyChecks } from './passkeys.ts';
import { factorRules, hasFactor, steppedUpUntil, stepUpWays, unaskedCents } from './rules.ts';
import { flowOver, type Showing, type Shown } from './showing.ts';

interface StepUpNeeds {
  db: Db;
  clock: Clock;
  mail: Post;
  codes: Codes;
  showing: Showing;
  checks: PasskeyChecks;
}

interface Asked {
  identity: Identity;
  client: Client;
}

function stepUpRequired(standing: Standing): AppError {
  const message = hasFactor(standing)
    ? 'Show your second factor once more to go on.'
    : 'Confirm with the link that we mail you that it is you.';
  return new AppError('step_up_required', message, { ways: stepUpWays(standing) });
}

/** Refuses where it is asked for and the session has shown nothing lately. Answers with what the account has on. */
export async function demand(
  db: Db | Tx,
  identity: Identity,
  now: Date,
  isAsked: (standing: Standing) => boolean = () => true,
): Promise<Standing> {
  const standing = await standingOf(db, identity);
  if (isAsked(standing) && !steppedUpUntil(standing.steppedUpAt, now)) throw stepUpRequired(standing);
  return standing;
}

export const noFactor = () => new AppError('not_found', 'No second factor is on.');

/** Showing once more who one is, for what matters most. It counts for minutes, and for this session alone. */
export function createStepUp({ db, clock, mail, codes, showing, checks }: StepUpNeeds) {
  const countTry = createTries({ db, clock, scope: 'factor', wayOut: 'step-up' });

  async function owner(tx: Tx, { userId }: Identity): Promise<User> {
    const user = await lockUser(tx, userId);
    if (!user) throw new AppError('unauthenticated', 'Log in to go on.');
    return user;
  }

  async function steppedUp(tx: Tx, { identity, client }: Asked, how: string): Promise<{ until: Date }> {
    const now = clock.now();
    await markSteppedUp(tx, identity, now);
    const act = ownAct('investor', identity.userId, 'session.stepped-up', client.address);
    await writeAudit(tx, { ...act, details: { how } }, now);
    return { until: new Date(now.getTime() + factorRules.stepUpMs) };
  }

  return {
    /** For whatever another module guards: with a factor on, this session must have shown it lately. */
    async demandStepUp(identity: Identity): Promise<void> {
      await demand(db, identity, clock.now(), hasFactor);
    },

    /** The same where the mailed link stands for a factor that is not on. Says since when one is. */
    async demandProof({
      tx,
      identity,
    }: {
      tx: Tx;
      identity: Identity;
    }): Promise<{ factorSince: Date | null }> {
      await demand(tx, identity, clock.now());
      return { factorSince: await factorSince(tx, identity.userId) };
    },

    /**
     * How much this session may have on its way out without showing a factor, all withdrawals together: one sum, however
     * it is split. Null when it has shown one, or none is on.
     */
    async unasked(identity: Identity): Promise<Cents | null> {
      const standing = await standingOf(db, identity);
      if (steppedUpUntil(standing.steppedUpAt, clock.now())) return null;
      return unaskedCents(standing, standing.aboveCents);
    },

    async stepUp({ shown, ...asked }: Asked & { shown: Shown }): Promise<{ until: Date }> {
      const { identity, client } = asked;
      const { userId, sessionId } = identity;
      const deviceId = await deviceOfSession(db, sessionId);
      const counted = await countTry({ accountKey: userId, clientAddress: client.address, deviceId });
      const done = await inTransaction(db, async (tx) => {
        const user = await owner(tx, identity);
        const flow = shown.passkey && (await flows.consumeFlow(tx, 'step-up', { sessionId }, clock.now()));
        if (shown.passkey && !flow) throw flowOver();
        const challenge = flow?.challenge ?? null;
        const factor = await showing.show({ tx, user, shown, challenge, client, use: 'step-up' });
        return factor && steppedUp(tx, asked, factor);
      }).catch(async (error) => {
        await counted.didNotHappen();
        throw error;
      });
      if (!done) return showing.refuse(userId, client, 'step-up');
      await counted.wasRight();
      return done;
    },

    async stepUpOptions({ userId, sessionId }: Identity): Promise<PasskeyRequest> {
      const passkeys = await passkeysOf(db, { userId });
      if (passkeys.length === 0) throw new AppError('not_found', 'This account has no passkey.');
      const options = await checks.request(passkeys);
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + flowMinutes * minuteMs);
      await inTransaction(db, async (tx) => {
        await flows.endFlowsOfSession(tx, 'step-up', { sessionId }, now);
        const { challenge } = options;
        await flows.insertFlow(tx, { purpose: 'step-up', userId, sessionId, challenge, now, expiresAt });
      });
      return options;
    },

    /** Only where no factor is on: else whoever reads the mailbox could do without it. */
    async mailStepUpLink({ identity, client }: Asked): Promise<void> {
      await codes.countIssue(db, client.address);
      const { userId, sessionId } = identity;
      await inTransaction(db, async (tx) => {
        const user = await owner(tx, identity);
        const standing = await standingOf(tx, identity);
        if (hasFactor(standing)) throw stepUpRequired(standing);
        const now = clock.now();
        const account = { scope: 'step-up-link', subject: userId };
        const quota = await takeFromQuota(tx, account, factorRules.linksPerAccount, now);
        if (!quota.allowed) {
          const retryAfterSeconds = Math.ceil(quota.retryAfterMs / 1000);
          const message = 'Too many links were asked for. Use the last one, or try again later.';
          throw new AppError('too_many_requests', message, { retryAfterSeconds });
        }
        const token = randomBytes(16).toString('base64url');
        const expiresAt = new Date(now.getTime() + factorRules.linkMs);
        await flows.endFlowsOfSession(tx, 'step-up-link', { sessionId }, now);
        const link = { userId, sessionId, secretHash: sha256(token), now, expiresAt };
        await flows.insertFlow(tx, { purpose: 'step-up-link', ...link });
        const { fullname, email } = user;
        const letter = { kind: 'step-up-link', fullname, linkToken: token } as const;
        const to = { name: fullname, address: email };
        await mail.queue({ tx, userId, to, letter, notAfter: expiresAt });
      });
    },

    /** Good in the session that asked and in no other: a link that somebody else had sent is opened in vain. */
    async openStepUpLink({ token, ...asked }: Asked & { token: string }): Promise<{ until: Date }> {
      const { identity } = asked;
      const linkWrong = new AppError(
        'link_wrong',
        'This link has been used, has expired or was asked for in another browser. Ask for a new one.',
      );
      return inTransaction(db, async (tx) => {
        await owner(tx, identity);
        const now = clock.now();
        const open = await flows.findFlow(tx, 'step-up-link', { sessionId: identity.sessionId }, now);
        const flow =
          open && (await flows.consumeFlow(tx, 'step-up-link', { secretHash: sha256(token) }, now));
        if (!flow || flow.id !== open.id || hasFactor(await standingOf(tx, identity))) throw linkWrong;
        return steppedUp(tx, asked, 'mail');
      });
    },

    /** Raising it lets more money go without a factor, so it takes one. */
    async setStepUpAbove({ amountCents, ...asked }: Asked & { amountCents: Cents }): Promise<void> {
      const { identity, client } = asked;
      await inTransaction(db, async (tx) => {
        await owner(tx, identity);
        const now = clock.now();
        const standing = await demand(
          tx,
          identity,
          now,
          (of) => hasFactor(of) && amountCents > of.aboveCents,
        );
        if (!hasFactor(standing)) throw noFactor();
        await setStepUpAbove(tx, identity.userId, amountCents);
        const act = ownAct('investor', identity.userId, 'factor.sum-set', client.address);
        const details = { from: String(standing.aboveCents), to: String(amountCents) };
        await writeAudit(tx, { ...act, details }, now);
      });
    },
  };
}
