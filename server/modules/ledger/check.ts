import { AppError } from '../../platform/app-error.ts';
import { type Actor, writeAudit } from '../../platform/audit/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { logTime, writeLogEntry } from '../../platform/log/outbox.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Db, inTransaction, type Tx } from '../../platform/postgres/db.ts';
import {
  accountsForCheck,
  beginCheck,
  brokenMovements,
  type CheckedEntry,
  type EntryPlace,
  entriesInOrder,
  firstPlace,
  freeze,
  freezeReason,
  insertCheck,
  lastCheck,
  lockFreeze,
  takeSnapshot,
  unfreeze,
} from './check-store.ts';
import { entriesAfter } from './list-store.ts';
import { type Account, canonicalText, chainHash, genesisHash } from './rules.ts';
import { findAccount } from './store.ts';

const readAtOnce = 500;
/** Whoever has a hundred to look into does not need the rest. */
const findingsMax = 100;

interface CheckResult {
  accounts: bigint;
  entries: bigint;
  findings: string[];
}

/** What the entries of an account, read from the first on, come to. */
interface Folded {
  seq: bigint;
  balanceCents: bigint;
  head: string;
  lastEntryAt: Date | null;
}

const nothing: Folded = { seq: 0n, balanceCents: 0n, head: genesisHash, lastEntryAt: null };

/** What comes after one more entry, or what is wrong with that entry. */
function foldEntry(before: Folded, entry: CheckedEntry, account: Account): Folded | string {
  const seq = before.seq + 1n;
  if (entry.seq !== seq) return `entry ${seq} is missing`;
  if (seq > account.entryCount) return `entry ${seq} was not written by the ledger`;
  const balanceCents = before.balanceCents + entry.amountCents;
  const head = chainHash(before.head, canonicalText(entry));
  const intact = balanceCents === entry.balanceAfterCents && head === entry.hash.toString('hex');
  return intact
    ? { seq, balanceCents, head, lastEntryAt: entry.at }
    : `entry ${seq} is not as it was written`;
}

/** What is wrong with the account's own row; null when it says what its entries come to. */
function disagreement(account: Account, folded: Folded): string | null {
  if (folded.seq < account.entryCount) return `entry ${folded.seq + 1n} is missing`;
  if (folded.balanceCents !== account.balanceCents) return 'its entries do not add up to its balance';
  const sameTime = folded.lastEntryAt?.getTime() === account.lastEntryAt?.getTime();
  return sameTime && folded.head === account.head ? null : `its head is not that of entry ${folded.seq}`;
}

/** Everyone is told when the books stop withdrawals, and when they let them go on. */
async function tellLog(tx: Tx, state: 'on' | 'off', now: Date): Promise<void> {
  const lines = [
    ['time', logTime(now)],
    ['scope', 'books'],
    ['state', state],
  ] as const;
  await writeLogEntry(tx, 'freeze/v1', lines, now);
}

