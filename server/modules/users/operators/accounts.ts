import { Fullname } from '@tallystick/contract/fullname';
import { operatorPasswordLengthMin } from '@tallystick/contract/operator/session';
import { Email } from '@tallystick/contract/users';
import { AppError } from '../../../platform/app-error.ts';
import { writeAudit } from '../../../platform/audit/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import type { Sealer } from '../../../platform/sealing.ts';
import { deleteDevicesOf, deviceIdsOf } from '../device-store.ts';
import { deletePasskeysOf } from '../factors/passkey-store.ts';
import { createHashing, type HashingCost } from '../hashing.ts';
import { emailKey, emailRefusal, passwordRefusal } from '../rules.ts';
import { forgetTries } from '../tries.ts';
import * as store from './store.ts';

interface OperatorAccountsNeeds {
  /** As the owner of the tables: the running server may not make operators. */
  owner: Db;
  clock: Clock;
  hashingCost?: HashingCost;
}

const actor = { kind: 'system' } as const;

function refusalOf(password: string): string | null {
  if ([...password].length < operatorPasswordLengthMin) {
    return `An operator's password has at least ${operatorPasswordLengthMin} characters.`;
  }
  return passwordRefusal(password);
}

/** What `npm run operator` does, and nobody else can. */
export function createOperatorAccounts({ owner, clock, hashingCost }: OperatorAccountsNeeds) {
  const hashing = createHashing(hashingCost);

  /** Signed out everywhere, and no browser is known any more. */
  async function sendAway(tx: Tx, operatorId: string, now: Date): Promise<void> {
    await store.endOperatorSessions(tx, { operatorId }, now);
    await deleteDevicesOf(tx, { operatorId }, null);
  }

  async function activeByEmail(email: string) {
    const operator = await store.findOperatorByEmail(owner, emailKey(email));
    if (!operator) throw new AppError('not_found', `There is no active operator ${email}.`);
    return operator;
  }

  async function change(id: string, action: string, act: (tx: Tx, now: Date) => Promise<void>) {
    await inTransaction(owner, async (tx) => {
      const now = clock.now();
      await act(tx, now);
      await writeAudit(tx, { actor, action, subjectId: id }, now);
    });
  }

  return {
    async createOperator(input: { name: string; email: string; password: string }): Promise<{ id: string }> {
      const name = Fullname.parse(input.name);
      const email = Email.parse(input.email);
      const odd = emailRefusal(email);
      if (odd) throw new AppError('invalid_request', odd);
      const refusal = refusalOf(input.password);
      if (refusal) throw new AppError('weak_password', refusal);
      const passwordHash = await hashing.hash(input.password);
      return inTransaction(owner, async (tx) => {
        const now = clock.now();
        const person = { name, email, emailKey: emailKey(email), passwordHash, now };
        const made = await store.insertOperator(tx, person);
        if (!made) throw new AppError('name_taken', 'An operator of this name or address exists already.');
        const created = { action: 'operator.created', subjectId: made.id, details: { name } };
        await writeAudit(tx, { actor, ...created }, now);
        return made;
      });
    },

    /** For a password that someone else may know. Every session ends; the authenticator stays. */
    async setOperatorPassword({ email, password }: { email: string; password: string }): Promise<void> {
      const { id } = await activeByEmail(email);
      const refusal = refusalOf(password);
      if (refusal) throw new AppError('weak_password', refusal);
      const passwordHash = await hashing.hash(password);
      await change(id, 'operator.password-set', async (tx, now) => {
        await store.setOperatorPasswordHash(tx, id, passwordHash);
        await sendAway(tx, id, now);
      });
    },

    listOperators: () => store.allOperators(owner),

    async disableOperator({ email }: { email: string }): Promise<void> {
      const { id } = await activeByEmail(email);
      await change(id, 'operator.disabled', async (tx, now) => {
        await store.disableOperator(tx, id, now);
        await deletePasskeysOf(tx, { operatorId: id });
        await sendAway(tx, id, now);
      });
    },

    /** For one whom strangers' wrong passwords, or too many of their own, hold up. */
    async unlockOperator({ email }: { email: string }): Promise<void> {
      const { id } = await activeByEmail(email);
      await change(id, 'operator.unlocked', async (tx) => {
        const deviceIds = await deviceIdsOf(tx, { operatorId: id });
        await forgetTries(tx, 'operator', { accountKey: emailKey(email), deviceIds });
        await forgetTries(tx, 'operator-factor', { accountKey: id, deviceIds: [] });
      });
    },

    /** For a lost phone: the next sign-in sets up another authenticator. Passkeys go, too: they may be on that phone. */
    async resetTotp({ email }: { email: string }): Promise<void> {
      const { id } = await activeByEmail(email);
      await change(id, 'operator.totp-reset', async (tx, now) => {
        await store.setTotp(tx, id, { sealed: null, confirmedAt: null, lastStep: 0n });
        await store.replaceRecoveryCodes(tx, id, []);
        await deletePasskeysOf(tx, { operatorId: id });
        await sendAway(tx, id, now);
      });
    },

    /** Demo mode's operators come with an authenticator whose secret is printed. */
    async enrolWithSecret({ email, secret, sealer }: { email: string; secret: string; sealer: Sealer }) {
      const { id } = await activeByEmail(email);
      await store.setTotp(owner, id, { sealed: sealer.seal(secret), confirmedAt: clock.now(), lastStep: 0n });
    },
  };
}
