import type { Stoppable } from '@tallystick/contract/stopping';
import { AppError } from '../../../platform/app-error.ts';
import { writeAuditAll } from '../../../platform/audit/audit.ts';
import { inTransaction } from '../../../platform/postgres/db.ts';
import { type Client, createActs, linkHash, newLink, traceOf } from './acts.ts';
import * as store from './address-store.ts';
import type { Asked, BookNeeds } from './book.ts';
import { isProtected, type Protection, underWayWords, waitOver } from './rules.ts';

const linkWrong = () =>
  new AppError(
    'link_wrong',
    'This link was used already, or it is too late for it. Sign in to see your addresses.',
  );

/** How many whose protection has ended are told of it in a transaction. */
const toldAtOnce = 200;

/** The switch that lets money go to saved addresses and nowhere else: on at once, off a day later. */
export function createProtecting({ db, ledger, users }: Pick<BookNeeds, 'db' | 'ledger' | 'users'>) {
  const { behindLock, countWidening, trace, traceOfLink, tell } = createActs({ ledger, users });

  /** Takes away the address that a letter told of. */
  async function stopAddress(hash: Buffer, client: Client): Promise<string> {
    const found = await store.addressOfLink(db, hash, await ledger.timeOfMoney({ on: db }));
    if (!found) throw linkWrong();
    return behindLock({ identity: found, client }, async (act) => {
      const { tx, userId, now } = act;
      const still = await store.addressOfLink(tx, hash, now);
      const removed = still && (await store.deleteAddress(tx, { userId, addressId: still.addressId }));
      if (!removed) throw linkWrong();
      const { label, address } = removed;
      const underWay = underWayWords(await store.underWayTo(tx, userId, removed));
      await traceOfLink(act, 'address.stopped', traceOf(removed));
      const about = { label, address, ...(underWay && { underWay }) };
      await tell(act, { kind: 'change-stopped', what: 'address', ...about });
      return underWay ?? 'No withdrawal goes there.';
    });
  }

  /** Protection that a letter said would end goes on. */
  async function stopEnding(hash: Buffer, client: Client): Promise<string> {
    const userId = await store.protectionOfLink(db, hash, await ledger.timeOfMoney({ on: db }));
    if (!userId) throw linkWrong();
    await behindLock({ identity: { userId }, client }, async (act) => {
      if ((await store.protectionOfLink(act.tx, hash, act.now)) !== userId) throw linkWrong();
      await store.setProtectionEnd(act.tx, userId, null);
      await traceOfLink(act, 'address-protection.kept', { how: 'link' });
      await tell(act, { kind: 'change-stopped', what: 'protection' });
    });
    return 'Withdrawals go only to the addresses that you have saved.';
  }

  return {
    /** Null: money goes anywhere. */
    async protectionOf({ userId }: { userId: string }): Promise<Protection | null> {
      const protection = await store.protectionOf(db, userId);
      return isProtected(protection, await ledger.timeOfMoney({ on: db })) ? protection : null;
    },

    /** At once, and without being asked who one is: it only narrows. What was going to end goes on. */
    protectAddresses: (asked: Asked): Promise<Protection> =>
      behindLock(asked, async (act) => {
        const { tx, userId, now } = act;
        const before = await store.protectionOf(tx, userId);
        if (isProtected(before, now)) {
          if (before.offFrom === null)
            throw new AppError('already_decided', 'Your addresses are protected already.');
          await store.setProtectionEnd(tx, userId, null);
          await trace(act, 'address-protection.kept', { how: 'session' });
          await tell(act, { kind: 'change-stopped', what: 'protection' });
          return { ...before, offFrom: null };
        }
        await store.beginProtection(tx, userId, now);
        await trace(act, 'address-protection.on');
        await tell(act, { kind: 'protection-on' });
        return { since: now, offFrom: null };
      }),

    unprotectAddresses: (asked: Asked): Promise<Protection> =>
      behindLock(asked, async (act) => {
        const { tx, userId, now } = act;
        const before = await store.protectionOf(tx, userId);
        if (!isProtected(before, now))
          throw new AppError('already_decided', 'Your addresses are not protected.');
        if (before.offFrom !== null)
          throw new AppError('already_decided', 'The protection of your addresses ends already.');
        await users.demandProof({ tx, identity: asked.identity });
        await countWidening(act);
        const offFrom = waitOver(now);
        const { token, hash } = newLink();
        await store.setProtectionEnd(tx, userId, { offFrom, stopHash: hash });
        await trace(act, 'address-protection.ending', { offFrom: offFrom.toISOString() });
        await tell(act, { kind: 'protection-ending', offFrom: offFrom.toISOString(), linkToken: token });
        return { ...before, offFrom };
      }),

    /** What a letter told of is undone by whoever reads it, signed in or not. Answers with how it stands then. */
    stopChange: (input: { what: Exclude<Stoppable, 'removal'>; token: string; client: Client }) =>
      (input.what === 'address' ? stopAddress : stopEnding)(linkHash(input.token), input.client),

    /** By the clock: whose protection has ended is told so. It protects nothing from its instant on, told or not. */
    async endProtections(): Promise<void> {
      for (let told = toldAtOnce; told === toldAtOnce; ) {
        told = await inTransaction(db, async (tx) => {
          const now = await ledger.timeOfMoney({ on: tx });
          const userIds = await store.deleteEnded(tx, now, toldAtOnce);
          const entry = { actor: { kind: 'system' }, action: 'address-protection.off' } as const;
          const entries = userIds.map((subjectId) => ({ ...entry, subjectId }));
          await writeAuditAll(tx, entries, now);
          const at = now.toISOString();
          const letter = (fullname: string) => ({ kind: 'protection-off', fullname, at }) as const;
          await users.writeTo({ tx, letters: userIds.map((userId) => ({ userId, letter })) });
          return userIds.length;
        });
      }
    },
  };
}
