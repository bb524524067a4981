import { writeAudit } from '../../../platform/audit/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/postgres/db.ts';
import type { Post } from '../../notices/service.ts';
import type { Client } from '../credentials.ts';
import type { User } from '../store.ts';
import { endOpenRemoval, type RemovalRow } from './removal-store.ts';
import type { EndedHow } from './rules.ts';

/** Who ended it where no operator did. */
const theInvestor = 'the investor';

/** Ends the removal of an account's factors before it happens. The caller holds the account's row. */
export function createRemovalEnding({ clock, mail }: { clock: Clock; mail: Post }) {
  /** Null when none was under way. Who was told of it is told that it is off. */
  async function end(
    tx: Tx,
    user: User,
    ending: { how: Exclude<EndedHow, 'done'>; by: string },
  ): Promise<RemovalRow | null> {
    const { how } = ending;
    const now = clock.now();
    const row = await endOpenRemoval(tx, user.id, { ...ending, now });
    if (!row?.agreedAt) return row;
    const { fullname, email } = user;
    const letter = { kind: 'factor-removal-stopped', fullname, at: now.toISOString(), how } as const;
    await mail.queue({ tx, userId: user.id, to: { name: fullname, address: email }, letter });
    return row;
  }

  return {
    end,

    /** By the link of a letter, or because a factor is there after all. */
    async endByInvestor(
      tx: Tx,
      user: User,
      how: 'stopped' | 'factor-shown',
      client: Client,
    ): Promise<boolean> {
      const row = await end(tx, user, { how, by: theInvestor });
      if (!row) return false;
      const actor =
        how === 'stopped' ? { kind: 'nobody' as const } : { kind: 'investor' as const, id: user.id };
      const about = { subjectId: user.id, clientAddress: client.address };
      const details = { removal: row.id, how, askedBy: row.askedBy, agreedBy: row.agreedBy };
      await writeAudit(tx, { actor, action: 'factor.removal-stopped', ...about, details }, clock.now());
      return true;
    },
  };
}

export type RemovalEnding = ReturnType<typeof createRemovalEnding>;
