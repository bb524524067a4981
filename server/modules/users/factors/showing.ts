import type { PasskeyAssertion } from '@tallystick/contract/factors';
import type { z } from 'zod';
import { AppError } from '../../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../../platform/audit/audit.ts';
import { writeRefusal } from '../../../platform/audit/refusal-audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/postgres/db.ts';
import type { Sealer } from '../../../platform/sealing.ts';
import type { Post } from '../../notices/service.ts';
import type { Client } from '../credentials.ts';
import type { RemovalEnding } from '../removals/ending.ts';
import type { User } from '../store.ts';
import { createAssertions } from './assertions.ts';
import { recoveryCodeHash, stepOf } from './authenticator.ts';
import { findAuthenticator, standingOf, takeRecoveryCode, useStep } from './factor-store.ts';
import type { PasskeyChecks } from './passkeys.ts';
import type { Factor } from './rules.ts';

/** One of the three. */
export interface Shown {
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: z.output<typeof PasskeyAssertion> | undefined;
}

export interface ShowingNeeds {
  db: Db;
  clock: Clock;
  mail: Post;
  /** Keeps the secrets of authenticators unreadable. */
  sealer: Sealer;
  checks: PasskeyChecks;
  ending: RemovalEnding;
}

/** For what it was shown, as the letter about a recovery code tells it. */
type Use = 'sign-in' | 'step-up';

interface ShowingOf {
  tx: Tx;
  /** The caller holds the row. */
  user: User;
  shown: Shown;
  /** What a passkey was asked to sign; null where none was asked. */
  challenge: string | null;
  client: Client;
  use: Use;
}

export const factorWrong = (message = 'This is wrong, or it was used already. Try again.') =>
  new AppError('factor_wrong', message);

export const flowOver = (message = 'This took too long, or was tried too often. Start again.') =>
  new AppError('flow_over', message);

/** Null where the house has lost the secret that it was sealed with: then passkeys and recovery codes are left. */
function opened(sealer: Sealer, sealed: string): string | null {
  try {
    return sealer.open(sealed);
  } catch {
    return null;
  }
}

/** Says whether what is shown is a factor of the account, and uses it up: nothing works twice. */
export function createShowing({ db, clock, mail, sealer, checks, ending }: ShowingNeeds) {
  const useAssertion = createAssertions({ clock, checks });

  async function useRecoveryCode({ tx, user, client, use }: ShowingOf, code: string): Promise<boolean> {
    const now = clock.now();
    if (!(await takeRecoveryCode(tx, user.id, recoveryCodeHash(code), now))) return false;
    const { codesLeft } = await standingOf(tx, { userId: user.id, sessionId: null });
    await mail.queue({
      tx,
      userId: user.id,
      to: { name: user.fullname, address: user.email },
      letter: {
        kind: 'recovery-code-used',
        fullname: user.fullname,
        at: now.toISOString(),
        clientAddress: client.address,
        userAgent: client.userAgent,
        use,
        codesLeft,
      },
    });
    const act = ownAct('investor', user.id, 'factor.recovery-code-used', client.address);
    await writeAudit(tx, { ...act, details: { use, left: codesLeft } }, now);
    return true;
  }

  async function useCode({ tx, user }: ShowingOf, code: string): Promise<boolean> {
    const authenticator = await findAuthenticator(tx, user.id, 'confirmed');
    if (!authenticator) return false;
    const now = clock.now();
    const secret = opened(sealer, authenticator.sealed);
    if (secret === null) return false;
    const step = stepOf({ secret, code, now, lastStep: authenticator.lastStep });
    return step !== null && useStep(tx, authenticator.id, step, now);
  }

  async function factorIn(of: ShowingOf): Promise<Factor | null> {
    const { code, recoveryCode, passkey } = of.shown;
    if (passkey) {
      const owner = { userId: of.user.id };
      return (await useAssertion({ ...of, owner, shown: passkey })) ? 'passkey' : null;
    }
    if (recoveryCode !== undefined) return (await useRecoveryCode(of, recoveryCode)) ? 'recovery' : null;
    return code !== undefined && (await useCode(of, code)) ? 'code' : null;
  }

  return {
    /** Null when it is not right. It does not throw then: what was counted on the way is kept. */
    async show(of: ShowingOf): Promise<Factor | null> {
      const factor = await factorIn(of);
      // Whoever has one has not lost them all.
      if (factor) await ending.endByInvestor(of.tx, of.user, 'factor-shown', of.client);
      return factor;
    },

    /** Leaves a trace of what was wrong, and says so. */
    async refuse(userId: string, client: Client, use: Use): Promise<never> {
      const about = { action: 'factor.refused', subjectId: userId, clientAddress: client.address };
      await writeRefusal(db, { actor: { kind: 'nobody' }, ...about, details: { use } }, clock.now());
      throw factorWrong();
    },
  };
}

export type Showing = ReturnType<typeof createShowing>;
