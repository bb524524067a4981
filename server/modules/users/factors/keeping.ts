import {
  type FactorKind,
  flowMinutes,
  type PasskeyAttestation,
  type PasskeyCreation,
  passkeysMax,
} from '@tallystick/contract/factors';
import type { z } from 'zod';
import { AppError } from '../../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import { type Clock, minuteMs } from '../../../platform/clock.ts';
import type { Identity } from '../../../platform/http/identity.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import type { JsonObject } from '../../../platform/postgres/schema.ts';
import type { Sealer } from '../../../platform/sealing.ts';
import type { Letter } from '../../mail/service.ts';
import type { Post } from '../../notices/service.ts';
import type { Client } from '../credentials.ts';
import type { RemovalEnding } from '../removals/ending.ts';
import { lockUser, type User } from '../store.ts';
import { newRecoveryCodes, newTotpSecret, recoveryCodeHash, stepOf, totpUri } from './authenticator.ts';
import * as store from './factor-store.ts';
import * as flows from './flow-store.ts';
import * as passkeyStore from './passkey-store.ts';
import type { PasskeyChecks } from './passkeys.ts';
import { hasFactor, steppedUpUntil, stepUpWays } from './rules.ts';
import { factorWrong, flowOver } from './showing.ts';
import { demand, noFactor } from './step-up.ts';

interface KeepingNeeds {
  db: Db;
  clock: Clock;
  mail: Post;
  sealer: Sealer;
  checks: PasskeyChecks;
  siteName: string;
  ending: RemovalEnding;
}

interface Asked {
  identity: Identity;
  client: Client;
}

/** An act on the account's factors, behind its lock and after step-up. */
interface Act extends Asked {
  tx: Tx;
  user: User;
  standing: store.Standing;
  now: Date;
}

type FactorLetter = Extract<Letter, { kind: 'factor-added' | 'factor-removed' | 'recovery-codes-new' }>;
type Told = FactorLetter extends infer L ? (L extends Letter ? Omit<L, 'fullname' | 'at'> : never) : never;

const gone = (message: string) => new AppError('not_found', message);
export const tooManyPasskeys = () =>
  new AppError('outside_range', `An account has up to ${passkeysMax} passkeys. Remove one first.`);

