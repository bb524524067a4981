import { randomBytes } from 'node:crypto';
import { AppError } from '../../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../../platform/audit/audit.ts';
import { type Clock, testTime } from '../../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../../platform/postgres/db.ts';
import { createDecision, createProposals, departedAmong } from '../../../platform/second-operator.ts';
import type { Post } from '../../notices/service.ts';
import type { Client } from '../credentials.ts';
import { deleteDevicesOf } from '../device-store.ts';
import { setStepUpAbove, standingOf } from '../factors/factor-store.ts';
import { hasFactor } from '../factors/rules.ts';
import { newAddressesWaitMs, sha256 } from '../rules.ts';
import { endSessionsOf } from '../sessions/session-store.ts';
import { holdNewAddresses, lockUser, type User } from '../store.ts';
import type { RemovalEnding } from './ending.ts';
import * as store from './removal-store.ts';
import { becameOf, remindersDue, removalRules } from './rules.ts';

interface RemovingNeeds {
  db: Db;
  clock: Clock;
  mail: Post;
  ending: RemovalEnding;
}

type Agreed = store.RemovalRow & { dueAt: Date };

/** As the rule of the second operator reads it, with the account, which is locked. */
type Decidable = ReturnType<typeof asAsked> & { user: User };

const waitingMax = 200;
const theClock = 'the clock';
const unknown = 'There is no such removal.';

const traceOf = ({ id, reason, askedBy, agreedBy }: store.RemovalRow) => ({
  removal: id,
  reason,
  askedBy,
  agreedBy,
});

/** For the rule of the second operator: what was agreed to, or is over, waits for nobody. */
const asAsked = (row: store.RemovalRow) => ({
  ...row,
  decidedBy: row.agreedBy ?? row.endedBy,
  decidedAt: row.agreedAt ?? row.endedAt,
});

/** Dropping it is possible until it is over. */
const asOpen = (row: store.RemovalRow) => ({ ...row, decidedBy: row.endedBy, decidedAt: row.endedAt });

/**
 * The way back for who has lost every factor and every recovery code. One operator asks, another agrees, and the
 * investor is told and has days to stop it. It opens nothing by itself: the password, or the mailbox, is needed after it
 * as before.
 */
