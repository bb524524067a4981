import { investorAccounts } from '@tallystick/contract/ledger';
import type { Cents } from '@tallystick/contract/money';
import { AppError, errorOf } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Identity } from '../../platform/http/identity.ts';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import { lockNames } from '../../platform/postgres/locks.ts';
import { requestsOf } from '../funding/service.ts';
import { type AccountRef, type Ledger, movement } from '../ledger/service.ts';
import type { Notices } from '../notices/service.ts';
import type { Client, User, Users } from '../users/service.ts';
import type { Withdrawals } from '../withdrawal/service.ts';
import { closingRefusal, isReady, type Left, leavable } from './rules.ts';
import { underWay } from './store.ts';

export interface ClosingNeeds {
  db: Db;
  clock: Clock;
  ledger: Ledger;
  users: Users;
  notices: Pick<Notices, 'forgetAllOf'>;
  withdrawal: Pick<Withdrawals, 'forgetAddressBook'>;
  /** For how long the e-mail address of a closed account is kept. */
  keptMs: number;
}

const returns: AccountRef = { kind: 'returns', ownerId: null };
const label = 'Left at Closing';

/** What is too little to be withdrawn goes to the house's account of results, as a movement like any other. */
const leaving = (userId: string, cents: Cents, at: Date) =>
  movement({
    kind: 'closing',
    at,
    postings: [
      { account: { kind: 'wallet', ownerId: userId }, amountCents: -cents, label },
      { account: returns, amountCents: cents, label },
    ],
  });

/** Closing an account: for good, by its owner alone, and only when nothing is in it or on its way. */
export function createClosing(needs: ClosingNeeds) {
  const { db, clock, ledger, users, notices, withdrawal, keptMs } = needs;

  async function restOf(userId: string, tx?: Tx) {
    const rest = await underWay(tx ?? db, userId);
    const because = await ledger.frozenBecause(tx && { tx });
    return { ...rest, frozen: rest.frozen || because !== null };
  }

  /** Behind the locks that requests and movements of this investor need: whoever comes later finds it closed. */
  async function lock(tx: Tx, identity: Identity, email: string): Promise<User> {
    const user = await users.ownerWhoHasShown(tx, identity);
    if (!users.isOwnEmail(user, email))
      throw new AppError('email_wrong', 'This is not the e-mail address of the account.');
    await lockNames(tx, [requestsOf(user.id)]);
    return user;
  }

  return {
    async closingState({ userId }: { userId: string }) {
      const [sums, rest] = await Promise.all([ledger.summary({ userId }), restOf(userId)]);
      const { availableCents: walletCents, investedCents, withdrawingCents } = sums;
      const left: Left = { walletCents, investedCents, withdrawingCents, ...rest };
      return { ...left, ready: isReady(left), leaveCents: leavable(left), keptMs };
    },

    async close(input: {
      identity: Identity;
      client: Client;
      email: string;
      leaveCents: Cents;
    }): Promise<{ keptUntil: Date }> {
      const { identity, client, email, leaveCents } = input;
      await users.demandShown(identity);
      const passwordHash = await users.unknownPassword();
      const keptUntil = new Date(clock.now().getTime() + keptMs);
      const { userId } = identity;
      const account = (kind: (typeof investorAccounts)[number]) => ({ kind, ownerId: userId });
      await ledger.inBook({
        async read(tx, { openBook, now }) {
          const user = await lock(tx, identity, email);
          const book = await openBook(investorAccounts.map(account));
          return { facts: { user, rest: await restOf(userId, tx), now: await now() }, book };
        },
        house: () => (leaveCents > 0n ? [returns] : []),
        post({ user, rest, now }, book) {
          const [walletCents, investedCents, withdrawingCents] = [
            book.balanceOf(account('wallet')),
            book.balanceOf(account('invested')),
            book.balanceOf(account('withdrawing')),
          ];
          const refusal = closingRefusal(
            { walletCents, investedCents, withdrawingCents, ...rest },
            leaveCents,
          );
          if (refusal) throw errorOf(refusal);
          if (leaveCents > 0n) book.post(leaving(userId, leaveCents, now));
          return user;
        },
        async write(tx, user) {
          await withdrawal.forgetAddressBook({ tx, userId });
          const kept = { leftCents: leaveCents, forgetEmailAt: keptUntil };
          await users.closeAccount({ tx, user, client, passwordHash, ...kept });
          await notices.forgetAllOf({ tx, userId });
        },
      });
      return { keptUntil };
    },
  };
}
