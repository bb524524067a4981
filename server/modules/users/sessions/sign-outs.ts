import { AppError } from '../../../platform/app-error.ts';
import { writeAudit } from '../../../platform/audit/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Db, inTransaction } from '../../../platform/postgres/db.ts';
import { deleteDevicesOf } from '../device-store.ts';
import { endEveryOperatorSession } from '../operators/store.ts';
import { emailKey } from '../rules.ts';
import { findUserByEmail } from '../store.ts';
import { endEverySession, endSessionsOf } from './session-store.ts';

const trace = { actor: { kind: 'system' }, action: 'session.ended-by-house' } as const;

/** What `npm run signout` does: for a session that fell into other hands, or a database that was brought back. */
export function createSignOuts({ owner, clock }: { owner: Db; clock: Clock }) {
  return {
    /** An investor is out everywhere, and no browser of theirs is known any more. */
    async signOutInvestor({ email }: { email: string }): Promise<void> {
      await inTransaction(owner, async (tx) => {
        const now = clock.now();
        const user = await findUserByEmail(tx, emailKey(email));
        if (!user) throw new AppError('not_found', `There is no account of ${email}.`);
        await endSessionsOf(tx, user.id, now, null);
        await deleteDevicesOf(tx, { userId: user.id }, null);
        await writeAudit(tx, { ...trace, subjectId: user.id }, now);
      });
    },

    /** Investors and operators alike. Their browsers stay known: all of them would be strangers at once. */
    async signOutEveryone(): Promise<void> {
      await inTransaction(owner, async (tx) => {
        const now = clock.now();
        await endEverySession(tx, now);
        await endEveryOperatorSession(tx, now);
        await writeAudit(tx, { ...trace, details: { whose: 'everyone’s' } }, now);
      });
    },
  };
}