export function createRemoving({ db, clock, mail, ending }: RemovingNeeds) {
  /** First the account, then what is about it: as everything that changes an account's factors does. */
  async function lockWithUser(tx: Tx, id: string): Promise<{ user: User; row: store.RemovalRow } | null> {
    const found = await store.findRemoval(tx, id);
    const user = found && (await lockUser(tx, found.userId));
    const row = user && (await store.lockRemoval(tx, id));
    return row ? { user, row } : null;
  }

  async function tell(tx: Tx, user: User, removal: Agreed, reminded: number): Promise<void> {
    const linkToken = randomBytes(16).toString('base64url');
    await store.addStopLink(tx, removal.id, sha256(linkToken), reminded);
    const { fullname, email } = user;
    const dueAt = removal.dueAt.toISOString();
    const isReminder = reminded > 0;
    const letter = { kind: 'factor-removal-begun', fullname, dueAt, linkToken, isReminder } as const;
    await mail.queue({ tx, userId: user.id, to: { name: fullname, address: email }, letter });
  }

  const kind = { db, clock, unknown, decided: becameOf };

  const proposals = createProposals<Decidable, { userId: string; reason: string }>({
    ...kind,
    taken: 'A removal is under way for this investor already.',
    lock: async (tx, id) => {
      const found = await lockWithUser(tx, id);
      return found && { ...asAsked(found.row), user: found.user };
    },
    insert: (tx, draft, { askedBy, now }) => store.insertRemoval(tx, { ...draft, askedBy, askedAt: now }),
    async decide(tx, row, { by, now }) {
      const dueAt = new Date(now.getTime() + removalRules.waitMs);
      await store.agreeToRemoval(tx, row.id, { by, now, dueAt });
      await tell(tx, row.user, { ...row, dueAt }, 0);
      const details = { ...traceOf(row), agreedBy: by };
      return { action: 'factor.removal-agreed', subjectId: row.userId, details };
    },
  });

  /** Looked at again behind the lock: it may have been stopped a moment ago. */
  async function carryOut(tx: Tx, id: string): Promise<void> {
    const found = await lockWithUser(tx, id);
    const now = clock.now();
    if (!found || found.row.endedAt || !found.row.dueAt || found.row.dueAt > now) return;
    // A server whose clock runs ahead would cut the days short in which it can be stopped.
    if (!(await store.isDue(tx, id, testTime(clock)))) return;
    const { user, row } = found;
    await store.deleteFactorsOf(tx, user.id, now);
    await setStepUpAbove(tx, user.id, 0n);
    await endSessionsOf(tx, user.id, now, null);
    // Who has the lost phone has a browser that is known: it is met as a stranger from now on.
    await deleteDevicesOf(tx, { userId: user.id }, null);
    const wait = { waitMs: newAddressesWaitMs, testNow: testTime(clock) };
    const newAddressesAfter = await holdNewAddresses(tx, user.id, wait);
    await store.endOpenRemoval(tx, user.id, { how: 'done', by: theClock, now });
    const { fullname, email } = user;
    const times = { at: now.toISOString(), newAddressesAfter: newAddressesAfter.toISOString() };
    const letter = { kind: 'factors-removed', fullname, ...times } as const;
    await mail.queue({ tx, userId: user.id, to: { name: fullname, address: email }, letter });
    const trace = { action: 'factor.removed-by-operators', subjectId: user.id, details: traceOf(row) };
    await writeAudit(tx, { actor: { kind: 'system' }, ...trace }, now);
  }

  async function remind(tx: Tx, id: string): Promise<void> {
    const found = await lockWithUser(tx, id);
    if (!found || found.row.endedAt || !found.row.dueAt) return;
    const { dueAt } = found.row;
    const due = remindersDue(dueAt, clock.now());
    if (due > found.row.reminded) await tell(tx, found.user, { ...found.row, dueAt }, due);
  }

  /** What two have agreed to is one's word when the other is an operator no more: it begins anew, if at all. */
  async function drop(tx: Tx, id: string): Promise<void> {
    const found = await lockWithUser(tx, id);
    if (!found || found.row.endedAt) return;
    const { user, row } = found;
    await ending.end(tx, user, { how: 'discarded', by: theClock });
    const trace = { action: 'factor.removal-discarded', subjectId: user.id, details: traceOf(row) };
    await writeAudit(tx, { actor: { kind: 'system' }, ...trace }, clock.now());
  }

  /** Null where there is nothing to do for it now. */
  function stepOf({ dueAt, reminded }: store.RemovalRow): typeof carryOut | null {
    const now = clock.now();
    if (!dueAt) return null;
    if (dueAt <= now) return carryOut;
    return remindersDue(dueAt, now) > reminded ? remind : null;
  }

  return {
    async proposeRemoval(input: { userId: string; reason: string; actor: Actor }): Promise<void> {
      const { userId, reason, actor } = input;
      await inTransaction(db, async (tx) => {
        if (!(await lockUser(tx, userId))) throw new AppError('not_found', 'There is no such investor.');
        if (!hasFactor(await standingOf(tx, { userId, sessionId: null })))
          throw new AppError('not_found', 'No second factor is on: there is nothing to remove.');
        const trace = { actor, action: 'factor.removal-asked', subjectId: userId, details: { reason } };
        await proposals.propose(tx, { userId, reason }, trace);
      });
    },

    agreeToRemoval: proposals.agree,

    /** Whoever of them: before it is agreed to and after. */
    discardRemoval: createDecision<Decidable>({
      ...kind,
      lock: async (tx, id) => {
        const found = await lockWithUser(tx, id);
        return found && { ...asOpen(found.row), user: found.user };
      },
      async decide(tx, row, { by }) {
        await ending.end(tx, row.user, { how: 'discarded', by });
        return { action: 'factor.removal-discarded', subjectId: row.userId, details: traceOf(row) };
      },
    }),

    /** By the link of a letter, without signing in. Pressed twice it says the same. */
    async stopRemoval({ token, client }: { token: string; client: Client }): Promise<void> {
      await inTransaction(db, async (tx) => {
        const named = await store.findRemovalByLink(tx, sha256(token));
        const found = named && (await lockWithUser(tx, named.id));
        if (!found)
          throw new AppError('link_wrong', 'This link is not known here. Use the one of the last letter.');
        if (found.row.endedHow === 'done')
          throw new AppError('already_decided', 'It is too late: the second factors were removed.');
        if (!found.row.endedAt) await ending.endByInvestor(tx, found.user, 'stopped', client);
        // Whoever has an old letter must not take the one that runs now for stopped.
        else if (await store.openRemovalOf(tx, found.user.id))
          throw new AppError(
            'link_wrong',
            'This link is of an earlier removal. Use that of the last letter.',
          );
      });
    },

    /** Every minute: reminds of what is to come and does what has come. One that fails keeps none of the others from it. */
    async carryOutRemovals(): Promise<void> {
      const failures: unknown[] = [];
      const rows = await store.agreedRemovals(db);
      const departed = await departedAmong(
        db,
        rows.flatMap(({ askedBy, agreedBy }) => [askedBy, agreedBy]),
      );
      for (const row of rows) {
        const isOnes = departed.has(row.askedBy) || departed.has(row.agreedBy ?? '');
        const step = isOnes ? drop : stepOf(row);
        if (step) await inTransaction(db, (tx) => step(tx, row.id)).catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },

    waitingRemovals: () => store.waitingRemovals(db, waitingMax),

    removalOf: ({ userId }: { userId: string }) => store.openRemovalOf(db, userId),
  };
}