/** Reads every entry there is and compares what it adds up to with what the accounts say. */
export function createBookCheck({ db, clock, logger }: { db: Db; clock: Clock; logger: Logger }) {
  /**
   * Recomputes accounts from their first entries on, which are read one account after the other however many there are.
   * A finding is null when all is as it was written.
   */
  async function checkAccounts(
    accounts: Account[],
    read: (after: EntryPlace) => Promise<CheckedEntry[]>,
  ): Promise<{ account: Account; entries: bigint; finding: string | null }[]> {
    const all = accounts.map((account) => ({ account, folded: nothing, finding: null as string | null }));
    const byId = new Map(all.map((each) => [each.account.id, each]));
    for (let reading = read(firstPlace); ; ) {
      const part = await reading;
      const last = part.length < readAtOnce ? undefined : part.at(-1);
      // The database reads what follows while this is recomputed.
      if (last) reading = read(last);
      // Where recomputing fails, nobody asks any more how the reading ended.
      reading.catch(() => {});
      for (const entry of part) {
        const each = byId.get(entry.accountId);
        // What bears the name of no account is found among the movements.
        if (!each || each.finding) continue;
        const next = foldEntry(each.folded, entry, each.account);
        if (typeof next === 'string') each.finding = next;
        else each.folded = next;
      }
      if (!last) break;
    }
    return all.map(({ account, folded, finding }) => ({
      account,
      entries: folded.seq,
      finding: finding ?? disagreement(account, folded),
    }));
  }

  async function fold(): Promise<CheckResult> {
    return inTransaction(db, async (tx) => {
      await takeSnapshot(tx);
      if (!(await beginCheck(tx))) throw new AppError('busy', 'The books are being checked at this moment.');
      const accounts = await accountsForCheck(tx);
      const findings: string[] = [];
      let entries = 0n;
      const checked = await checkAccounts(accounts, (after) => entriesInOrder(tx, after, readAtOnce));
      for (const { account, entries: count, finding } of checked) {
        entries += count;
        const name = `${account.kind}${account.ownerId ? ` of ${account.ownerId}` : ''}`;
        if (finding) findings.push(`${name}: ${finding}`);
      }
      const sum = accounts.reduce((total, { balanceCents }) => total + balanceCents, 0n);
      if (sum !== 0n) findings.push(`all accounts together are ${sum} cents instead of zero`);
      for (const id of await brokenMovements(tx)) findings.push(`movement ${id} is not as it was written`);
      return { accounts: BigInt(accounts.length), entries, findings: findings.slice(0, findingsMax) };
    });
  }

  return {
    /** Checks the books, keeps the result, and on a mismatch stops withdrawals and shouts. */
    async checkBooks({ actor }: { actor?: Actor } = {}): Promise<CheckResult> {
      const result = await fold();
      await inTransaction(db, async (tx) => {
        const now = clock.now();
        await insertCheck(tx, { at: now, ...result });
        if (actor) {
          const details = { findings: result.findings.length };
          await writeAudit(tx, { actor, action: 'ledger.checked', details }, now);
        }
        const [first] = result.findings;
        if (first === undefined) return;
        logger.error(
          { alert: true, findings: result.findings },
          'the books do not agree: withdrawals are frozen',
        );
        if (!(await freeze(tx, first, now))) return;
        await tellLog(tx, 'on', now);
        const details = { findings: result.findings };
        await writeAudit(tx, { actor: { kind: 'system' }, action: 'ledger.frozen', details }, now);
      });
      return result;
    },

    /** Recomputes one wallet now, as its owner can. */
    async checkWallet({ userId }: { userId: string }) {
      return inTransaction(db, async (tx) => {
        await takeSnapshot(tx);
        const wallet = await findAccount(tx, { kind: 'wallet', ownerId: userId });
        if (!wallet) return { entries: 0n, sumCents: 0n, finding: null };
        const [checked] = await checkAccounts([wallet], ({ seq }) =>
          entriesAfter(tx, wallet.id, seq, readAtOnce),
        );
        const { entries = 0n, finding = null } = checked ?? {};
        return { entries, finding, sumCents: wallet.balanceCents };
      });
    },

    /** Why withdrawals are frozen; null when they are not. */
    frozenBecause: ({ tx }: { tx?: Tx } = {}): Promise<string | null> => freezeReason(tx ?? db),

    /** Only when the newest check found nothing. */
    async unfreeze({ actor, reason }: { actor: Actor; reason: string }): Promise<void> {
      await inTransaction(db, async (tx) => {
        await lockFreeze(tx);
        const [finding] = ((await lastCheck(tx))?.findings ?? []) as string[];
        if (finding !== undefined) {
          throw new AppError('already_decided', `The books still do not agree: ${finding}.`);
        }
        const now = clock.now();
        if ((await freezeReason(tx)) !== null) await tellLog(tx, 'off', now);
        await unfreeze(tx);
        await writeAudit(tx, { actor, action: 'ledger.unfrozen', details: { reason } }, now);
      });
    },

    lastCheck: () => lastCheck(db),

    /** For whoever watches the server. */
    async health() {
      const last = await lastCheck(db);
      const reason = await freezeReason(db);
      return {
        secondsSinceCheck: last && Math.max(0, (clock.now().getTime() - last.at.getTime()) / 1000),
        findings: last && (last.findings as unknown[]).length,
        isFrozen: reason !== null,
      };
    },
  };
}