/** Adding, naming and removing factors. All of it takes step-up, the first time by the mailed link. */
export function createKeeping(needs: KeepingNeeds) {
  const { db, clock, mail, sealer, checks, siteName, ending } = needs;

  /** Everything about one account's factors happens one after the other. */
  function steppedUp<T>(asked: Asked, act: (act: Act) => Promise<T>): Promise<T> {
    return inTransaction(db, async (tx) => {
      const user = await lockUser(tx, asked.identity.userId);
      if (!user) throw new AppError('unauthenticated', 'Log in to go on.');
      const now = clock.now();
      const standing = await demand(tx, asked.identity, now);
      return act({ ...asked, tx, user, standing, now });
    });
  }

  async function trace({ tx, user, client, now }: Act, action: string, details: JsonObject): Promise<void> {
    const act = ownAct('investor', user.id, action, client.address);
    await writeAudit(tx, { ...act, details }, now);
  }

  /** The owner is told of every change, in case it was somebody else. */
  async function tell({ tx, user, client, now }: Act, told: Told): Promise<void> {
    const { fullname, email } = user;
    const event = { fullname, at: now.toISOString(), clientAddress: client.address };
    const letter = { ...told, ...event, userAgent: client.userAgent } as FactorLetter;
    await mail.queue({ tx, userId: user.id, to: { name: fullname, address: email }, letter });
  }

  async function giveRecoveryCodes({ tx, user }: Act): Promise<string[]> {
    const codes = newRecoveryCodes();
    await store.replaceRecoveryCodes(tx, user.id, codes.map(recoveryCodeHash));
    return codes;
  }

  /** Whoever changes them may have lost one: what other sessions have shown counts no more. But they have not lost all. */
  async function onlyHere({ tx, user, identity, client }: Act): Promise<void> {
    await store.forgetStepUps(tx, user.id, identity.sessionId);
    await ending.endByInvestor(tx, user, 'factor-shown', client);
  }

  /** With the first factor come the recovery codes. */
  async function added(act: Act, what: FactorKind, name?: string): Promise<string[] | null> {
    await onlyHere(act);
    await trace(act, 'factor.added', { factor: what, ...(name && { name }) });
    await tell(act, { kind: 'factor-added', factor: what, ...(name && { name }) });
    return hasFactor(act.standing) ? null : giveRecoveryCodes(act);
  }

  /** Without a factor recovery codes open nothing, and there is no sum to ask above. */
  async function removed(act: Act, what: FactorKind, name?: string): Promise<void> {
    const { tx, user, identity } = act;
    const isLast = !hasFactor(await store.standingOf(tx, identity));
    await onlyHere(act);
    await trace(act, 'factor.removed', { factor: what, ...(name && { name }) });
    await tell(act, { kind: 'factor-removed', factor: what, ...(name && { name }), isLast });
    if (!isLast) return;
    await store.replaceRecoveryCodes(tx, user.id, []);
    await store.setStepUpAbove(tx, user.id, 0n);
  }

  return {
    async factors(identity: Identity) {
      const [standing, authenticator, passkeys] = await Promise.all([
        store.standingOf(db, identity),
        store.findAuthenticator(db, identity.userId, 'confirmed'),
        passkeyStore.passkeysOf(db, { userId: identity.userId }),
      ]);
      const until = steppedUpUntil(standing.steppedUpAt, clock.now());
      return { ...standing, authenticator, passkeys, ways: stepUpWays(standing), steppedUpUntil: until };
    },

    /** For operators: what is on, and nothing of what it is. */
    factorsOn: ({ userId }: { userId: string }) => store.standingOf(db, { userId, sessionId: null }),

    beginAuthenticator: (asked: Asked): Promise<{ secret: string; uri: string }> =>
      steppedUp(asked, async ({ tx, user, now }) => {
        const secret = newTotpSecret();
        await store.deleteAuthenticator(tx, user.id, 'begun');
        await store.insertAuthenticator(tx, { userId: user.id, sealed: sealer.seal(secret), now });
        return { secret, uri: totpUri(secret, { issuer: siteName, label: user.email }) };
      }),

    /** The one that was there before stops working with this code, and not earlier. */
    confirmAuthenticator: ({ code, ...asked }: Asked & { code: string }): Promise<string[] | null> =>
      steppedUp(asked, async (act) => {
        const { tx, user, now } = act;
        const begun = await store.findAuthenticator(tx, user.id, 'begun');
        if (!begun) throw flowOver('Begin once more: there is no authenticator to confirm.');
        const secret = sealer.open(begun.sealed);
        const step = stepOf({ secret, code, now, lastStep: 0n });
        if (step === null)
          throw factorWrong('This code is wrong. Check that the clock of your phone is right.');
        await store.deleteAuthenticator(tx, user.id, 'confirmed');
        await store.confirmAuthenticator(tx, begun.id, step, now);
        return added(act, 'authenticator');
      }),

    removeAuthenticator: (asked: Asked): Promise<void> =>
      steppedUp(asked, async (act) => {
        if (!(await store.deleteAuthenticator(act.tx, act.user.id, 'confirmed')))
          throw gone('There is no authenticator to remove.');
        await removed(act, 'authenticator');
      }),

    beginPasskey: (asked: Asked): Promise<PasskeyCreation> =>
      steppedUp(asked, async ({ tx, user, identity, now }) => {
        const passkeys = await passkeyStore.passkeysOf(tx, { userId: user.id });
        if (passkeys.length >= passkeysMax) throw tooManyPasskeys();
        const options = await checks.creation(user, passkeys);
        await flows.endFlowsOfSession(tx, 'new-passkey', { sessionId: identity.sessionId }, now);
        await flows.insertFlow(tx, {
          purpose: 'new-passkey',
          userId: user.id,
          sessionId: identity.sessionId,
          challenge: options.challenge,
          now,
          expiresAt: new Date(now.getTime() + flowMinutes * minuteMs),
        });
        return options;
      }),

    async confirmPasskey({
      name,
      passkey,
      ...asked
    }: Asked & { name: string; passkey: z.output<typeof PasskeyAttestation> }) {
      const done = await steppedUp(asked, async (act) => {
        const { tx, user, identity, standing, now } = act;
        if (standing.passkeys >= passkeysMax) throw tooManyPasskeys();
        const flow = await flows.consumeFlow(tx, 'new-passkey', { sessionId: identity.sessionId }, now);
        if (!flow?.challenge) throw flowOver();
        const made = await checks.made(passkey, flow.challenge);
        const row =
          made && (await passkeyStore.insertPasskey(tx, { userId: user.id }, { name, ...made, now }));
        return row && { passkey: row, recoveryCodes: await added(act, 'passkey', name) };
      });
      // Refused out here: what it had to answer is used up by being looked at.
      if (!done) throw factorWrong('This passkey could not be added, or is here already. Try again.');
      return done;
    },

    /** A name opens nothing, so it takes no step-up. */
    async namePasskey(input: Asked & { passkeyId: string; name: string }) {
      const { identity, client, passkeyId, name } = input;
      return inTransaction(db, async (tx) => {
        const row = await passkeyStore.namePasskey(tx, { userId: identity.userId, passkeyId, name });
        if (!row) throw gone('This passkey was removed already.');
        const act = ownAct('investor', identity.userId, 'passkey.named', client.address);
        await writeAudit(tx, { ...act, details: { name } }, clock.now());
        return row;
      });
    },

    async removePasskey({ passkeyId, ...asked }: Asked & { passkeyId: string }): Promise<void> {
      const { userId } = asked.identity;
      // Somebody else's is nobody's: nothing is asked for to say so.
      const isTheirs = (await passkeyStore.passkeysOf(db, { userId })).some(({ id }) => id === passkeyId);
      if (!isTheirs) throw gone('This passkey was removed already.');
      await steppedUp(asked, async (act) => {
        const row = await passkeyStore.deletePasskey(act.tx, { userId }, passkeyId);
        if (!row) throw gone('This passkey was removed already.');
        await removed(act, 'passkey', row.name);
      });
    },

    renewRecoveryCodes: (asked: Asked): Promise<string[]> =>
      steppedUp(asked, async (act) => {
        if (!hasFactor(act.standing)) throw noFactor();
        const codes = await giveRecoveryCodes(act);
        await onlyHere(act);
        await trace(act, 'factor.recovery-codes-new', {});
        await tell(act, { kind: 'recovery-codes-new' });
        return codes;
      }),
  };
}
