import { AppError } from '../../platform/app-error.ts';
import { ownAct, writeAudit } from '../../platform/audit/audit.ts';
import { type Clock, testTime } from '../../platform/clock.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import type { Letter } from '../mail/service.ts';
import type { Post } from '../notices/service.ts';
import { findAddressees } from './closed/closed-store.ts';
import { closeCodesOf } from './code-store.ts';
import { type Codes, refuseCode, useLink } from './codes.ts';
import type { Hashing } from './hashing.ts';
import { emailKey, emailRefusal, passwordRefusal } from './rules.ts';
import * as store from './store.ts';

/** What investors' accounts, passwords and sessions are made of. */
export interface AccountsNeeds {
  db: Db;
  clock: Clock;
  codes: Codes;
  hashing: Hashing;
  mail: Post;
}

/** A letter to an investor, who is known here by id; the name goes into the letter. */
export interface LetterTo {
  userId: string;
  letter(fullname: string): Letter;
}

/** One that tells of a movement, which is known by its number in the journal. */
export interface LetterAbout extends LetterTo {
  number: bigint;
}

export interface Profile {
  id: string;
  fullname: string;
  email: string;
  /** Until when money goes only to addresses that it went to before; null when it goes anywhere. */
  newAddressesAfter: Date | null;
}

const emailTaken = () => new AppError('email_exists', 'An account with this e-mail address exists.');
const nobodyThere = () => new AppError('not_found', 'This account does not exist.');

/** Signing up, proving the e-mail address, and the name on the account. */
export function createAccounts({ db, clock, codes, hashing, mail }: AccountsNeeds) {
  const addressesWait = (at: Db | Tx, userIds: string[]) =>
    store.newAddressesAfter(at, userIds, testTime(clock));

  async function profileOf(at: Db | Tx, { id, fullname, email }: store.User): Promise<Profile> {
    const waits = await addressesWait(at, [id]);
    return { id, fullname, email, newAddressesAfter: waits.get(id) ?? null };
  }

  async function verified(
    tx: Tx,
    userId: string,
    clientAddress: string,
    how: 'code' | 'link',
  ): Promise<void> {
    const now = clock.now();
    await store.markVerified(tx, userId, now);
    await closeCodesOf(tx, userId, 'verify', now);
    const act = ownAct('investor', userId, 'user.verified', clientAddress);
    await writeAudit(tx, { ...act, details: { how } }, now);
  }

  return {
    async register(input: { fullname: string; email: string; password: string; clientAddress: string }) {
      const { fullname, email, password, clientAddress } = input;
      const refusal = passwordRefusal(password);
      if (refusal) throw new AppError('weak_password', refusal);
      const odd = emailRefusal(email);
      if (odd) throw new AppError('invalid_request', odd);
      await codes.countIssue(db, clientAddress);
      const key = emailKey(email);
      if (await store.findUserByEmail(db, key)) throw emailTaken();
      const passwordHash = await hashing.hash(password);
      return inTransaction(db, async (tx) => {
        const now = clock.now();
        const user = await store.insertUser(tx, { fullname, email, emailKey: key, passwordHash, now });
        if (!user) throw emailTaken();
        await codes.issue({ tx, user, purpose: 'verify', flowId: null });
        const actor = { kind: 'nobody' } as const;
        await writeAudit(tx, { actor, action: 'user.registered', subjectId: user.id, clientAddress }, now);
        return { userId: user.id };
      });
    },

    async verifyCode(input: { userId: string; code: string; clientAddress: string }) {
      const { userId, code, clientAddress } = input;
      const what = { userId, purpose: 'verify', flowId: null } as const;
      if (!(await codes.canBeTried(db, what))) refuseCode('wrong');
      const outcome = await inTransaction(db, async (tx) => {
        if (!(await store.lockUser(tx, userId))) return 'wrong';
        const tried = await codes.tryCode({ tx, ...what, code, clientAddress });
        if (tried === 'right') await verified(tx, userId, clientAddress, 'code');
        return tried;
      });
      if (outcome !== 'right') refuseCode(outcome);
    },

    async verifyLink({ token, clientAddress }: { token: string; clientAddress: string }) {
      await inTransaction(db, async (tx) => {
        const userId = await useLink(tx, token, 'verify', clock.now());
        await verified(tx, userId, clientAddress, 'link');
      });
    },

    async resendVerifyCode({ userId, clientAddress }: { userId: string; clientAddress: string }) {
      await codes.countIssue(db, clientAddress);
      await inTransaction(db, async (tx) => {
        const user = await store.lockUser(tx, userId);
        if (!user) throw nobodyThere();
        if (user.verifiedAt)
          throw new AppError('already_verified', 'This account is active already. Log in.');
        await codes.issue({ tx, user, purpose: 'verify', flowId: null });
      });
    },

    async viewProfile({ userId }: { userId: string }): Promise<Profile> {
      const user = await store.findUser(db, userId);
      if (!user) throw nobodyThere();
      return profileOf(db, user);
    },

    /** For whom, and until when, money goes only to addresses that it went to before. */
    newAddressesAfter: ({ tx, userIds }: { tx?: Tx; userIds: string[] }) => addressesWait(tx ?? db, userIds),

    /**
     * Letters to investors, in the transaction of what they are about. Set-based: many are written to at once. Whoever has
     * closed the account meanwhile is still told what became of the money before.
     */
    async writeTo({ tx, letters }: { tx: Tx; letters: LetterTo[] }): Promise<void> {
      if (letters.length === 0) return;
      const found = await findAddressees(tx, [...new Set(letters.map(({ userId }) => userId))]);
      const people = new Map(found.map((user) => [user.id, user]));
      const orders = letters.flatMap(({ userId, letter }) => {
        const person = people.get(userId);
        if (!person) return [];
        const { fullname, email } = person;
        return [{ userId, to: { name: fullname, address: email }, letter: letter(fullname) }];
      });
      await mail.queueAll({ tx, orders });
    },

    async editProfile(input: {
      userId: string;
      fullname: string;
      email: string | undefined;
      clientAddress: string;
    }) {
      const { userId, fullname, email, clientAddress } = input;
      return inTransaction(db, async (tx) => {
        const user = await store.lockUser(tx, userId);
        if (!user) throw nobodyThere();
        if (email !== undefined && emailKey(email) !== emailKey(user.email)) {
          throw new AppError('email_read_only', 'The e-mail address of an account cannot be changed.');
        }
        await store.setFullname(tx, userId, fullname);
        await writeAudit(tx, ownAct('investor', userId, 'profile.edited', clientAddress), clock.now());
        return profileOf(tx, { ...user, fullname });
      });
    },
  };
}
