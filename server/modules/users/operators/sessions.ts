import { AppError } from '../../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import { minuteMs } from '../../../platform/clock.ts';
import type { OperatorIdentity } from '../../../platform/http/identity.ts';
import { inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import type { Sealer } from '../../../platform/sealing.ts';
import type { AccountsNeeds } from '../accounts.ts';
import { type Client, type Credentials, createPasswordCheck, wrongCredentials } from '../credentials.ts';
import {
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  stepOf,
  totpUri,
} from '../factors/authenticator.ts';
import { seenEveryMs, sessionIsAlive, sha256 } from '../rules.ts';
import type { BeginOperator, BegunByOperator } from './beginning.ts';
import type { ShowByOperator } from './showing.ts';
import * as store from './store.ts';

interface OperatorSessionsNeeds extends Pick<AccountsNeeds, 'db' | 'clock' | 'hashing'> {
  /** E-mail keys that are treated as if nobody had them. */
  refused: ReadonlySet<string>;
  sealer: Sealer;
  siteName: string;
  begin: BeginOperator;
  show: ShowByOperator;
}

const idleMs = 15 * minuteMs;

const wrongCode = (message = 'This code is wrong, or it was used already. Wait for the next one.') =>
  new AppError('totp_wrong', message);

/** Operators sign in with a password and a second factor. Nothing of an investor's opens the console. */
export function createOperatorSessions(needs: OperatorSessionsNeeds) {
  const { db, clock, sealer, siteName, begin, show } = needs;
  const check = createPasswordCheck({ ...needs, kind: 'operator', find: store.findOperatorByEmail });

  /** The row as it is now: password and secret may have changed while the password was being hashed. */
  async function lockUnchanged(tx: Tx, seen: store.OperatorRow): Promise<store.OperatorRow> {
    const operator = await store.lockOperator(tx, seen.id);
    if (operator?.passwordHash !== seen.passwordHash) throw wrongCredentials();
    return operator;
  }

  /** The first sign-in: a fresh secret each time, until one was shown to work. */
  async function beginEnrolment(seen: store.OperatorRow, client: Client) {
    return inTransaction(db, async (tx) => {
      const operator = await lockUnchanged(tx, seen);
      if (operator.totpConfirmedAt) throw wrongCode('Enter the code of your authenticator.');
      const secret = newTotpSecret();
      await store.setTotp(tx, operator.id, { sealed: sealer.seal(secret), confirmedAt: null, lastStep: 0n });
      const actor = { kind: 'nobody' } as const;
      const clientAddress = client.address;
      const entry = { actor, action: 'operator.enrolment-begun', subjectId: operator.id, clientAddress };
      await writeAudit(tx, entry, clock.now());
      return { secret, uri: totpUri(secret, { issuer: siteName, label: operator.email }) };
    });
  }

  return {
    async signInOperator(
      input: Credentials & { code: string | undefined; recoveryCode: string | undefined },
    ): Promise<{ begun: BegunByOperator } | { enrolment: { secret: string; uri: string } }> {
      const { person: seen, counted } = await check.withPassword(input);
      if (!seen.totpConfirmedAt) {
        const enrolment = await beginEnrolment(seen, input.client);
        await counted.wasRight();
        return { enrolment };
      }
      const begun = await inTransaction(db, async (tx) => {
        const operator = await lockUnchanged(tx, seen);
        const { code, recoveryCode, client } = input;
        const factor = await show(tx, { operator, shown: { code, recoveryCode }, challenge: null, client });
        if (!factor) return null;
        const action = factor === 'recovery' ? 'operator.signed-in-by-recovery-code' : 'operator.signed-in';
        return begin(tx, operator, input, action);
      });
      if (!begun) {
        await check.refusal('operator.code-refused', input.client, seen);
        throw wrongCode();
      }
      await counted.wasRight();
      return { begun };
    },

    /** Shows that the authenticator works. The recovery codes are told once and kept only as hashes. */
    async enrolOperator(
      input: Credentials & { code: string },
    ): Promise<{ begun: BegunByOperator; recoveryCodes: string[] }> {
      const { person: seen, counted } = await check.withPassword(input);
      const enrolled = await inTransaction(db, async (tx) => {
        const operator = await lockUnchanged(tx, seen);
        // An authenticator that works already is told apart from a wrong code to nobody.
        const { totpConfirmedAt, totpSealed: sealed } = operator;
        if (totpConfirmedAt || !sealed) return null;
        const now = clock.now();
        const secret = sealer.open(sealed);
        const step = stepOf({ secret, code: input.code, now, lastStep: 0n });
        if (step === null) return null;
        await store.setTotp(tx, operator.id, { sealed, confirmedAt: now, lastStep: step });
        const recoveryCodes = newRecoveryCodes();
        await store.replaceRecoveryCodes(tx, operator.id, recoveryCodes.map(recoveryCodeHash));
        return { begun: await begin(tx, operator, input, 'operator.enrolled'), recoveryCodes };
      });
      if (!enrolled) {
        await check.refusal('operator.code-refused', input.client, seen);
        throw wrongCode('This code is wrong. Check that the clock of your phone is right.');
      }
      await counted.wasRight();
      return enrolled;
    },

    async authenticateOperator(request: {
      cookie: string | null;
      background: boolean;
    }): Promise<OperatorIdentity> {
      const { cookie, background } = request;
      const now = clock.now();
      const session = cookie ? await store.findOperatorSession(db, sha256(cookie)) : null;
      if (!session || !sessionIsAlive(session, idleMs, now)) {
        throw new AppError('unauthenticated', 'Sign in to the console to go on.');
      }
      if (!background && now.getTime() - session.seenAt.getTime() >= seenEveryMs) {
        await store.touchOperatorSession(db, session.id, now);
      }
      const { id: sessionId, operatorId, name, email, expiresAt } = session;
      return { operatorId, sessionId, name, email, expiresAt };
    },

    async signOutOperator(input: { operatorId: string; sessionId: string; clientAddress: string }) {
      const { operatorId, sessionId, clientAddress } = input;
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        await store.endOperatorSessions(tx, { sessionId }, now);
        await writeAudit(tx, ownAct('operator', operatorId, 'operator.signed-out', clientAddress), now);
      });
    },

    recoveryCodesLeft: ({ operatorId }: { operatorId: string }) => store.countRecoveryCodes(db, operatorId),

    /** Names by id, for telling who did what. */
    async operatorNames({ tx }: { tx?: Tx } = {}): Promise<Map<string, string>> {
      return new Map((await store.namesOfOperators(tx ?? db)).map(({ id, name }) => [id, name]));
    },

    /** For the launch checklist. */
    async operatorsWithAuthenticator(): Promise<{ active: number; enrolled: number }> {
      const active = (await store.allOperators(db)).filter(({ disabledAt }) => !disabledAt);
      return {
        active: active.length,
        enrolled: active.filter(({ totpConfirmedAt }) => totpConfirmedAt).length,
      };
    },
  };
}
