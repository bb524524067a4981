import { randomBytes, randomInt } from 'node:crypto';
import type { CodePurpose } from '@tallystick/contract/users';
import { AppError } from '../../platform/app-error.ts';
import { writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { giveBack, hitsOf, takeFromQuota, throttledAddress } from '../../platform/http/throttle.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Db, Tx } from '../../platform/postgres/db.ts';
import type { Post } from '../notices/service.ts';
import * as store from './code-store.ts';
import { type CodeOf, codeHmac, codeRules, sameBytes, sha256, waitBeforeIssue } from './rules.ts';
import { lockUser, type User } from './store.ts';

interface CodesNeeds {
  clock: Clock;
  mail: Post;
  logger: Logger;
  secret: Buffer;
}

interface IssueOptions {
  tx: Tx;
  user: User;
  purpose: CodePurpose;
  flowId: string | null;
}

interface TryOptions extends CodeOf {
  tx: Tx;
  code: string;
  clientAddress: string;
}

type TryOutcome = 'right' | 'wrong' | 'locked';

const everyone = { scope: 'code-wrong-all', subject: 'all' };

function tooSoon(waitMs: number): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const message =
    waitMs <= codeRules.issueGapMs
      ? `A code was sent less than a minute ago. Ask again in ${retryAfterSeconds} s.`
      : 'Too many codes were asked for. Use the link in the last e-mail, or try again later.';
  return new AppError('too_many_requests', message, { retryAfterSeconds });
}

export function createCodes({ clock, mail, logger, secret }: CodesNeeds) {
  /** How long until this account may be sent another code. The caller holds the account's row. */
  async function waitOf(tx: Tx, userId: string, purpose: CodePurpose): Promise<number> {
    const now = clock.now();
    const issued = await store.issuedSince(tx, userId, purpose, new Date(now.getTime() - codeRules.dayMs));
    return waitBeforeIssue(issued, now);
  }

  /**
   * Asked before anything else of whoever wants a code, known or not: nothing is looked up, hashed or told past the
   * quota of an address.
   */
  async function countIssue(db: Db | Tx, clientAddress: string): Promise<void> {
    const byAddress = { scope: 'code-issue-address', subject: throttledAddress(clientAddress) };
    const quota = await takeFromQuota(db, byAddress, codeRules.issuesPerAddress, clock.now());
    if (quota.allowed) return;
    const retryAfterSeconds = Math.ceil(quota.retryAfterMs / 1000);
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const message = `Too many e-mails were asked for from your network. Try again in ${minutes} min.`;
    throw new AppError('too_many_requests', message, { retryAfterSeconds });
  }

  /** Makes a code and queues its mail in the caller's transaction; refuses when one was sent too recently. */
  async function issue({ tx, user, purpose, flowId }: IssueOptions): Promise<void> {
    const now = clock.now();
    const waitMs = await waitOf(tx, user.id, purpose);
    if (waitMs > 0) throw tooSoon(waitMs);

    const code = String(randomInt(0, 10_000)).padStart(4, '0');
    const linkToken = randomBytes(16).toString('base64url');
    const linkExpiresAt = new Date(now.getTime() + codeRules.linkLifeMs);
    await store.replaceCode(tx, {
      userId: user.id,
      purpose,
      flowId,
      codeHmac: codeHmac({ key: secret, userId: user.id, purpose, flowId, code }),
      linkHash: sha256(linkToken),
      issuedAt: now,
      codeExpiresAt: new Date(now.getTime() + codeRules.codeLifeMs),
      linkExpiresAt,
    });
    // Anyone can sign up with another's address: until it is proven nobody reads there what the other chose as a name.
    const fullname = user.verifiedAt ? user.fullname : '';
    const letter =
      purpose === 'verify'
        ? ({ kind: 'activation-code', code, linkToken } as const)
        : ({ kind: 'reset-code', fullname, code, linkToken } as const);
    const to = { name: fullname, address: user.email };
    await mail.queue({ tx, userId: user.id, to, letter, notAfter: linkExpiresAt });
  }

  /** Wrong tries of everybody together: a botnet that tries each account a little is seen here. */
  async function countWrongOfAll(tx: Tx): Promise<void> {
    const { hits } = await takeFromQuota(tx, everyone, codeRules.wrongTriesOfAll, clock.now());
    if (hits !== codeRules.wrongTriesOfAll.limit) return;
    logger.error(
      { alert: true, hits },
      'the daily budget of wrong codes is used up: only long links work now',
    );
    const usedUp = { action: 'code.budget-used-up', details: { hits } };
    await writeAudit(tx, { actor: { kind: 'system' }, ...usedUp }, clock.now());
  }

  const openNow = (code: CodeOf) => ({ ...code, triesMax: codeRules.triesPerCode, now: clock.now() });

  /** Asked before the account's row is locked: who guesses on at a used-up code holds up nobody. */
  const canBeTried = (db: Db, code: CodeOf): Promise<boolean> => store.hasOpenCode(db, openNow(code));

  /**
   * One try at a code. It never throws for a wrong one, so that the caller's transaction commits what was counted;
   * the caller refuses afterwards.
   */
  async function tryCode(options: TryOptions): Promise<TryOutcome> {
    const { tx, userId, purpose, flowId, code, clientAddress } = options;
    const now = clock.now();
    const account = { scope: 'code-wrong-account', subject: userId };
    const wanted = openNow({ userId, purpose, flowId });
    // Nothing to compare with, so nothing is learnt and nothing needs counting.
    if (!(await store.hasOpenCode(tx, wanted))) return 'wrong';
    if ((await hitsOf(tx, everyone, now)) >= codeRules.wrongTriesOfAll.limit) return 'locked';
    const quota = await takeFromQuota(tx, account, codeRules.wrongTriesPerAccount, now);
    if (!quota.allowed) return 'locked';
    const open = await store.countTry(tx, wanted);
    if (!open) {
      await giveBack(tx, account);
      return 'wrong';
    }
    const right = sameBytes(open.codeHmac, codeHmac({ key: secret, userId, purpose, flowId, code }));
    if (right && (await store.closeCode(tx, open.id, now))) {
      await giveBack(tx, account);
      return 'right';
    }
    await countWrongOfAll(tx);
    const about = { action: 'code.refused', subjectId: userId, clientAddress, details: { purpose } };
    await writeAudit(tx, { actor: { kind: 'nobody' }, ...about }, now);
    return 'wrong';
  }

  return { issue, waitOf, canBeTried, tryCode, countIssue };
}

export type Codes = ReturnType<typeof createCodes>;

const refusals = {
  locked: ['code_locked', 'Too many wrong codes were entered. Use the link in the e-mail instead.'],
  wrong: ['code_wrong', 'The code is wrong, has expired or was tried too often. Ask for a new one.'],
} as const;

export function refuseCode(outcome: keyof typeof refusals): never {
  const [code, message] = refusals[outcome];
  throw new AppError(code, message);
}

/**
 * Uses up a long link and says whose it was. The account is locked before its codes, here as everywhere: two that
 * lock in different orders would wait for each other.
 */
export async function useLink(tx: Tx, token: string, purpose: CodePurpose, now: Date): Promise<string> {
  const linkHash = sha256(token);
  const ownerId = await store.findLinkOwner(tx, linkHash, purpose);
  if (ownerId) await lockUser(tx, ownerId);
  const userId = ownerId && (await store.consumeLink(tx, linkHash, purpose, now));
  if (!userId)
    throw new AppError('link_wrong', 'This link has been used or has expired. Ask for a new e-mail.');
  return userId;
}
